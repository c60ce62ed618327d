package dev.limiter.operations.internal;

import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.operations.internal.MostRejected.Span;
import dev.limiter.operations.internal.SpaceSaving.Entry;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whom each policy rejects most on this instance, and its report for all instances. */
final class Rejections {
    private static final int MOST = 20;

    private final LongSupplier nanos;
    private final Map<String, MostRejected> byPolicy = new ConcurrentHashMap<>();

    /** @param nanos a clock that does not step, in ns */
    Rejections(LongSupplier nanos) {
        this.nanos = nanos;
    }

    void count(CheckGroup group, Decision.Rejected rejected) {
        List<CheckResult> results = rejected.results();
        for (int i = 0; i < results.size(); i++) {
            CheckResult result = results.get(i);
            if (!result.admitted() && result.policy().rejects()) {
                of(result.policy().name()).rejected(group.checks().get(i).key());
            }
        }
    }

    private MostRejected of(String policy) {
        MostRejected known = byPolicy.get(policy);
        return known != null ? known : byPolicy.computeIfAbsent(policy, none -> new MostRejected(nanos));
    }

    /**
     * A line for each of the most rejected partitions: span, policy, count, error, caller.
     *
     * @param callers how a partition is written
     */
    String report(Function<PartitionKey, Map<String, String>> callers) {
        List<String> lines = new ArrayList<>();
        for (Span span : Span.values()) {
            byPolicy.forEach((policy, most) -> most.top(MOST, span)
                    .forEach(entry -> lines.add(String.join(
                            "\t",
                            span.name(),
                            policy,
                            Long.toString(entry.count()),
                            Long.toString(entry.error()),
                            written(callers.apply(entry.key()))))));
        }
        return String.join("\n", lines);
    }

    private static String written(Map<String, String> caller) {
        return caller.entrySet().stream()
                .map(part -> encoded(part.getKey()) + '=' + encoded(part.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Adds reports up, as an operator reads them: by span and policy, the most rejected first. */
    static Map<String, Map<String, List<Map<String, Object>>>> sum(Collection<String> reports) {
        Map<String, Map<String, List<List<Entry<String>>>>> lists = new TreeMap<>();
        for (String report : reports) {
            report.lines()
                    .map(line -> line.split("\t", -1))
                    .forEach(line -> lists.computeIfAbsent(line[0], span -> new TreeMap<>())
                            .computeIfAbsent(line[1], policy -> new ArrayList<>())
                            .add(List.of(new Entry<>(line[4], Long.parseLong(line[2]), Long.parseLong(line[3])))));
        }
        Map<String, Map<String, List<Map<String, Object>>>> sums = new LinkedHashMap<>();
        for (Span span : Span.values()) {
            Map<String, List<Map<String, Object>>> ofSpan = new LinkedHashMap<>();
            lists.getOrDefault(span.name(), Map.of()).forEach((policy, each) -> ofSpan.put(policy, most(each)));
            sums.put(span == Span.HOUR ? "lastHour" : "lastTenMinutes", ofSpan);
        }
        return sums;
    }

    private static List<Map<String, Object>> most(List<List<Entry<String>>> lists) {
        return MostRejected.merge(lists).stream()
                .limit(MOST)
                .map(entry -> {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("caller", caller(entry.key()));
                    row.put("atLeast", entry.count() - entry.error());
                    row.put("atMost", entry.count());
                    return row;
                })
                .toList();
    }

    private static Map<String, String> caller(String written) {
        return Stream.of(written.split("&"))
                .map(part -> part.split("=", 2))
                .collect(Collectors.toMap(
                        part -> decoded(part[0]), part -> decoded(part[1]), (a, b) -> a, LinkedHashMap::new));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
