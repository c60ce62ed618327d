package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.limiter.OnStoreFailure;
import dev.limiter.Policy;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Three instances on one Redis call a partner over HTTP as fast as they may. It counts by itself,
 * in a sliding window, what it accepts.
 *
 * <p>The policy assumes that the delays of calls differ by at most 50 ms. All of this runs on
 * one machine, which may pause for longer. The test measures the pauses, and repeats a missed
 * round if there were any.
 */
@Tag("faults") // It measures real seconds, so nothing may run beside it.
class PartnerLimitTest {
    private static final Policy CARRIER = Policy.leakyBucket(
                    "carrier", 50, Duration.ofSeconds(1), Duration.ofSeconds(5))
            .whenStoreFails(OnStoreFailure.CLOSED);
    private static final int NODES = 3;
    private static final int ROUNDS = 8;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long WITHIN = TimeUnit.MILLISECONDS.toNanos(50);

    /** Where one step took this long, steps that are not measured may have taken longer. */
    private static final long AWAY = TimeUnit.MILLISECONDS.toNanos(20);

    private final RedisServer redis = RedisServer.start();
    private final List<CallingInstance> instances = new ArrayList<>();
    private LimitedPartner partner;

    @BeforeEach
    void call() throws Exception {
        partner = new LimitedPartner(50, 2);
        for (int i = 0; i < NODES; i++) {
            instances.add(new CallingInstance(redis.uri(), CARRIER, partner.uri()));
        }
        Stall.over(3 * SECOND); // until everything has been compiled, and the first second is over
    }

    @AfterEach
    void stop() throws Exception {
        for (CallingInstance instance : instances) {
            instance.close();
        }
        partner.close();
        redis.close();
    }

    /**
     * Lets the instances call for some seconds. The longest, in ns, that a thread was away, a call
     * was on its way, or a 429 was not known.
     */
    private long away(long seconds) {
        partner.longestDelay();
        instances.forEach(CallingInstance::longestNews);
        long away = Math.max(Stall.over(seconds * SECOND), partner.longestDelay());
        return Math.max(
                away,
                instances.stream().mapToLong(CallingInstance::longestNews).max().orElseThrow());
    }

    @Test
    void nearlyAllOfThePartnersLimitIsUsedAndNearlyNothingRefused() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            long from = System.nanoTime();
            long away = away(6);
            double seconds = (System.nanoTime() - from) / (double) SECOND;
            long accepted = partner.acceptedSince(from);
            long refused = partner.refusedSince(from).size();
            double used = accepted / (50 * seconds);
            double refusedShare = refused / (double) Math.max(1, accepted + refused);
            System.out.printf(
                    "%n%d instances, our policy 50 per 1s as the partner's: %.1f %% of it used, %.2f %% of %d calls answered"
                            + " 429; the machine was away for %d ms%n",
                    NODES, 100 * used, 100 * refusedShare, accepted + refused, away / 1_000_000);
            if (used >= 0.9 && refusedShare <= 0.01) {
                return;
            }
            assertThat(away).as("missed, and the machine was never away").isGreaterThan(AWAY);
        }
        assumeThat(ROUNDS).as("rounds in which the machine was there").isZero();
    }

    @Test
    void noCallStartsWhileThePartnerHasHadEnough() throws Exception {
        partner.accepts(20);
        for (int round = 0; round < ROUNDS; round++) {
            long from = System.nanoTime();
            long away = away(8);
            List<Long> refusals = partner.refusedSince(from);
            long tooLate = instances.stream()
                    .flatMap(instance -> instance.startsSince(from).stream())
                    .filter(start -> refusals.stream()
                            .anyMatch(at -> start - at > WITHIN && start - at < partner.retryAfterSeconds() * SECOND))
                    .count();
            System.out.printf(
                    "%nThe partner takes 20 per 1s: %d of %d calls answered 429, %d started between 50 ms after one and the"
                            + " end of its Retry-After; the machine was away for %d ms%n",
                    refusals.size(), refusals.size() + partner.acceptedSince(from), tooLate, away / 1_000_000);
            assertThat(refusals).isNotEmpty();
            assertThat(partner.acceptedSince(from)).as("it opens again").isGreaterThan(40);
            if (tooLate == 0) {
                return;
            }
            assertThat(away)
                    .as("%d too late, and the machine was never away", tooLate)
                    .isGreaterThan(AWAY);
        }
        assumeThat(ROUNDS).as("rounds in which the machine was there").isZero();
    }
}
