package dev.limiter.local;

import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.local.FailingStore.State.DOWN;
import static dev.limiter.local.FailingStore.State.UP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.StoreUnavailableException;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.spi.Signals;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Closed gates when the store fails. */
class ClosedGatesTest {
    private static final Policy CARRIER = Policy.of("carrier", GCRA, 1_000, Duration.ofSeconds(1));
    private static final PartitionKey POST = PartitionKey.of("carrier", "post");

    private final VirtualClock clock = new VirtualClock();
    private final FailingStore store = new FailingStore(new LocalRateLimiter(clock));
    private final FallbackRateLimiter limiter =
            new FallbackRateLimiter(store, OnStoreFailure.LOCAL, 1, Signals.NONE, new FollowingStore(clock));

    private Decision call(Policy policy) {
        return limiter.acquire(CheckGroup.of(Check.of(policy, POST)).withGates());
    }

    private void seconds(long seconds) {
        clock.advance(seconds * 1_000_000);
    }

    @Test
    void whatTheStoreClosedStaysClosedWhenItFails() {
        limiter.closeGate(CARRIER, POST, Duration.ofSeconds(30));
        store.state = DOWN;
        seconds(29);
        Decision.Rejected rejected = (Decision.Rejected) call(CARRIER);
        assertThat(rejected.fallback()).isTrue();
        assertThat(rejected.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        seconds(1);
        assertThat(call(CARRIER).admitted()).isTrue();
    }

    /**
     * Another process closed the gate. This one learned of it by a rejection, and keeps the time
     * in milliseconds, rounded up.
     */
    @Test
    void whatTheStoreSaidIsClosedStaysClosedWhenItFails() {
        store.inside.closeGate(CARRIER, POST, Duration.ofSeconds(30));
        clock.advance(500);
        assertThat(call(CARRIER).admitted()).isFalse();
        assertThat(limiter.acquire(CARRIER, POST).admitted()).isTrue();
        seconds(1);
        store.state = DOWN;
        Decision.Rejected rejected = (Decision.Rejected) call(CARRIER);
        assertThat(rejected.fallback()).isTrue();
        assertThat(rejected.retryAfter()).isEqualTo(Duration.ofSeconds(29));
        seconds(29);
        assertThat(call(CARRIER).admitted()).isTrue();
    }

    /** Only this process knows of the closing. */
    @Test
    void whatWasClosedWithoutTheStoreStaysClosedWhenItIsBack() {
        store.state = DOWN;
        limiter.closeGate(CARRIER, POST, Duration.ofMinutes(30));
        assertThat(call(CARRIER).admitted()).isFalse();
        store.state = UP;
        assertThat(call(CARRIER).admitted()).isFalse();
        seconds(30 * 60 - 1);
        assertThat(call(CARRIER).admitted()).isFalse();
        seconds(1);
        assertThat(call(CARRIER).admitted()).isTrue();
    }

    @Test
    void aClosedPolicyIsNotToldThatItsGateIs() {
        Policy strict = CARRIER.whenStoreFails(OnStoreFailure.CLOSED);
        store.state = DOWN;
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.closeGate(strict, POST, Duration.ofSeconds(1)));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> call(strict));
        store.state = UP;
        assertThat(call(strict).admitted()).isTrue();
    }

    @Test
    void aProcessThatHasAPartOfTheNumbersHasAllOfTheGate() {
        FallbackRateLimiter one =
                new FallbackRateLimiter(store, OnStoreFailure.LOCAL, 10, Signals.NONE, new FollowingStore(clock));
        store.state = DOWN;
        one.closeGate(CARRIER, POST, Duration.ofMinutes(50));
        assertThat(one.peek(CARRIER.gate(), POST).retryAfterMicros()).isEqualTo(3_000_000_000L);
        assertThat(store.inside.peek(CARRIER.gate(), POST).admitted()).isTrue();
    }
}
