package dev.limiter.redis;

import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.settings.DurationNotation;
import dev.limiter.redis.Stores.Fresh;
import dev.limiter.redis.Stores.Store;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Timelines of a partner that rejects; each runs on Redis and in memory. */
class GatesTest {
    private static final Policy CARRIER = Policy.of("carrier", SLIDING_LOG, 50, Duration.ofSeconds(1));
    private static final PartitionKey POST = PartitionKey.of("carrier", "post");
    private static final PartitionKey OTHER = PartitionKey.of("carrier", "other");

    @AutoClose
    private static final Stores stores = new Stores();

    private static CheckGroup call(PartitionKey key) {
        return CheckGroup.of(Check.of(CARRIER, key)).withGates();
    }

    private static Duration span(String text) {
        return DurationNotation.parse(text);
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aClosedGateOpensToTheMicrosecondAndChargesNothing(Store store) {
        Fresh fresh = stores.fresh(store);
        RateLimiter limiter = fresh.limiter();
        assertThat(limiter.acquire(call(POST)).admitted()).isTrue();
        limiter.closeGate(CARRIER, POST, span("3s"));
        Decision.Rejected rejected = (Decision.Rejected) limiter.acquire(call(POST));
        assertThat(rejected.retryAfter()).isEqualTo(span("3s"));
        assertThat(rejected.failing().get(0).policy()).isEqualTo(CARRIER.gate());
        assertThat(rejected.failing()).hasSize(1);
        fresh.time().advance(2_999_999);
        assertThat(limiter.acquire(call(POST)).admitted()).isFalse();
        fresh.time().advance(1);
        assertThat(limiter.peek(CARRIER, POST).remaining()).isEqualTo(50);
        assertThat(limiter.acquire(call(POST)).admitted()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aLaterShorterClosingShortensNothingAndALongerOneLengthens(Store store) {
        Fresh fresh = stores.fresh(store);
        RateLimiter limiter = fresh.limiter();
        limiter.closeGate(CARRIER, POST, span("10s"));
        fresh.time().advance(4_000_000);
        limiter.closeGate(CARRIER, POST, span("1s"));
        limiter.closeGate(CARRIER, POST, Duration.ZERO);
        assertThat(limiter.peek(CARRIER.gate(), POST).retryAfterMicros()).isEqualTo(6_000_000);
        limiter.closeGate(CARRIER, POST, span("7s"));
        assertThat(limiter.peek(CARRIER.gate(), POST).retryAfterMicros()).isEqualTo(7_000_000);
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void noClosingLastsLongerThanAnHourAndNoneIsShorterThanAsked(Store store) {
        Fresh fresh = stores.fresh(store);
        RateLimiter limiter = fresh.limiter();
        limiter.closeGate(CARRIER, POST, span("366d"));
        assertThat(limiter.peek(CARRIER.gate(), POST).resetAfterMicros()).isEqualTo(3_600_000_000L);
        limiter.closeGate(CARRIER, OTHER, Duration.ofNanos(1));
        assertThat(limiter.peek(CARRIER.gate(), OTHER).nextAfterMicros()).isEqualTo(1_000);
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.closeGate(CARRIER, OTHER, Duration.ofNanos(-1)));
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aGateRejectsOnlyItsPartitionAndOnlyGroupsThatAskIt(Store store) {
        RateLimiter limiter = stores.fresh(store).limiter();
        limiter.closeGate(CARRIER, POST, span("1m"));
        assertThat(limiter.acquire(call(OTHER)).admitted()).isTrue();
        assertThat(limiter.acquire(CARRIER, POST).admitted())
                .as("the limit alone")
                .isTrue();
        Policy another = Policy.of("another", UNIFORM, 1, span("1s"));
        assertThat(limiter.acquire(CheckGroup.of(Check.of(another, POST)).withGates())
                        .admitted())
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void anOperatorOpensItByForgetting(Store store) {
        RateLimiter limiter = stores.fresh(store).limiter();
        limiter.closeGate(CARRIER, POST, span("1h"));
        limiter.reset(CARRIER, POST);
        assertThat(limiter.acquire(call(POST)).admitted()).isFalse();
        limiter.reset(CARRIER.gate(), POST);
        assertThat(limiter.acquire(call(POST)).admitted()).isTrue();
    }

    /** A call that waited for its slot and finds the gate closed gives the slot back. */
    @ParameterizedTest
    @EnumSource(Store.class)
    void aRefundGivesBackWhatWasTakenBesideTheGate(Store store) {
        RateLimiter limiter = stores.fresh(store).limiter();
        Decision.Admitted admission = (Decision.Admitted) limiter.acquire(call(POST));
        limiter.closeGate(CARRIER, POST, span("1s"));
        assertThat(limiter.refund(admission)).isTrue();
        assertThat(limiter.peek(CARRIER, POST).remaining()).isEqualTo(50);
        assertThat(limiter.peek(CARRIER.gate(), POST).admitted()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void manyCallsOfOneRoundTripMeetOneGate(Store store) {
        RateLimiter limiter = stores.fresh(store).limiter();
        List<CheckGroup> calls =
                List.of(call(POST), call(OTHER), call(POST), CheckGroup.of(Check.of(CARRIER.gate(), POST)));
        assertThat(limiter.acquireEach(calls)).allMatch(Decision::admitted);
        limiter.closeGate(CARRIER, POST, span("1s"));
        assertThat(limiter.acquireEach(calls).stream().map(Decision::admitted))
                .containsExactly(false, true, false, false);
    }

    /**
     * An open gate is no key, so that asking it leaves nothing behind; a closed one goes when it
     * opens.
     */
    @Test
    void inRedisThereIsNothingUnlessItIsClosed() {
        RateLimiter limiter = stores.fresh(Store.REDIS).limiter();
        CheckGroup alone = CheckGroup.of(Check.of(CARRIER.gate(), POST));
        assertThat(limiter.acquire(alone).admitted()).isTrue();
        assertThat(stores.jedis().keys("*")).isEmpty();
        limiter.closeGate(CARRIER, POST, span("5s"));
        String key = limiter.storeKey(CARRIER.gate(), POST);
        assertThat(stores.jedis().pttl(key)).isBetween(1_000L, 6_001L);
        assertThat(key.substring(key.indexOf('{')))
                .as("one slot of a cluster for both")
                .isEqualTo(limiter.storeKey(CARRIER, POST)
                        .substring(limiter.storeKey(CARRIER, POST).indexOf('{')));
    }
}
