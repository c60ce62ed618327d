package dev.limiter.redis.faults;

import static dev.limiter.redis.faults.Limiters.ROOMY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.testkit.RedisSentinels;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sentinels that promote a replica which has not received everything. */
@Tag("faults")
@Tag("store")
class PromotionTest {
    private static final Policy COUNTER = Limiters.counter("counter", ROOMY);
    private static final PartitionKey KEY = Limiters.key("all");
    private static final int THREADS = 8;
    private static final long CUT_MILLIS = 100;

    /** Admissions after the cut are lost and can be admitted again, and no others. */
    @Test
    void losesWhatWasNotReplicatedAndIsSoonBack() {
        LogAssertions told = new LogAssertions();
        Tally tally = new Tally();
        try (RedisSentinels redis = RedisSentinels.start(1);
                RateLimiter limiter = Limiters.closed(redis.uri(), told);
                Crowd crowd = Crowd.of(THREADS, (thread, number) -> tally.ask(() -> limiter.acquire(COUNTER, KEY)))) {
            Moments.until("everybody is admitted", () -> tally.admitted() > 100 * THREADS);
            redis.frontOfFirstMaster().blackHole("PSYNC");
            long replicated = tally.admitted();
            Moments.millis(CUT_MILLIS);
            redis.killMaster();
            long killed = System.nanoTime();
            tally.awaitStore();
            Moments.until("those have heard who were at it", () -> tally.failed() > 0);
            tally.awaitStore();
            long admitted = tally.admitted();
            Moments.until("somebody decides", () -> tally.storeDecidedNanos() != 0);
            double outage = Moments.seconds(tally.storeDecidedNanos() - killed);
            Moments.until("it goes on", () -> tally.admitted() > admitted + 100 * THREADS);
            crowd.stop();

            long lost = tally.admitted() - Limiters.used(limiter, COUNTER, KEY);
            Moments.say(
                    "promotion: outage %.1f s, %,d admitted and not replicated, %,d can be admitted again, %d in flight, %d ambiguous",
                    outage, admitted - replicated, lost, THREADS, told.ambiguous());
            assertThat(lost)
                    .isBetween(admitted - replicated - THREADS - told.ambiguous(), admitted - replicated + THREADS);
        }
    }
}
