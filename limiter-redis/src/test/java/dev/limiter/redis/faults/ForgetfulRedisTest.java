package dev.limiter.redis.faults;

import static dev.limiter.redis.faults.Limiters.ROOMY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisServer;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A Redis that loses its scripts, or everything. */
class ForgetfulRedisTest {
    private static final int THREADS = 8;
    private static final int KEYS = 4;
    private static final long LIMIT = 2_000;
    private static final Policy COUNTER = Limiters.counter("counter", LIMIT);

    @Test
    void aFlushOfScriptsCausesNoError() {
        Policy roomy = Limiters.counter("roomy", ROOMY);
        LogAssertions told = new LogAssertions();
        Tally tally = new Tally();
        int flushes = 50;
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.closed(redis.uri(), told, Limiters.PATIENT);
                Crowd crowd = Crowd.of(
                        THREADS, (thread, number) -> tally.ask(() -> limiter.acquire(roomy, Limiters.key("all"))))) {
            for (int flush = 0; flush < flushes; flush++) {
                int before = told.scriptsMissing();
                // A caller that still brings the script because of the flush before may come
                // first. Then no caller notices this one.
                Moments.until("a flush was felt", () -> {
                    redis.command("SCRIPT", "FLUSH");
                    Moments.millis(5);
                    return told.scriptsMissing() > before;
                });
            }
            crowd.stop();
            Moments.say(
                    "SCRIPT FLUSH, %d times: %,d admitted, %,d scripts sent again, %d errors",
                    flushes, tally.admitted(), told.scriptsMissing(), tally.failed());
            assertThat(tally.failures()).isEmpty();
            assertThat(told.errors()).isEmpty();
            assertThat(Limiters.used(limiter, roomy, Limiters.key("all"))).isEqualTo(tally.admitted());
        }
    }

    /**
     * The counts are lost: no key is admitted more than twice the limit, and none without the
     * store.
     */
    @Test
    @Tag("faults")
    void oneThatBeginsAnewUnderClosedAdmitsAtMostOneBudgetMore() {
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.closed(redis.uri(), Signals.NONE)) {
            List<Tally> tallies = killAndRestart(redis, limiter, "CLOSED");
            assertThat(tallies).allSatisfy(tally -> assertThat(tally.admitted()).isLessThanOrEqualTo(2 * LIMIT));
        }
    }

    /**
     * The process has recorded what the store admitted. So a key gets as much as before, but for
     * the calls under way when the store failed: one that the store admitted unheard may be
     * admitted again, or counts twice if a later answer showed its unit.
     */
    @Test
    @Tag("faults")
    void oneThatBeginsAnewUnderLocalAdmitsNothingMore() {
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.local(redis.uri(), Signals.NONE)) {
            List<Tally> tallies = killAndRestart(redis, limiter, "LOCAL");
            assertThat(tallies)
                    .allSatisfy(tally -> assertThat(tally.admitted()).isBetween(LIMIT - THREADS, LIMIT + THREADS));
        }
    }

    private static List<Tally> killAndRestart(RedisServer redis, RateLimiter limiter, String onStoreFailure) {
        List<Tally> tallies = Stream.generate(Tally::new).limit(KEYS).toList();
        List<PartitionKey> keys =
                IntStream.range(0, KEYS).mapToObj(i -> Limiters.key("key " + i)).toList();
        Tally witness = new Tally();
        try (Crowd crowd = Crowd.of(THREADS, (thread, number) -> {
                    int key = (thread + number) % KEYS;
                    return tallies.get(key).ask(() -> limiter.acquire(COUNTER, keys.get(key)));
                });
                // A caller without a limit that asks the store again and again.
                Crowd other = Crowd.of(1, (thread, number) -> {
                    Moments.millis(1);
                    return witness.ask(() -> limiter.acquire(COUNTER, Limiters.key("witness " + number)));
                })) {
            Moments.until("half of it is spent", () -> admitted(tallies) > KEYS * LIMIT / 2);
            long before = admitted(tallies);
            redis.kill();
            redis.restart();
            long ready = System.nanoTime();
            witness.awaitStore();
            Moments.until("the store decides", () -> witness.storeDecidedNanos() != 0);
            double seconds = Moments.seconds(witness.storeDecidedNanos() - ready);
            Moments.until("everything is spent", () -> tallies.stream().allMatch(ForgetfulRedisTest::rejects));
            crowd.stop();
            other.stop();
            Moments.say(
                    "kill -9 and an empty restart, %s: %,d of %,d admitted before, %,d in all, decides %.2f s after it was ready",
                    onStoreFailure, before, KEYS * LIMIT, admitted(tallies), seconds);
        }
        return tallies;
    }

    private static boolean rejects(Tally tally) {
        long rejected = tally.rejected();
        Moments.millis(5);
        return tally.rejected() > rejected;
    }

    private static long admitted(List<Tally> tallies) {
        return tallies.stream().mapToLong(Tally::admitted).sum();
    }
}
