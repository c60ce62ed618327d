package dev.limiter.redis.recorded;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One state that a release left in Redis: how it came about, its keys, and what the calls that
 * follow are answered.
 *
 * @param headers what the recording is about, and which limiter is asked
 * @param before calls that made the state
 * @param atMicros the instant of the state
 * @param keys as {@link VirtualKeys#contents} tells them
 * @param after calls that go on from the state
 */
record Recording(
        String name,
        Map<String, String> headers,
        List<Step> before,
        long atMicros,
        List<String> keys,
        List<Step> after) {

    static final String NAME = "== ";
    private static final String INSTANT = "at ";

    /** Reads all recordings of a file; lines before the first one are for people. */
    static List<Recording> readAll(List<String> lines) {
        List<Recording> all = new ArrayList<>();
        int first = -1;
        for (int i = 0; i <= lines.size(); i++) {
            if (i == lines.size() || lines.get(i).startsWith(NAME)) {
                if (first >= 0) {
                    all.add(read(lines.subList(first, i)));
                }
                first = i;
            }
        }
        return all;
    }

    private static Recording read(List<String> lines) {
        Map<String, String> headers = new LinkedHashMap<>();
        List<Step> before = new ArrayList<>();
        List<Step> after = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        long at = 0;
        for (String line : lines.subList(1, lines.size())) {
            if (line.startsWith("+")) {
                (at == 0 ? before : after).add(Step.read(line));
            } else if (line.startsWith(INSTANT)) {
                at = Long.parseLong(line.substring(INSTANT.length()));
            } else if (at > 0 && !line.isEmpty()) {
                keys.add(line);
            } else if (!line.isEmpty()) {
                String[] header = line.split(" ", 2);
                headers.put(header[0], header[1]);
            }
        }
        return new Recording(lines.get(0).substring(NAME.length()), headers, before, at, keys, after);
    }

    String header(String name, String otherwise) {
        return headers.getOrDefault(name, otherwise);
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(NAME + name);
        headers.forEach((header, value) -> lines.add(header + ' ' + value));
        before.forEach(step -> lines.add(step.line()));
        lines.add(INSTANT + atMicros);
        lines.addAll(keys);
        after.forEach(step -> lines.add(step.line()));
        lines.add("");
        return lines;
    }
}
