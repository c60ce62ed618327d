package dev.limiter.benchmarks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Every goal beside its figure. A new goal is a line here. No goal is beyond what the script alone
 * reaches, called by hand.
 */
final class Goals {
    private static final String TIMES = " ×";
    private static final long[] LOG_LIMITS = {10, 1_000, 100_000};

    private final Samples samples;
    private final List<Row> rows = new ArrayList<>();

    private Goals(Samples samples) {
        this.samples = samples;
    }

    static List<Row> of(Samples samples) {
        Goals goals = new Goals(samples);
        goals.oneThread();
        goals.manyKeys(Crew.PLATFORM, 1.8);
        goals.manyKeys(Crew.VIRTUAL, 3);
        goals.hotKey(Crew.PLATFORM);
        goals.hotKey(Crew.VIRTUAL);
        goals.rejections();
        goals.operations();
        goals.fivePolicies();
        goals.server();
        goals.memory();
        goals.http();
        goals.counts();
        return List.copyOf(goals.rows);
    }

    private void oneThread() {
        for (String who : List.of(Who.GCRA, Who.FIXED, Who.TOKENS, Who.log(10), Who.log(100_000))) {
            String script = Who.byHand(who);
            ratio(
                    atMost(1, who + " against its script by hand, one thread", 1.1, TIMES),
                    Series.ONE_CORE,
                    who,
                    List.of(script),
                    Metric.NANOS,
                    String.format(
                            Locale.ROOT,
                            "ns a check, means of the fastest 99 %%; the script alone takes %.2f GETs",
                            1 / Quartiles.median(samples.ratios(Series.ONE_CORE, Who.GET, script, Metric.NANOS))));
        }
        ratio(
                atMost(1, Who.GCRA + " against the best peer, one thread", 1, TIMES),
                Series.ONE_CORE,
                Who.GCRA,
                Who.peers(samples, Series.ONE_CORE),
                Metric.NANOS,
                "ns a check");
        ratio(
                atMost(1, "the mirror of LOCAL, one thread", 1.033, TIMES),
                Series.ONE_CORE,
                Who.GCRA,
                List.of(Who.GCRA_OPEN),
                Metric.NANOS,
                "ns a check; 1 µs of 30");
        for (String who : List.of(Who.GCRA, Who.FIXED, Who.LOG)) {
            add(
                    atMost(1, who + ", allocated a check", 700, " bytes"),
                    samples.of(Series.ALONE, who, Metric.ALLOCATED),
                    "`ThreadMXBean`, admitted, one thread");
        }
    }

    private void manyKeys(Crew crew, double ofPeers) {
        String series = Series.manyKeys(crew);
        String of = ", " + crew.text();
        List<String> peers = Who.peers(samples, series);
        checks(2, Who.GCRA + " against the best peer" + of, ofPeers, series, peers);
        checks(2, Who.GCRA + " against its script by hand" + of, 1.5, series, List.of(Who.GCRA_BY_HAND));
        checks(2, Who.GCRA + " against GET" + of, 1.3, series, List.of(Who.GET));
        checks(2, "the mirror of LOCAL" + of, 0.955, series, List.of(Who.GCRA_OPEN));
        for (String who : crew == Crew.VIRTUAL ? List.<String>of() : List.of(Who.TOKENS, Who.FIXED, Who.LOG)) {
            ratio(
                    atLeast(2, who + " against " + Who.GCRA + of, who.equals(Who.LOG) ? 0.8 : 0.9, TIMES),
                    series,
                    who,
                    List.of(Who.GCRA),
                    Metric.CHECKS,
                    "checks/s");
        }
    }

    private void hotKey(Crew crew) {
        String series = Series.hotKey(crew);
        String of = ", " + crew.text();
        checks(3, "one key, against the best peer" + of, 1, series, Who.peers(samples, series));
        checks(3, "one key, against GET" + of, 1.3, series, List.of(Who.GET));
    }

    private void checks(int row, String subject, double target, String series, List<String> references) {
        ratio(atLeast(row, subject, target, TIMES), series, Who.GCRA, references, Metric.CHECKS, "checks/s");
    }

    private void rejections() {
        for (int threads : new int[] {1, 2}) {
            add(
                    atLeast(4, "a key that is rejected, answers a second, " + Who.rejectedBy(threads), 20e6, ""),
                    samples.of(Series.ALONE, Who.rejectedBy(threads), Metric.CHECKS),
                    "`RateLimiter.acquire`");
        }
    }

    private void operations() {
        ratio(
                atMost(4, "counting a rejection for operators, against a check", 0.01, TIMES),
                Series.ONE_CORE,
                Who.COUNTED,
                List.of(Who.GCRA),
                Metric.NANOS,
                "ns, one thread; a million keys by Zipf's law");
    }

    private void fivePolicies() {
        ratio(
                atMost(5, "5 policies on 5 keys against their script by hand", 1.1, TIMES),
                Series.ONE_CORE,
                Who.FIVE,
                List.of(Who.byHand(Who.FIVE)),
                Metric.NANOS,
                String.format(
                        Locale.ROOT,
                        "ns; they take %.2f times as long as one",
                        Quartiles.median(samples.ratios(Series.ONE_CORE, Who.FIVE, Who.GCRA, Metric.NANOS))));
        ratio(
                atMost(5, "5 policies on 5 keys against one, server time", 3.5, TIMES),
                Series.ONE_CORE,
                Who.FIVE,
                List.of(Who.GCRA),
                Metric.SERVER_MICROS,
                "GCRA, `INFO commandstats`");
    }

    private void server() {
        ratio(
                atMost(6, "server time of GCRA against Spring Cloud Gateway's script", 0.75, TIMES),
                Series.ONE_CORE,
                Who.GCRA,
                List.of(Who.GATEWAY),
                Metric.SERVER_MICROS,
                "`INFO commandstats`, one thread on one core");
        ratio(
                atMost(6, "the same, batched", 0.5, TIMES),
                Series.manyKeys(Crew.PLATFORM),
                Who.GCRA,
                List.of(Who.GATEWAY),
                Metric.SERVER_MICROS,
                "`INFO commandstats` / checks, " + Crew.PLATFORM.text() + ", 10,000 keys");
        for (long limit : LOG_LIMITS) {
            ratio(
                    atMost(6, "server time of " + Who.log(limit) + " against an exact sorted set", 0.85, TIMES),
                    Series.ONE_CORE,
                    Who.log(limit),
                    List.of(Who.exactSet(limit)),
                    Metric.SERVER_MICROS,
                    "`INFO commandstats`, steady traffic, both answer the same");
        }
    }

    private void memory() {
        for (long limit : Memory.LOG_LIMITS) {
            memory(Who.log(limit), ", full, a unit", 11);
        }
        memory(Who.FIXED, ", a key", 170);
        memory(Who.GCRA, ", a key", 170);
    }

    private void memory(String who, String what, double target) {
        add(
                atMost(7, who + what, target, " bytes"),
                samples.of(Series.MEMORY, who, Metric.BYTES),
                "`used_memory` over 100,000, keys and all");
    }

    private void http() {
        requests(
                "an endpoint without limits against none of the library", HttpLoad.UNPROTECTED, HttpLoad.WITHOUT, 0.98);
        ratio(
                atMost(8, "the same, CPU", 1.02, TIMES),
                Series.HTTP,
                HttpLoad.UNPROTECTED,
                List.of(HttpLoad.WITHOUT),
                Metric.CPU,
                "µs of the server's process a request");
        requests("a 429 to 10,000 callers that go on asking", HttpLoad.REJECTED, HttpLoad.UNPROTECTED, 0.9);
        requests("a 429 to few callers that go on asking", HttpLoad.REJECTED_AGAIN, HttpLoad.UNPROTECTED, 0.9);
        ratio(
                atLeast(8, "a limited endpoint against its script by hand, 64 connections", 1.2, TIMES),
                Series.HTTP,
                HttpLoad.LIMITED,
                List.of(HttpLoad.BY_HAND),
                Metric.REQUESTS,
                "requests/s");
        ratio(
                atLeast(8, "a limited endpoint against its script by hand, 1 connection", 1, TIMES),
                Series.HTTP_ALONE,
                HttpLoad.LIMITED,
                List.of(HttpLoad.BY_HAND),
                Metric.REQUESTS,
                "requests/s");
    }

    private void requests(String subject, String who, String reference, double target) {
        ratio(
                atLeast(8, subject, target, TIMES),
                Series.HTTP,
                who,
                List.of(reference),
                Metric.REQUESTS,
                "requests/s, Jersey on Jetty, wrk");
    }

    private void counts() {
        calls("a limited request, calls of Redis", 1, Series.HTTP_ALONE, HttpLoad.LIMITED, Metric.CALLS);
        calls("a limited request, reads by Redis", 1, Series.HTTP_ALONE, HttpLoad.LIMITED, Metric.TRIPS);
        calls("an endpoint without limits, calls of Redis", 0, Series.HTTP, HttpLoad.UNPROTECTED, Metric.CALLS);
        calls("a rejection that is cached, calls of Redis", 0, Series.ONE_CORE, Who.REMEMBERED, Metric.CALLS);
        calls("5 policies on 5 keys, calls of Redis", 1, Series.ONE_CORE, Who.FIVE, Metric.CALLS);
    }

    /** The upper quartile decides, to a hundredth: last calls of a slice may come after its end. */
    private void calls(String subject, double target, String series, String who, String metric) {
        add(
                new Goal(9, subject, Goal.Bound.AT_MOST, target, "", true),
                Quartiles.of(samples.of(series, who, metric)).stream()
                        .mapToDouble(calls -> Math.round(calls.upper() * 100) / 1e2)
                        .toArray(),
                "`INFO`, upper quartile of all slices");
    }

    /** Against the one of the references that is the best. */
    private void ratio(Goal goal, String series, String who, List<String> references, String metric, String how) {
        Comparator<String> byMedian = Comparator.comparingDouble(
                reference -> Quartiles.median(samples.ratios(series, who, reference, metric)));
        references.stream()
                .filter(reference -> samples.ratios(series, who, reference, metric).length > 0)
                .min(goal.bound() == Goal.Bound.AT_LEAST ? byMedian : byMedian.reversed())
                .ifPresentOrElse(
                        best -> add(
                                goal,
                                samples.ratios(series, who, best, metric),
                                references.size() == 1 ? how : how + "; the best: " + best),
                        () -> add(goal, new double[0], how));
    }

    private void add(Goal goal, double[] figures, String how) {
        rows.add(new Row(goal, Quartiles.of(figures), how));
    }

    private static Goal atMost(int row, String subject, double target, String unit) {
        return new Goal(row, subject, Goal.Bound.AT_MOST, target, unit);
    }

    private static Goal atLeast(int row, String subject, double target, String unit) {
        return new Goal(row, subject, Goal.Bound.AT_LEAST, target, unit);
    }
}
