package dev.limiter.local;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.OnStoreFailure.LOCAL;
import static dev.limiter.local.FailingStore.State.DOWN;
import static dev.limiter.local.FailingStore.State.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.local.internal.memory.PartitionTable;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.property.Lines;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A call that the store does not answer changes the limit of its own caller only. */
@Tag("proof")
class OneCallersFaultTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final PartitionKey BOB = PartitionKey.of("user", "bob");

    private final VirtualClock clock = new VirtualClock();
    private final FailingStore store = new FailingStore(new LocalRateLimiter(clock));
    private final FollowingStore memory = new FollowingStore(clock);
    private final LocalRateLimiter mirror = new LocalRateLimiter(memory, BlockingAcquire.Sleeper.OF_THREADS);

    private FallbackRateLimiter limiter(int nodes) {
        return new FallbackRateLimiter(store, LOCAL, nodes, Signals.NONE, memory);
    }

    @Test
    void threeHundredADayStayThreeHundredADayForOthers() {
        Policy daily = Policy.of("daily", FIXED_WINDOW, 300, Duration.ofDays(1));
        FallbackRateLimiter one = limiter(3);
        store.state = DOWN;
        assertThat(one.acquire(daily, BOB).admitted()).isTrue();
        store.state = UP;
        assertThat(drain(one, daily, ALICE)).isEqualTo(300);
        assertThat(one.acquire(daily, ALICE).fallback()).isFalse();
        assertThat(drain(one, daily, BOB)).as("the mirror knows of one more").isEqualTo(299);
    }

    /**
     * A partition that was admitted without the store is asked in both, with the whole limit.
     */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"GATE", "CONCURRENCY"})
    void aPartitionAdmittedWithoutTheStoreGetsItsWholeLimitBack(Algorithm algorithm) {
        Policy policy = algorithm == Algorithm.LEAKY_BUCKET
                ? Policy.leakyBucket("p", 30, Duration.ofMinutes(1), Duration.ofSeconds(20))
                : Policy.of("p", algorithm, 30, Duration.ofMinutes(1));
        FallbackRateLimiter one = limiter(3);
        store.state = DOWN;
        assertThat(one.acquire(policy, ALICE).admitted()).isTrue();
        store.state = UP;
        assertThat(drain(one, policy, ALICE)).isEqualTo(policy.capacity() - 1);
        assertThat(one.acquire(policy, ALICE).fallback()).isTrue();
    }

    /** In a second failure, units that the store has admitted since count in the part. */
    @Test
    void whatBothAdmitCountsInThePartAsWell() {
        Policy policy = Policy.of("p", GCRA, 30, Duration.ofMinutes(1));
        FallbackRateLimiter one = limiter(3);
        store.state = DOWN;
        one.acquire(policy, ALICE);
        store.state = UP;
        for (int i = 0; i < 4; i++) {
            assertThat(one.acquire(policy, ALICE).fallback()).isFalse();
        }
        store.state = DOWN;
        assertThat(drain(one, policy, ALICE)).isEqualTo(5);
    }

    /** The part decides if the mirror admitted and the store then gives no answer. */
    @Test
    void aFailureAfterTheMirrorAdmittedIsDecidedByThePart() {
        Policy policy = Policy.of("p", GCRA, 30, Duration.ofMinutes(1));
        FallbackRateLimiter one = limiter(3);
        store.state = DOWN;
        assertThat(drain(one, policy, ALICE)).isEqualTo(10);
        assertThat(mirror.peek(policy, ALICE).remaining()).isEqualTo(20);
        assertThat(one.acquire(policy, ALICE).admitted()).isFalse();
        assertThat(mirror.peek(policy, ALICE).remaining()).as("given back").isEqualTo(20);
    }

    @Test
    void whatWasAdmittedAloneIsGivenBackWhereverItStands() {
        Policy policy = Policy.of("p", GCRA, 30, Duration.ofMinutes(1));
        FallbackRateLimiter one = limiter(3);
        store.state = DOWN;
        Decision.Admitted admission = (Decision.Admitted) one.acquire(policy, ALICE);
        one.charge(policy, ALICE, 2);
        assertThat(mirror.peek(policy, ALICE).remaining()).isEqualTo(27);
        store.state = UP;
        one.refund(admission);
        assertThat(mirror.peek(policy, ALICE).remaining()).isEqualTo(28);
        one.reset(policy, ALICE);
        assertThat(mirror.peek(policy, ALICE).remaining()).isEqualTo(30);
        assertThat(drain(one, policy, ALICE)).isEqualTo(30);
    }

    @Test
    void thePartOfAProcessIsForgottenWithItsPartition() {
        Policy policy = Policy.of("p", GCRA, 30, Duration.ofMinutes(1));
        FallbackRateLimiter one = limiter(3);
        for (int times = 0; times < 2; times++) {
            store.state = DOWN;
            assertThat(drain(one, policy, ALICE)).isEqualTo(10);
            store.state = UP;
            one.reset(policy, ALICE);
        }
    }

    /**
     * It is remembered as long as both must admit, also when the quota is back and many others
     * come and go.
     */
    @Test
    void itIsRememberedAmongManyOthers() {
        Policy brief = Policy.of("brief", GCRA, 1_000, Duration.ofSeconds(10)).withBurst(1);
        FallbackRateLimiter one = limiter(1);
        store.state = DOWN;
        assertThat(one.acquire(brief, ALICE).admitted()).isTrue();
        store.state = UP;
        for (int i = 0; i < 3 * PartitionTable.SWEPT_ABOVE; i++) {
            clock.advance(3_000);
            one.acquire(brief, PartitionKey.of("user", "other" + i));
        }
        assertThat(mirror.acquire(brief, ALICE).admitted()).isTrue();
        assertThat(one.acquire(brief, ALICE).fallback()).as("9 s later").isTrue();
        clock.advance(1_000_000);
        assertThat(mirror.acquire(brief, ALICE).admitted()).isTrue();
        assertThat(one.acquire(brief, ALICE).fallback()).as("10 s later").isFalse();
    }

    /** 50 for all, of which one was admitted without the store; and the limit of a single user. */
    private static final Policy POOL = Policy.of("pool", FIXED_WINDOW, 50, Duration.ofHours(1));

    private static final Policy OWN = Policy.of("own", FIXED_WINDOW, 60, Duration.ofHours(1));
    private static final PartitionKey ALL = PartitionKey.of("all", "all");
    private static final CheckGroup GREEDY = CheckGroup.of(new Check(OWN, ALICE, 49), new Check(POOL, ALL, 49));

    private FallbackRateLimiter afterAnOutage() {
        FallbackRateLimiter one = limiter(1);
        store.state = DOWN;
        assertThat(one.acquire(POOL, ALL).admitted()).isTrue();
        store.state = UP;
        return one;
    }

    /** Another caller asks for the rest of the pool while a call of the greedy one is under way. */
    @Test
    void aCallerWhoseOwnLimitIsSpentKeepsNoOtherOutOfASharedOne() {
        FallbackRateLimiter one = afterAnOutage();
        store.inside.charge(OWN, ALICE, 60);
        assertThat(one.acquire(GREEDY).admitted()).isFalse();
        for (int i = 0; i < 10; i++) {
            store.beforeItsAnswer = () -> {
                Decision decision = one.acquire(CheckGroup.of(new Check(POOL, ALL, 49)));
                assertThat(decision.admitted()).isTrue();
                one.refund((Decision.Admitted) decision);
            };
            assertThat(one.acquire(GREEDY).admitted()).isFalse();
        }
    }

    /** The mirror has no record of such a limit, but has heard that the store rejects. */
    @ParameterizedTest
    @CsvSource({"CLOSED, 60", "OPEN, 60", "OPEN, 20"})
    void norIfItsOwnLimitIsNotLocal(OnStoreFailure own, long used) {
        FallbackRateLimiter one = afterAnOutage();
        Policy other = OWN.whenStoreFails(own);
        CheckGroup greedy = CheckGroup.of(new Check(other, ALICE, 49), new Check(POOL, ALL, 49));
        store.inside.charge(other, ALICE, used);
        assertThat(one.acquire(greedy).admitted()).isFalse();
        for (int i = 0; i < 10; i++) {
            store.beforeItsAnswer = () -> {
                Decision decision = one.acquire(CheckGroup.of(new Check(POOL, ALL, 49)));
                assertThat(decision.admitted()).isTrue();
                one.refund((Decision.Admitted) decision);
            };
            assertThat(one.acquire(greedy).admitted()).isFalse();
        }
    }

    /** The caller's own units have come back in the store by another process. */
    @Test
    void whatTheStoreAdmitsAgainstExpectationsTheMirrorMustAdmitAsWell() {
        FallbackRateLimiter one = afterAnOutage();
        one.charge(OWN, ALICE, 60);
        store.inside.reset(OWN, ALICE);
        assertThat(one.acquire(GREEDY).admitted()).isTrue();
        assertThat(mirror.peek(POOL, ALL).remaining()).isZero();
        store.inside.reset(OWN, ALICE);
        store.inside.reset(POOL, ALL);
        assertThat(one.acquire(GREEDY).fallback()).isTrue();
        assertThat(store.inside.peek(POOL, ALL).used()).as("given back").isZero();
    }

    /** A process asks for one of three callers, while the store fails or not. */
    record Step(long waitMicros, long cost, int caller, FailingStore.State state) {}

    record Life(Policy policy, int nodes, List<Step> steps) {
        @Override
        public String toString() {
            return Lines.numbered(nodes + " processes, " + policy, steps);
        }
    }

    /**
     * While the store answers, it alone decides for a caller that was never admitted without it.
     * For all others the undivided mirror must have room, too.
     */
    @Test
    void noCallerIsRejectedThatStoreAndUndividedMirrorWouldAdmit() {
        Property.<Life>forAll(dice -> {
                    Policy policy = History.policies().draw(dice);
                    return new Life(policy, (int) dice.between(1, 4), dice.list(3, 40, drawn -> {
                        History.Step step = History.steps(policy).draw(drawn);
                        return new Step(
                                step.waitMicros(),
                                step.cost(),
                                (int) drawn.between(0, 2),
                                drawn.oneOf(FailingStore.State.values()));
                    }));
                })
                .leavingOut(Life::steps, (life, steps) -> new Life(life.policy(), life.nodes(), steps))
                .tries(4_000)
                .check(OneCallersFaultTest::hasWhatItShould);
    }

    private static void hasWhatItShould(Life life) {
        VirtualClock clock = new VirtualClock();
        FailingStore store = new FailingStore(new LocalRateLimiter(clock));
        FollowingStore memory = new FollowingStore(clock);
        LocalRateLimiter mirror = new LocalRateLimiter(memory, BlockingAcquire.Sleeper.OF_THREADS);
        FallbackRateLimiter one = new FallbackRateLimiter(store, LOCAL, life.nodes(), Signals.NONE, memory);
        Set<Integer> alone = new HashSet<>();
        for (Step step : life.steps()) {
            clock.advance(step.waitMicros());
            store.state = step.state();
            CheckGroup group = CheckGroup.of(
                    new Check(life.policy(), PartitionKey.of("user", "user" + step.caller()), step.cost()));
            boolean inStore = store.inside.peek(group).get(0).admitted();
            boolean inBooks = mirror.peek(group).get(0).admitted();
            Decision decision = one.acquire(group);
            if (step.state() != UP) {
                alone.add(step.caller());
            } else if (alone.contains(step.caller())) {
                assertThat(decision.admitted() || !inStore || !inBooks).isTrue();
                assertThat(decision.admitted() && !inStore).isFalse();
            } else {
                assertThat(decision.admitted()).isEqualTo(inStore);
                assertThat(decision.fallback()).isFalse();
            }
        }
    }

    private static long drain(FallbackRateLimiter limiter, Policy policy, PartitionKey key) {
        long admitted = 0;
        while (limiter.acquire(policy, key).admitted()) {
            admitted++;
        }
        return admitted;
    }
}
