package dev.limiter.benchmarks;

import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;

/** Many callers. Each asks for a random key again as soon as it has an answer. */
final class ManyThreads implements Meter<Competitor> {
    private final Crew crew;
    private final int keys;

    ManyThreads(Crew crew, int keys) {
        this.crew = crew;
        this.keys = keys;
    }

    @Override
    public Map<String, Double> measure(Competitor competitor, Duration slice) {
        List<Caller> callers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        CountDownLatch start = new CountDownLatch(1);
        ThreadFactory factory = crew.threads();
        for (int i = 0; i < crew.size(); i++) {
            Caller caller = new Caller(competitor, keys, i, start, slice.toNanos());
            callers.add(caller);
            Thread thread = factory.newThread(caller);
            threads.add(thread);
            thread.start();
        }
        long began = System.nanoTime();
        start.countDown();
        threads.forEach(ManyThreads::join);
        return figures(callers, System.nanoTime() - began);
    }

    private static Map<String, Double> figures(List<Caller> callers, long nanos) {
        Tally tally = new Tally();
        for (Caller caller : callers) {
            tally.add(caller.tally);
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(Metric.CHECKS, tally.checks() * 1e9 / nanos);
        tally.tell(figures);
        return figures;
    }

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("interrupted while measuring", interrupted);
        }
    }

    private static final class Caller implements Runnable {
        private final Competitor competitor;
        private final SplittableRandom keys;
        private final int bound;
        private final CountDownLatch start;
        private final long nanos;
        private final Tally tally = new Tally();

        Caller(Competitor competitor, int bound, long seed, CountDownLatch start, long nanos) {
            this.competitor = competitor;
            this.keys = new SplittableRandom(seed);
            this.bound = bound;
            this.start = start;
            this.nanos = nanos;
        }

        @Override
        public void run() {
            try {
                start.await();
            } catch (InterruptedException interrupted) {
                return;
            }
            long began = System.nanoTime();
            while (System.nanoTime() - began < nanos) {
                tally.count(ask(keys.nextInt(bound)));
            }
        }

        /** A peer that throws has not answered. */
        private Verdict ask(int key) {
            try {
                return competitor.ask(key);
            } catch (RuntimeException failed) {
                return Verdict.UNANSWERED;
            }
        }
    }
}
