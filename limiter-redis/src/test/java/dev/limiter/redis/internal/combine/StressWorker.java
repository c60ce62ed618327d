package dev.limiter.redis.internal.combine;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.limiter.Algorithm;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.redis.internal.limiter.RedisRateLimiterProvider;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import dev.limiter.testkit.ChildJvm;
import dev.limiter.testkit.Stall;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A process in which many threads share the combiner of one Redis, while the test kills their
 * connections, or stops the process. Each thread asks in turn for a partition of its own, with a
 * limit that differs from its neighbours', and for the common partition. The process writes its
 * results, and the counts of Redis.
 */
final class StressWorker {
    private static final Duration LONGEST_WINDOW = Duration.ofDays(366);
    private static final long ROOMY = 1_000_000_000;
    private static final Policy HOT = Policy.of("hot", Algorithm.FIXED_WINDOW, ROOMY, LONGEST_WINDOW);
    private static final PartitionKey ALL = PartitionKey.of("key", "all");
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    /**
     * A JVM that starts slowly asks for longer than it was told to, but for no longer than this.
     */
    private static final long FEWEST_ANSWERED = 1_000;

    private static final long LONGEST_NANOS = 20_000_000_000L;

    private final RateLimiter limiter;
    private final int threads;
    private final int leastLost;
    private final LongAdder asked = new LongAdder();
    private final LongAdder wrong = new LongAdder();
    private final LongAdder hotAdmitted = new LongAdder();
    private final LongAdder hotUnknown = new LongAdder();
    private final LongAdder unanswered = new LongAdder();
    private final AtomicLong longestNanos = new AtomicLong();

    private StressWorker(RateLimiter limiter, int threads, int leastLost) {
        this.limiter = limiter;
        this.threads = threads;
        this.leastLost = leastLost;
    }

    /**
     * Starts a process, which writes {@code asking} when it begins to ask, and in the end its
     * report. The test is skipped if this JDK has no virtual threads.
     *
     * @param kind {@code platform} or {@code virtual}
     * @param parallelism of virtual threads; 0 for as many as there are processors
     * @param leastLost how many calls are to get no answer before it ends
     */
    static Process start(
            String uri, String kind, int threads, int parallelism, String seconds, long deadlineMillis, int leastLost)
            throws IOException {
        assumeTrue(
                kind.equals("platform") || Runtime.version().feature() >= FIRST_WITH_VIRTUAL_THREADS,
                "this JDK has no virtual threads");
        List<String> command = ChildJvm.command();
        if (parallelism > 0) {
            command.add("-Djdk.virtualThreadScheduler.parallelism=" + parallelism);
            command.add("-Djdk.virtualThreadScheduler.maxPoolSize=" + parallelism);
        }
        command.addAll(List.of(StressWorker.class.getName(), uri, kind));
        command.addAll(List.of(
                Integer.toString(threads), seconds, Long.toString(deadlineMillis), Integer.toString(leastLost)));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /**
     * Arguments: Redis' address, {@code platform} or {@code virtual}, threads, seconds, the
     * deadline of a call in ms, and how many calls are to get no answer at least.
     */
    public static void main(String[] args) throws Exception {
        Map<String, String> settings = Map.of(
                "limiter.redis.uri",
                args[0],
                "limiter.redis.deadline",
                args[4] + "ms",
                "limiter.on-store-failure",
                "CLOSED");
        int threads = Integer.parseInt(args[2]);
        long nanos = (long) (Double.parseDouble(args[3]) * 1e9);
        LongAdder ambiguous = new LongAdder();
        List<Long> openings = new CopyOnWriteArrayList<>();
        Signals signals = new Signals() {
            @Override
            public void breaker(String node, boolean open, String reason) {
                if (open) {
                    openings.add(System.currentTimeMillis());
                }
            }

            @Override
            public void storeFailed(StoreError error, boolean mayHaveRun) {
                ambiguous.add(mayHaveRun ? 1 : 0);
            }
        };
        ExecutorService executor = args[1].equals("virtual")
                ? (ExecutorService) Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null)
                : Executors.newFixedThreadPool(threads);
        try (Stall machine = Stall.begin();
                RateLimiter limiter = new RedisRateLimiterProvider()
                        .create("stress", name -> Optional.ofNullable(settings.get(name)), signals)
                        .orElseThrow()) {
            StressWorker worker = new StressWorker(limiter, threads, Integer.parseInt(args[5]));
            long end = System.nanoTime() + nanos;
            List<Future<List<Long>>> asking = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int number = thread;
                asking.add(executor.submit(() -> worker.ask(number, end)));
            }
            System.out.println("asking");
            worker.report(asking, ambiguous, openings, end, machine);
        } finally {
            executor.shutdownNow();
        }
    }

    /** Asks, and returns the requests of which it is unknown whether they were counted. */
    private List<Long> ask(int thread, long end) {
        Policy own = Policy.of("own" + thread, Algorithm.FIXED_WINDOW, 1_000 + thread, LONGEST_WINDOW)
                .alignedToTheClock(); // else, of so many partitions, some window always ends
        List<Long> unknown = new ArrayList<>();
        for (long number = 0; isToGoOn(end); number++) {
            if (number % 2 == 0) {
                askForOwn(own, number, unknown);
            } else {
                askForAll();
            }
        }
        return unknown;
    }

    private boolean isToGoOn(long end) {
        long left = end - System.nanoTime();
        long lost = unanswered.sum();
        return left > 0 || left > -LONGEST_NANOS && (lost < leastLost || asked.sum() - lost < FEWEST_ANSWERED);
    }

    private void askForOwn(Policy own, long number, List<Long> unknown) {
        Decision decision = timed(own, PartitionKey.of("key", Long.toString(number)));
        if (decision == null) {
            unknown.add(number);
            return;
        }
        CheckResult result = decision.results().get(0);
        if (!result.policy().equals(own) || !result.admitted() || result.remaining() != own.limit() - 1) {
            wrong.increment(); // it was counted twice, or it is the answer of another caller
        }
    }

    private void askForAll() {
        Decision decision = timed(HOT, ALL);
        (decision == null ? hotUnknown : hotAdmitted).increment();
    }

    private Decision timed(Policy policy, PartitionKey key) {
        long began = System.nanoTime();
        asked.increment();
        try {
            return limiter.acquire(policy, key);
        } catch (StoreUnavailableException none) {
            unanswered.increment();
            return null;
        } finally {
            longestNanos.accumulateAndGet(System.nanoTime() - began, Math::max);
        }
    }

    /** A thread is stuck if it still asks 10 s after the end. */
    private void report(
            List<Future<List<Long>>> asking, LongAdder ambiguous, List<Long> openings, long end, Stall machine)
            throws Exception {
        int stuck = 0;
        long twice = 0;
        for (int thread = 0; thread < threads; thread++) {
            try {
                Policy own = Policy.of("own" + thread, Algorithm.FIXED_WINDOW, 1_000 + thread, LONGEST_WINDOW)
                        .alignedToTheClock(); // else, of so many partitions, some window always ends
                long patience = end - System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
                for (long number : asking.get(thread).get(patience, TimeUnit.NANOSECONDS)) {
                    twice += used(own, PartitionKey.of("key", Long.toString(number))) > 1 ? 1 : 0;
                }
            } catch (TimeoutException still) {
                stuck++;
            }
        }
        long hot = used(HOT, ALL);
        boolean hotIsCounted = hot >= hotAdmitted.sum() && hot <= hotAdmitted.sum() + hotUnknown.sum();
        System.out.printf(
                "asked=%d unanswered=%d ambiguous=%d wrong=%d twice=%d stuck=%d hot=%s openings=%d openedAt=%s"
                        + " longestMillis=%d machineMillis=%d%n",
                asked.sum(),
                unanswered.sum(),
                ambiguous.sum(),
                wrong.sum(),
                twice,
                stuck,
                hotIsCounted ? "counted" : hot + "-of-" + hotAdmitted.sum() + "+" + hotUnknown.sum(),
                openings.size(),
                openings.isEmpty() ? "never" : openings.get(0),
                TimeUnit.NANOSECONDS.toMillis(longestNanos.get()),
                TimeUnit.NANOSECONDS.toMillis(machine.longestNanos()));
    }

    /** Asked again until there is an answer: connections may still be killed. */
    private long used(Policy policy, PartitionKey key) {
        for (int tries = 0; ; tries++) {
            try {
                return policy.limit() - limiter.peek(policy, key).remaining();
            } catch (StoreUnavailableException none) {
                if (tries == 1_000) {
                    throw none;
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
    }
}
