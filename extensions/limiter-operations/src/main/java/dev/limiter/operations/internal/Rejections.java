package dev.limiter.operations.internal;

import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.RateLimiter;
import dev.limiter.operations.internal.MostRejected.Span;
import dev.limiter.operations.internal.SpaceSaving.Entry;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Layer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Whom each policy rejects most on this instance, and its report for all instances. */
final class Rejections extends Layer {
    private static final int MOST = 20;
    private static final int MOST_MADE_UP = 1_000;
    private static final int MOST_CHARACTERS_OF_REPORT = 1 << 20;

    private final LongSupplier nanos;
    private final Predicate<String> deployed;
    private final Map<String, MostRejected> byPolicy = new ConcurrentHashMap<>();

    /**
     * @param nanos a clock that does not step, in ns
     * @param deployed whether a policy is one of the application, and was not made up by code
     */
    Rejections(RateLimiter next, LongSupplier nanos, Predicate<String> deployed) {
        super(next);
        this.nanos = nanos;
        this.deployed = deployed;
    }

    @Override
    public <A> A answer(Ask<A> ask) {
        A answer = next.answer(ask);
        if (ask instanceof Ask.Acquire acquire) {
            count(acquire.group(), (Decision) answer);
        } else if (ask instanceof Ask.AcquireEach each) {
            List<Optional<Decision>> made = ((GroupDecisions) answer).made();
            for (int i = 0; i < made.size(); i++) {
                CheckGroup group = each.groups().get(i);
                if (!Ask.AcquireEach.isRenewal(group)) {
                    made.get(i).ifPresent(decision -> count(group, decision));
                }
            }
        }
        return answer;
    }

    void count(CheckGroup group, Decision decision) {
        List<CheckResult> results = decision.admitted() ? List.of() : decision.results();
        for (int i = 0; i < results.size(); i++) {
            CheckResult result = results.get(i);
            MostRejected most = !result.admitted() && result.policy().rejects()
                    ? of(result.policy().name())
                    : null;
            if (most != null) {
                most.rejected(group.checks().get(i).key());
            }
        }
    }

    /** Null for names that code goes on making up. */
    private MostRejected of(String policy) {
        MostRejected known = byPolicy.get(policy);
        return known != null || byPolicy.size() >= MOST_MADE_UP && !deployed.test(policy)
                ? known
                : byPolicy.computeIfAbsent(policy, none -> new MostRejected(nanos));
    }

    /** What a policy has rejected on this instance in the last ten minutes. */
    long inTenMinutes(String policy) {
        MostRejected most = byPolicy.get(policy);
        return most == null ? 0 : most.total(Span.TEN_MINUTES);
    }

    /**
     * A line for each of the most rejected partitions: span, policy, count, error, digest. No key
     * stands in the store. There is room for the policies that reject most.
     */
    String report(Function<PartitionKey, String> digest) {
        Map<String, Long> totals = new HashMap<>();
        byPolicy.forEach((policy, most) -> totals.put(policy, most.total(Span.HOUR)));
        StringBuilder report = new StringBuilder();
        totals.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(policy -> lines(policy.getKey(), digest))
                .takeWhile(lines -> report.length() + lines.length() <= MOST_CHARACTERS_OF_REPORT)
                .forEach(report::append);
        return report.toString();
    }

    private String lines(String policy, Function<PartitionKey, String> digest) {
        StringBuilder lines = new StringBuilder();
        for (Span span : Span.values()) {
            for (Entry<PartitionKey> entry : byPolicy.get(policy).top(MOST, span)) {
                lines.append(span + "\t" + policy + "\t" + entry.count() + "\t" + entry.error() + "\t"
                        + digest.apply(entry.key()) + "\n");
            }
        }
        return lines.toString();
    }

    /** The keys of this instance by their digest, so that it can name partitions of all reports. */
    Map<String, Map<String, String>> known(Function<PartitionKey, String> digest) {
        Map<String, Map<String, String>> known = new HashMap<>();
        byPolicy.values()
                .forEach(most -> most.top(MostRejected.COUNTERS, Span.HOUR)
                        .forEach(entry ->
                                known.put(digest.apply(entry.key()), entry.key().values())));
        return known;
    }

    /**
     * Adds reports up, as an operator reads them: by span and policy, the most rejected first.
     *
     * @param known callers by their digest; others are told by it
     */
    static Map<String, Map<String, List<Map<String, Object>>>> sum(
            Collection<String> reports, Map<String, Map<String, String>> known) {
        Map<String, Map<String, List<Entry<String>>>> lists = new TreeMap<>();
        reports.stream()
                .flatMap(String::lines)
                .map(line -> line.split("\t", -1))
                .forEach(line -> lists.computeIfAbsent(line[0], span -> new TreeMap<>())
                        .computeIfAbsent(line[1], policy -> new ArrayList<>())
                        .add(new Entry<>(line[4], Long.parseLong(line[2]), Long.parseLong(line[3]))));
        Map<String, Map<String, List<Map<String, Object>>>> sums = new LinkedHashMap<>();
        for (Span span : Span.values()) {
            Map<String, List<Map<String, Object>>> ofSpan = new LinkedHashMap<>();
            lists.getOrDefault(span.name(), Map.of()).forEach((policy, each) -> ofSpan.put(policy, most(each, known)));
            sums.put(span == Span.HOUR ? "lastHour" : "lastTenMinutes", ofSpan);
        }
        return sums;
    }

    private static List<Map<String, Object>> most(List<Entry<String>> entries, Map<String, Map<String, String>> known) {
        return MostRejected.merge(entries.stream())
                .limit(MOST)
                .map(entry -> {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("caller", known.getOrDefault(entry.key(), Map.of("partition", entry.key())));
                    row.put("rejected", entry.count());
                    row.put("atLeast", entry.count() - entry.error());
                    return row;
                })
                .toList();
    }
}
