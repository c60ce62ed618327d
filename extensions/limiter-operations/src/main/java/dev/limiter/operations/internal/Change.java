package dev.limiter.operations.internal;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What an operator has changed: a line of the text that instances share. It has no key of a caller.
 *
 * @param kind one of the constants; others, of a later release, are kept
 * @param policy its name
 * @param partition the digest of one partition; empty for all
 * @param values by member of the policy
 * @param untilMillis when it ends, in ms since 1970 by the store's clock; 0 for never
 * @param atMillis when it was made
 * @param by the operator
 * @param because the reason
 */
record Change(
        String kind,
        String policy,
        String partition,
        Map<String, String> values,
        long untilMillis,
        long atMillis,
        String by,
        String because) {
    private static final int FIELDS = 7;

    /** Other numbers of a policy. */
    static final String OF_POLICY = "policy";
    /** Numbers of one partition. */
    static final String OF_CALLER = "caller";
    /** An operator has taken a change back; with a partition, has forgiven it, too. */
    static final String TAKEN_BACK = "taken-back";
    /** An operator asks each instance for a report. */
    static final String ASKED = "asked";

    Change {
        values = new TreeMap<>(values);
        if (kind.equals(OF_CALLER)) {
            Long.parseLong(values.get("limit"));
            Long.parseLong(values.getOrDefault("burst", "0"));
        }
    }

    /** Whether it is in force until its end; otherwise it only tells what has happened. */
    boolean lasts() {
        return kind.equals(OF_POLICY) || kind.equals(OF_CALLER);
    }

    boolean isOver(long nowMillis) {
        return untilMillis != 0 && untilMillis <= nowMillis;
    }

    /** Whether both change the same. */
    boolean isOf(String otherKind, String otherPolicy, String otherPartition) {
        return kind.equals(otherKind) && policy.equals(otherPolicy) && partition.equals(otherPartition);
    }

    /** Its fields, then names and values in turn. */
    String line() {
        List<String> fields = new ArrayList<>(
                List.of(kind, policy, partition, Long.toString(untilMillis), Long.toString(atMillis), by, because));
        values.forEach((name, value) -> fields.addAll(List.of(name, value)));
        return fields.stream()
                .map(field -> URLEncoder.encode(field, StandardCharsets.UTF_8))
                .collect(Collectors.joining("\t"));
    }

    static Change parse(String line) {
        List<String> fields = Arrays.stream(line.split("\t", -1))
                .map(field -> URLDecoder.decode(field, StandardCharsets.UTF_8))
                .toList();
        Map<String, String> values = new TreeMap<>();
        for (int i = FIELDS; i < fields.size(); i += 2) {
            values.put(fields.get(i), fields.get(i + 1));
        }
        return new Change(
                fields.get(0),
                fields.get(1),
                fields.get(2),
                values,
                Long.parseLong(fields.get(3)),
                Long.parseLong(fields.get(4)),
                fields.get(5),
                fields.get(6));
    }
}
