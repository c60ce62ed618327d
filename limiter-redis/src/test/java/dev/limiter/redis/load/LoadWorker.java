package dev.limiter.redis.load;

import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.redis.internal.limiter.RedisRateLimiterProvider;
import dev.limiter.redis.load.Load.Attempt;
import dev.limiter.spi.Signals;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * One of the processes: 32 threads ask, with a pause after a rejection, and every answer is
 * logged with the server's time. It ends when its standard input does, at the latest.
 */
final class LoadWorker {
    private static final long LONGEST_NANOS = 20_000_000_000L;

    private LoadWorker() {}

    /** Arguments: Redis' address, seconds for each policy, the file to write. */
    public static void main(String[] args) throws Exception {
        long nanos = (long) (Double.parseDouble(args[1]) * 1e9);
        Map<String, String> settings = Map.of(
                "limiter.redis.uri",
                args[0],
                "limiter.redis.deadline",
                "1m",
                "limiter.on-store-failure",
                "CLOSED"); // every answer is the store's
        ExecutorService threads = Executors.newFixedThreadPool(Load.THREADS);
        try (RateLimiter limiter = new RedisRateLimiterProvider()
                        .create("load", name -> Optional.ofNullable(settings.get(name)), Signals.NONE)
                        .orElseThrow();
                DataOutputStream log =
                        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(Path.of(args[2]))))) {
            for (Policy policy : Load.POLICIES) {
                awaitGo();
                long end = System.nanoTime() + nanos;
                Set<Integer> rejected = ConcurrentHashMap.newKeySet();
                List<Future<List<Attempt>>> asking = new ArrayList<>();
                for (int thread = 0; thread < Load.THREADS; thread++) {
                    int seed = thread;
                    asking.add(threads.submit(() -> ask(limiter, policy, end, rejected, seed)));
                }
                write(asking, log);
                System.out.println("done " + policy.name());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** The processes begin each policy together: when a line comes in. */
    private static void awaitGo() throws IOException {
        int read;
        do {
            read = System.in.read();
            if (read < 0) {
                throw new IOException("whoever started this process has gone");
            }
        } while (read != '\n');
    }

    /**
     * Asks until the end, and on a machine that is busy with other things until each key has been
     * rejected once.
     */
    private static List<Attempt> ask(RateLimiter limiter, Policy policy, long end, Set<Integer> rejected, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Attempt> attempts = new ArrayList<>();
        while (isToGoOn(System.nanoTime() - end, rejected)) {
            int key = random.nextInt(Load.KEYS);
            Attempt attempt = Attempt.of(key, limiter.acquire(Load.group(policy, key)));
            attempts.add(attempt);
            if (!attempt.admitted()) {
                rejected.add(key);
                LockSupport.parkNanos(Load.PAUSE_NANOS);
            }
        }
        return attempts;
    }

    private static boolean isToGoOn(long late, Set<Integer> rejected) {
        return late < 0 || late < LONGEST_NANOS && rejected.size() < Load.KEYS;
    }

    private static void write(List<Future<List<Attempt>>> asking, DataOutputStream log) throws Exception {
        List<Attempt> all = new ArrayList<>();
        for (Future<List<Attempt>> attempts : asking) {
            all.addAll(attempts.get());
        }
        log.writeInt(all.size());
        for (Attempt attempt : all) {
            log.writeByte(attempt.key());
            log.writeLong(attempt.atMicros());
            log.writeBoolean(attempt.admitted());
            log.writeLong(attempt.runAfterMicros());
        }
        log.flush();
    }
}
