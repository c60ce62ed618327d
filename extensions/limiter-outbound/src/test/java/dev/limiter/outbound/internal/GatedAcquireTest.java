package dev.limiter.outbound.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimitExceededException;
import dev.limiter.local.LocalRateLimiter;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Calls that wait, also in the second and third round, on a clock that the test moves. */
class GatedAcquireTest {
    private static final PartitionKey ALL = PartitionKey.of("literal", "all");
    private static final Policy CARRIER = Policy.of("carrier", Algorithm.SLIDING_LOG, 1, Duration.ofSeconds(10));
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration DELAY_VARIATION = Duration.ofMillis(50);

    private long nowMicros = 1_700_000_000_000_000L;
    private final Queue<Runnable> afterEachSleep = new ArrayDeque<>();
    private final LocalRateLimiter limiter = new LocalRateLimiter(
            () -> Instant.ofEpochSecond(nowMicros / 1_000_000, nowMicros % 1_000_000 * 1_000), span -> {
                nowMicros += span.toNanos() / 1_000;
                if (!afterEachSleep.isEmpty()) {
                    afterEachSleep.remove().run();
                }
            });
    private final PendingClosings untold = new PendingClosings(System::nanoTime);

    private static CheckGroup call() {
        return CheckGroup.of(Check.of(CARRIER, ALL));
    }

    private long waitedMillis() throws InterruptedIOException {
        long began = nowMicros;
        GatedAcquire.await(limiter, call(), LONG, DELAY_VARIATION, untold);
        return (nowMicros - began) / 1_000;
    }

    private void closeFor(long seconds) {
        limiter.closeGate(CARRIER, ALL, Duration.ofSeconds(seconds));
    }

    @Test
    void aCallThatFindsRoomStartsAtOnce() throws InterruptedIOException {
        assertThat(waitedMillis()).isZero();
    }

    /** A gate that is closed while the call sleeps, and once more while it sleeps again. */
    @Test
    void aCallWaitsAgainAsOftenAsAPartnerClosesMeanwhile() throws InterruptedIOException {
        Policy queue = Policy.leakyBucket("carrier", 1, Duration.ofSeconds(10), Duration.ofMinutes(1));
        CheckGroup call = CheckGroup.of(Check.of(queue, ALL));
        limiter.acquire(call);
        afterEachSleep.add(() -> limiter.closeGate(queue, ALL, Duration.ofSeconds(5)));
        afterEachSleep.add(() -> limiter.acquire(call)); // of another instance, which takes the next slot
        afterEachSleep.add(() -> limiter.closeGate(queue, ALL, Duration.ofSeconds(7)));
        long began = nowMicros;
        GatedAcquire.await(limiter, call, LONG, DELAY_VARIATION, untold);
        assertThat(nowMicros - began)
                .as("10 s to a slot, 5 s closed, 10 s to another slot, 7 s closed")
                .isEqualTo(32_000_000);
        assertThat(afterEachSleep).as("rounds").isEmpty();
        assertThat(limiter.peek(queue, ALL).runAfterMicros())
                .as("the slots of the rounds before are not spent")
                .isEqualTo(10_000_000);
    }

    @Test
    void aCallThatWouldWaitForLongerIsRejectedAndTakesNothing() {
        limiter.acquire(call());
        assertThatExceptionOfType(RateLimitExceededException.class)
                .isThrownBy(() -> GatedAcquire.await(limiter, call(), Duration.ofSeconds(9), DELAY_VARIATION, untold))
                .satisfies(exceeded ->
                        assertThat(exceeded.rejection().retryAfter()).isEqualTo(Duration.ofSeconds(10)));
    }

    @Test
    void aClosedGateHoldsACallThatHasRoom() throws InterruptedIOException {
        closeFor(30);
        assertThat(waitedMillis()).isEqualTo(30_000);
    }

    /** Servers interrupt threads when they stop, so callers further up have to see it. */
    @Test
    void anInterruptedThreadStaysInterrupted() {
        LocalRateLimiter real = new LocalRateLimiter();
        real.acquire(call());
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedIOException.class)
                .isThrownBy(() -> GatedAcquire.await(real, call(), LONG, DELAY_VARIATION, untold))
                .withCauseInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).as("marked as interrupted").isTrue();
        assertThat(real.peek(CARRIER, ALL).remaining()).isZero();
    }

    @Test
    void aShadowOfAPartnersLimitHoldsNoCall() throws InterruptedIOException {
        CheckGroup trial = CheckGroup.of(Check.of(CARRIER.asShadow(), ALL));
        long began = nowMicros;
        for (int i = 0; i < 3; i++) {
            GatedAcquire.await(limiter, trial, Duration.ZERO, DELAY_VARIATION, untold);
        }
        assertThat(nowMicros).isEqualTo(began);
    }
}
