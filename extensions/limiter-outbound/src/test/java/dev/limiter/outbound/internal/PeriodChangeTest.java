package dev.limiter.outbound.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimitExceededException;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.testkit.property.Dice;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Calls around the change of a partner's period, on a clock that the test moves. */
class PeriodChangeTest {
    private static final PartitionKey ALL = PartitionKey.of("literal", "all");
    private static final CalendarPeriod MONTH = CalendarPeriod.parse("1 month Europe/Paris");
    private static final Policy PLAN = Policy.of("plan", 10, MONTH);
    private static final Duration DELAY_VARIATION = Duration.ofMillis(50);
    private static final long APRIL = micros("2024-03-31T22:00:00Z");
    private static final long MILLI = 1_000;

    private long nowMicros;
    private final LocalRateLimiter limiter = new LocalRateLimiter(
            () -> Instant.ofEpochSecond(nowMicros / 1_000_000, nowMicros % 1_000_000 * 1_000),
            span -> nowMicros += span.toNanos() / 1_000);
    private final PendingClosings untold = new PendingClosings(System::nanoTime);

    private static long micros(String instant) {
        return Instant.parse(instant).getEpochSecond() * 1_000_000;
    }

    private void call(Duration atMost, Policy... policies) throws InterruptedIOException {
        CheckGroup group = new CheckGroup(
                Arrays.stream(policies).map(policy -> Check.of(policy, ALL)).toList());
        GatedAcquire.await(limiter, group, atMost, DELAY_VARIATION, untold);
    }

    @Test
    void callsStartUntilADelayVariationBeforeTheEndAndFromOneAfterIt() throws InterruptedIOException {
        for (long at : new long[] {APRIL - 50 * MILLI - 1, APRIL + 50 * MILLI}) {
            nowMicros = at;
            call(Duration.ZERO, PLAN);
            assertThat(nowMicros).as("without a wait").isEqualTo(at);
        }
    }

    @Test
    void aCallBetweenIsHeldAndCountsInTheNextPeriod() throws InterruptedIOException {
        for (long at : new long[] {APRIL - 50 * MILLI, APRIL - 1, APRIL, APRIL + 50 * MILLI - 1}) {
            limiter.reset(PLAN, ALL);
            limiter.reset(PLAN.gate(), ALL);
            nowMicros = at;
            call(Duration.ofSeconds(1), PLAN);
            assertThat(nowMicros).isBetween(APRIL + 50 * MILLI, APRIL + 51 * MILLI);
            assertThat(limiter.peek(PLAN, ALL).used()).isEqualTo(1);
        }
    }

    @Test
    void aCallThatCannotWaitIsRejectedAndTakesNothing() {
        nowMicros = APRIL - 20 * MILLI;
        assertThatExceptionOfType(RateLimitExceededException.class)
                .isThrownBy(() -> call(Duration.ZERO, PLAN))
                .satisfies(exceeded ->
                        assertThat(exceeded.rejection().retryAfter()).isEqualTo(Duration.ofMillis(70)));
        assertThat(limiter.peek(PLAN, ALL).used()).isZero();
    }

    /** The unit of March does not pay for a call that starts in April. */
    @Test
    void aCallThatWaitsForItsSlotBeyondTheEndIsCountedAnew() throws InterruptedIOException {
        Policy queue = Policy.leakyBucket("queue", 1, Duration.ofSeconds(10), Duration.ofMinutes(1));
        nowMicros = APRIL - 5_000 * MILLI;
        call(Duration.ZERO, queue, PLAN);
        call(Duration.ofMinutes(1), queue, PLAN);
        assertThat(nowMicros).isEqualTo(APRIL + 5_000 * MILLI);
        assertThat(limiter.peek(PLAN, ALL).used()).isEqualTo(1);
    }

    @Test
    void aShadowHoldsNoCall() throws InterruptedIOException {
        nowMicros = APRIL;
        call(Duration.ZERO, PLAN.asShadow());
        assertThat(nowMicros).isEqualTo(APRIL);
    }

    /**
     * The partner's clock and the network together shift each call by a delay variation at most,
     * in both directions. In no day of its own the partner sees more than the limit.
     */
    @Test
    void thePartnerSeesNoMoreThanTheLimitInAnyPeriod() throws InterruptedIOException {
        Policy daily = Policy.of("daily", 10, CalendarPeriod.parse("1 day Europe/Paris"));
        Dice dice = new Dice(31);
        Map<Long, Integer> seen = new TreeMap<>();
        nowMicros = APRIL - 100 * MILLI;
        for (int day = 0; day < 200; day++) {
            long end = daily.period().endMicros(nowMicros);
            nowMicros = end - dice.between(0, 200) * MILLI;
            while (nowMicros < end + 200 * MILLI) {
                try {
                    call(dice.oneOf(Duration.ZERO, Duration.ofSeconds(1)), daily);
                    long arrives = nowMicros + dice.between(-50 * MILLI, 50 * MILLI);
                    seen.merge(daily.period().startMicros(arrives), 1, Integer::sum);
                } catch (RateLimitExceededException rejected) {
                    nowMicros += dice.between(0, 30) * MILLI;
                }
                nowMicros += dice.between(0, 10) * MILLI;
            }
        }
        assertThat(seen.values()).allMatch(calls -> calls <= 10).contains(10);
    }
}
