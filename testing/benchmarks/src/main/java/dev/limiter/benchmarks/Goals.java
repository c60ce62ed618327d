package dev.limiter.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Every goal beside its figure. A new goal is a line here. */
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
        goals.manyThreads(Crew.PLATFORM, 2.5, 2);
        goals.manyThreads(Crew.VIRTUAL, 3.5, 3.5);
        goals.tails();
        goals.againstThePool();
        goals.hotKey(Crew.PLATFORM, 3, 50);
        goals.hotKey(Crew.VIRTUAL, 10, 100);
        goals.rejections();
        goals.fivePolicies();
        goals.server();
        goals.memory();
        goals.http();
        return List.copyOf(goals.rows);
    }

    private void oneThread() {
        ofGet(Who.FIXED, 1.22);
        ofGet(Who.GCRA, 1.25);
        ofGet(Who.TOKENS, 1.25);
        ofGet(Who.log(10), 1.35);
        ofGet(Who.log(100_000), 1.35);
    }

    private void ofGet(String who, double target) {
        ratio(
                atMost(1, who + " against GET, one thread on one core", target, TIMES),
                samples.of(Series.ONE_CORE, who, Metric.NANOS),
                samples.of(Series.ONE_CORE, Who.GET_8, Metric.NANOS),
                "ns a check / ns a GET, means of the fastest 99 %");
    }

    private void manyThreads(Crew crew, double ofPeers, double logOfPeers) {
        String series = Series.manyKeys(crew);
        List<String> peers = Who.peers(samples, series);
        for (String who : List.of(Who.GCRA, Who.TOKENS, Who.FIXED, Who.LOG)) {
            double target = who.equals(Who.LOG) ? logOfPeers : ofPeers;
            ratio(
                    atLeast(2, who + " against the best peer, " + crew.text(), target, TIMES),
                    samples.of(series, who, Metric.CHECKS),
                    samples.most(series, peers, Metric.CHECKS),
                    "checks/s, the fastest peer of each round");
        }
        if (crew == Crew.PLATFORM) {
            for (String who : List.of(Who.GCRA, Who.TOKENS, Who.FIXED, Who.LOG)) {
                ratio(
                        atLeast(2, who + " against GET, " + crew.text(), 1.3, TIMES),
                        samples.of(series, who, Metric.CHECKS),
                        samples.most(series, Who.GETS, Metric.CHECKS),
                        "checks/s / GETs/s, the faster of a pool of 8 and of 64");
            }
        }
    }

    private void tails() {
        String series = Series.manyKeys(Crew.VIRTUAL);
        ratio(
                atMost(2, Who.GCRA + ", p99.9 against the pool's, " + Crew.VIRTUAL.text(), 0.1, TIMES),
                samples.of(series, Who.GCRA, Metric.P999),
                samples.least(series, Who.POOLS, Metric.P999),
                "the same script by EVALSHA; the better of a pool of 8 and of 64");
    }

    private void againstThePool() {
        ratio(
                atMost(2, Who.GCRA + " against the same script over a plain pool, one thread on one core", 1.02, TIMES),
                samples.of(Series.ONE_CORE, Who.GCRA, Metric.NANOS),
                samples.of(Series.ONE_CORE, Who.POOL_8, Metric.NANOS),
                "ns a check / ns an EVALSHA whose reply is thrown away, means of the fastest 99 %");
    }

    private void hotKey(Crew crew, double ofPeers, double ofBucket4j) {
        String series = Series.hotKey(crew);
        double[] ours = samples.of(series, Who.GCRA, Metric.CHECKS);
        ratio(
                atLeast(3, "one key, against the best peer, " + crew.text(), ofPeers, TIMES),
                ours,
                samples.most(series, Who.peers(samples, series), Metric.CHECKS),
                Who.GCRA + ", checks/s, the fastest peer of each round");
        ratio(
                atLeast(3, "one key, against bucket4j, " + crew.text(), ofBucket4j, TIMES),
                ours,
                samples.most(series, Who.bucket4j(samples, series), Metric.CHECKS),
                Who.GCRA + ", checks/s, the faster of Jedis and Lettuce");
    }

    private void rejections() {
        for (String who : List.of(JmhRun.REJECTED_BY_ONE, JmhRun.REJECTED_BY_TWO)) {
            figure(
                    atLeast(4, "a key that is rejected, answers a second, " + who, 20e6, ""),
                    samples.of(Series.JMH, who, Metric.CHECKS),
                    "JMH, `RateLimiter.acquire`, iterations");
        }
        figure(
                atMost(4, "a key that is rejected, Redis commands a check", 0, ""),
                samples.of(Series.ONE_CORE, Who.REMEMBERED, Metric.CALLS),
                "`INFO commandstats`; that nothing is rejected which Redis would admit is a matter of tests");
    }

    private void fivePolicies() {
        figure(
                atMost(5, "5 policies on 5 keys, round trips", 1, ""),
                Arrays.stream(samples.of(Series.ONE_CORE, Who.FIVE, Metric.CALLS))
                        .map(calls -> Math.round(calls * 1_000) / 1e3)
                        .toArray(),
                "script calls by `INFO commandstats`, to a thousandth");
        ratio(
                atMost(5, "5 policies on 5 keys against one, p50", 1.45, TIMES),
                samples.of(Series.ONE_CORE, Who.FIVE, Metric.P50),
                samples.of(Series.ONE_CORE, Who.GCRA, Metric.P50),
                "GCRA, one thread on one core");
        ratio(
                atMost(5, "5 policies on 5 keys against one, server time", 3.5, TIMES),
                samples.of(Series.ONE_CORE, Who.FIVE, Metric.SERVER_MICROS),
                samples.of(Series.ONE_CORE, Who.GCRA, Metric.SERVER_MICROS),
                "GCRA, `INFO commandstats`");
    }

    private void server() {
        ratio(
                atMost(6, "server time of GCRA against Spring Cloud Gateway's script", 0.65, TIMES),
                samples.of(Series.ONE_CORE, Who.GCRA, Metric.SERVER_MICROS),
                samples.of(Series.ONE_CORE, Who.GATEWAY_8, Metric.SERVER_MICROS),
                "`INFO commandstats`, one thread on one core");
        String series = Series.manyKeys(Crew.PLATFORM);
        ratio(
                atMost(6, "the same, batched", 0.45, TIMES),
                samples.of(series, Who.GCRA, Metric.SERVER_MICROS),
                samples.least(series, Who.GATEWAYS, Metric.SERVER_MICROS),
                "`INFO commandstats` / checks, " + Crew.PLATFORM.text() + ", 10,000 keys");
        for (long limit : LOG_LIMITS) {
            ratio(
                    atMost(6, "server time of " + Who.log(limit) + " against an exact sorted set", 0.85, TIMES),
                    samples.of(Series.ONE_CORE, Who.log(limit), Metric.SERVER_MICROS),
                    samples.of(Series.ONE_CORE, Who.exactSet(limit), Metric.SERVER_MICROS),
                    "`INFO commandstats`, steady traffic, both answer the same");
        }
        for (String who : List.of(Who.GCRA, Who.FIXED, Who.LOG)) {
            figure(
                    atMost(6, who + ", allocated a check", 512, " bytes"),
                    samples.of(Series.JMH, who, Metric.BYTES),
                    "JMH, `" + JmhRun.BYTES + "`, admitted");
        }
    }

    private void memory() {
        for (long limit : Memory.LOG_LIMITS) {
            figure(
                    atMost(7, Who.log(limit) + ", full, a unit", 11, " bytes"),
                    samples.of(Series.MEMORY, Who.log(limit), Metric.BYTES),
                    "`used_memory` over 100,000 units, keys and all");
        }
        for (String who : List.of(Who.FIXED, Who.GCRA)) {
            figure(
                    atMost(7, who + ", a key", 150, " bytes"),
                    samples.of(Series.MEMORY, who, Metric.BYTES),
                    "`used_memory` over 100,000 keys, all told");
        }
    }

    private void http() {
        ofRequests("a limited endpoint against one pooled GET", HttpLoad.LIMITED, HttpLoad.GET, 1.15);
        ofRequests("a 429 against the unprotected endpoint", HttpLoad.REJECTED, HttpLoad.UNPROTECTED, 0.95);
        ofRequests(
                "a 429 for few callers that go on asking, against the same",
                HttpLoad.REJECTED_AGAIN,
                HttpLoad.UNPROTECTED,
                0.95);
        ofRequests("an unannotated endpoint against none of the library", HttpLoad.UNPROTECTED, HttpLoad.WITHOUT, 0.99);
    }

    private void ofRequests(String subject, String who, String reference, double target) {
        ratio(
                atLeast(8, subject, target, TIMES),
                samples.of(Series.HTTP, who, Metric.REQUESTS),
                samples.of(Series.HTTP, reference, Metric.REQUESTS),
                "requests/s, Jersey on Jetty, wrk with 64 connections");
    }

    private void ratio(Goal goal, double[] numerators, double[] denominators, String how) {
        add(goal, Spread.ofRatios(numerators, denominators), how);
    }

    private void figure(Goal goal, double[] figures, String how) {
        add(goal, Spread.of(figures), how);
    }

    private void add(Goal goal, Optional<Spread> measured, String how) {
        rows.add(new Row(goal, measured, how));
    }

    private static Goal atMost(int row, String subject, double target, String unit) {
        return new Goal(row, subject, Goal.Bound.AT_MOST, target, unit);
    }

    private static Goal atLeast(int row, String subject, double target, String unit) {
        return new Goal(row, subject, Goal.Bound.AT_LEAST, target, unit);
    }
}
