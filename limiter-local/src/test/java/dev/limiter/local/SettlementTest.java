package dev.limiter.local;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.OnStoreFailure.CLOSED;
import static dev.limiter.OnStoreFailure.LOCAL;
import static dev.limiter.OnStoreFailure.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.Algorithm;
import dev.limiter.Algorithm.Member;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.Refill;
import dev.limiter.StoreUnavailableException;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.store.Settlement;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Discard;
import dev.limiter.testkit.property.Lines;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Admissions whose cost was an estimate, corrected to what was used. */
@Tag("proof")
class SettlementTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final PartitionKey BOB = PartitionKey.of("user", "bob");
    private static final Policy TOKENS = Policy.of("tokens", SLIDING_LOG, 10, Duration.ofMinutes(1));

    private final VirtualClock clock = new VirtualClock();
    private final FailingStore store = new FailingStore(new LocalRateLimiter(clock));

    private RateLimiter fallback(OnStoreFailure configured, int nodes) {
        return new FallbackRateLimiter(store, configured, nodes, Signals.NONE, new FollowingStore(clock));
    }

    /** A history, the estimate of the next request, and what it uses. */
    private record Estimated(History history, long estimate, long used) {
        static Property<Estimated> forAll() {
            return Property.<Estimated>forAll(dice -> {
                        Policy policy = History.policies()
                                .filter(each -> each.algorithm().accepts(Member.COUNT_ON))
                                .draw(dice);
                        return new Estimated(
                                new History(policy, dice.list(1, 20, History.steps(policy))),
                                dice.number(1, policy.maxCost()),
                                dice.number(0, policy.maxCost()));
                    })
                    .leavingOut(
                            each -> each.history.steps(),
                            (each, steps) ->
                                    new Estimated(new History(each.history.policy(), steps), each.estimate, each.used));
        }
    }

    /** The state is the same if every later result is: of the rest, and of when more is there. */
    @Test
    void settlingIsAskingForWhatWasUsed() {
        Estimated.forAll().tries(10_000).check(each -> {
            History.Lived settled = each.history.live();
            History.Lived asked = each.history.live();
            Decision decision = settled.ask(each.estimate);
            Discard.unless(decision.admitted());
            Discard.unless(each.used == 0 || asked.ask(each.used).admitted());
            Decision.Admitted admission = (Decision.Admitted) decision;
            ChargeResult result = settled.limiter().settle(admission, settled.policy(), each.used);
            Discard.unless(result.dropped() == 0);
            assertThat(result.charged()).isEqualTo(Math.max(0, each.used - each.estimate));
            assertThat(result.remaining()).isEqualTo(peek(asked).remaining());
            for (int tries = 0; tries < 6; tries++) {
                assertThat(peek(settled)).isEqualTo(peek(asked));
                long pause = Math.max(1, peek(asked).nextAfterMicros() - tries % 2);
                settled.after(pause);
                asked.after(pause);
            }
        });
    }

    private static CheckResult peek(History.Lived lived) {
        return lived.limiter().peek(lived.policy(), ALICE);
    }

    private enum Kind {
        ASK,
        ASK_BOTH,
        SETTLE,
        REFUND,
        REFUND_PART,
        CHARGE,
        RESET,
        FORGET
    }

    /**
     * What is done to a policy, in one of three versions, while the store is in some state. A
     * settlement or refund concerns some of the last admissions, by their bits.
     */
    private record Step(Kind kind, boolean images, int version, int some, long units, FailingStore.State state) {
        static Step drawn(Dice dice) {
            return new Step(
                    dice.oneOf(Kind.ASK, Kind.ASK_BOTH, Kind.SETTLE, dice.oneOf(Kind.values())),
                    dice.chance(30),
                    (int) dice.between(0, 2),
                    (int) dice.between(1, 15),
                    dice.number(0, 20),
                    dice.chance(60) ? FailingStore.State.UP : dice.oneOf(FailingStore.State.values()));
        }
    }

    private record Life(int nodes, List<Step> steps) {
        @Override
        public String toString() {
            return Lines.numbered("one of " + nodes, steps);
        }
    }

    /** Whatever is settled, given back and forgotten, each unit counts where it was charged. */
    @Test
    void storeAndMirrorCountWhatWasUsed() {
        Property.<Life>forAll(dice -> new Life((int) dice.between(1, 2), dice.list(1, 30, Step::drawn)))
                .tries(14_000)
                .leavingOut(Life::steps, (life, steps) -> new Life(life.nodes(), steps))
                .check(life -> life.steps().forEach(new Past(life.nodes())::live));
    }

    /** The units of an admission in one state, and whether they are given back or final. */
    private static final class Part {
        private final Policy policy;
        private final long units;
        private final boolean isInStore;
        private boolean isSpent;
        private boolean isSpentInMirror;
        private long left;
        private long leftInMirror;

        Part(Policy policy, long units, FailingStore.State state) {
            this.policy = policy;
            this.units = units;
            this.isInStore = state == FailingStore.State.UP;
            this.left = state == FailingStore.State.DOWN ? 0 : units;
            this.leftInMirror = units;
        }
    }

    private record Taken(Decision.Admitted admission, List<Part> parts) {}

    private static final class Past {
        private static final List<Policy> VERSIONS = List.of(
                Policy.of("tokens", SLIDING_LOG, 10_000, Duration.ofMinutes(1)),
                Policy.of("tokens", SLIDING_LOG, 20_000, Duration.ofMinutes(1)),
                Policy.of("tokens", SLIDING_LOG, 30_000, Duration.ofMinutes(2)));
        private static final Policy IMAGES = Policy.of("images", SLIDING_LOG, 10_000, Duration.ofMinutes(1));

        private final VirtualClock clock = new VirtualClock();
        private final FailingStore store = new FailingStore(new LocalRateLimiter(clock));
        private final FollowingStore mirror = new FollowingStore(clock);
        private final int nodes;
        private final FallbackRateLimiter limiter;
        private final List<Taken> taken = new ArrayList<>();
        private final List<Part> all = new ArrayList<>();
        private final List<Part> shown = new ArrayList<>();

        Past(int nodes) {
            this.nodes = nodes;
            this.limiter = new FallbackRateLimiter(store, LOCAL, nodes, Signals.NONE, mirror);
        }

        void live(Step step) {
            clock.advance(1);
            store.state = step.state();
            Policy policy = step.images() ? IMAGES : VERSIONS.get(step.version());
            List<Taken> some = taken.subList(Math.max(0, taken.size() - 4), taken.size());
            List<Taken> chosen = some.stream()
                    .filter(each -> (step.some() >> some.indexOf(each) & 1) == 1 && part(each, policy) != null)
                    .toList();
            switch (step.kind()) {
                case ASK -> ask(List.of(policy), step);
                case ASK_BOTH -> ask(List.of(VERSIONS.get(step.version()), IMAGES), step);
                case SETTLE -> {
                    if (!chosen.isEmpty()) {
                        settle(chosen, policy, step.units() * chosen.size());
                    }
                }
                case REFUND -> chosen.forEach(each -> refund(each.admission(), each.parts()));
                case REFUND_PART ->
                    chosen.forEach(each -> refund(
                            each.admission().only(only -> only.name().equals(policy.name())),
                            List.of(part(each, policy))));
                case CHARGE -> {
                    assertThat(limiter.charge(policy, ALICE, step.units()).charged())
                            .isEqualTo(step.units());
                    all.add(new Part(policy, step.units(), store.state)); // no later step gives them back
                }
                case RESET -> reset(policy);
                case FORGET -> {
                    limiter.forget(policy, ALICE);
                    forget(policy, false);
                }
            }
            store.state = FailingStore.State.UP;
            for (Policy each : List.of(VERSIONS.get(0), VERSIONS.get(2), IMAGES)) {
                if (step.state() == FailingStore.State.UP) {
                    follows(each, step.kind() == Kind.ASK || step.kind() == Kind.ASK_BOTH);
                }
                assertThat(store.inside.peek(each, ALICE).used())
                        .as("in the store of %s", each)
                        .isEqualTo(used(each, part -> part.left));
                assertThat(mirror.peek(each, ALICE).used())
                        .as("in the mirror of %s", each)
                        .isEqualTo(used(each, part -> part.leftInMirror));
            }
        }

        /** The mirror takes what an admission shows of other units, for later charges. */
        private void follows(Policy policy, boolean asked) {
            long recorded = used(policy, part -> part.leftInMirror);
            Part seen = new Part(policy, 0, FailingStore.State.DOWN);
            seen.leftInMirror = mirror.peek(policy, ALICE).used() - recorded;
            long before = shown.stream()
                    .filter(part -> isOneState(part.policy, policy))
                    .mapToLong(part -> part.leftInMirror)
                    .sum();
            assertThat(seen.leftInMirror)
                    .as("shown of %s", policy)
                    .isBetween(
                            asked ? 0 : -before, asked ? Math.max(0, used(policy, part -> part.left) - recorded) : 0);
            shown.add(seen);
            all.add(seen);
        }

        private static Part part(Taken of, Policy policy) {
            return of.parts().stream()
                    .filter(part -> part.policy.name().equals(policy.name()))
                    .findFirst()
                    .orElse(null);
        }

        private static boolean isOneState(Policy one, Policy other) {
            return one.name().equals(other.name()) && one.window().equals(other.window());
        }

        private long used(Policy policy, ToLongFunction<Part> left) {
            return all.stream()
                    .filter(part -> isOneState(part.policy, policy))
                    .mapToLong(left)
                    .sum();
        }

        private void ask(List<Policy> policies, Step step) {
            long units = Math.max(1, step.units());
            CheckGroup group = new CheckGroup(policies.stream()
                    .map(policy -> new Check(policy, ALICE, units))
                    .toList());
            Decision.Admitted admission = (Decision.Admitted) limiter.acquire(group);
            assertThat(admission.fallback()).isEqualTo(store.state != FailingStore.State.UP);
            List<Part> parts = policies.stream()
                    .map(policy -> new Part(policy, units, store.state))
                    .toList();
            taken.add(new Taken(admission, parts));
            all.addAll(parts);
        }

        private void settle(List<Taken> admissions, Policy policy, long used) {
            ChargeResult result = limiter.settle(
                    Settlement.of(admissions.stream().map(Taken::admission).toList(), policy, used));
            long estimated = 0;
            boolean isOpen = false;
            for (Taken each : admissions) {
                Part part = part(each, policy);
                if (!part.isSpent && (part.isInStore || !part.isSpentInMirror)) {
                    long unused = Math.max(0, part.units - Math.max(0, used - estimated));
                    part.left -=
                            part.isInStore && store.state != FailingStore.State.DOWN ? Math.min(part.left, unused) : 0;
                    part.leftInMirror -= part.isSpentInMirror ? 0 : Math.min(part.leftInMirror, unused);
                    estimated += part.units;
                    isOpen = true;
                }
                part.isSpentInMirror |= !part.isSpent;
                part.isSpent = true;
            }
            long beyond = isOpen ? Math.max(0, used - estimated) : 0;
            Policy last = part(admissions.get(admissions.size() - 1), policy).policy;
            Policy inForce = isOneState(policy, last) ? policy : last;
            all.add(new Part(inForce, beyond, store.state));
            boolean fallback = store.state != FailingStore.State.UP;
            assertThat(List.of(result.policy(), result.charged(), result.fallback()))
                    .containsExactly(inForce, beyond, fallback);
            assertThat(result.remaining())
                    .isEqualTo(
                            fallback
                                    ? inForce.limit() / nodes - used(inForce, part -> part.leftInMirror)
                                    : inForce.limit() - used(inForce, part -> part.left));
        }

        private void refund(Decision.Admitted admission, List<Part> parts) {
            limiter.refund(admission);
            for (Part part : parts) {
                if (part.isInStore && !part.isSpent && store.state != FailingStore.State.DOWN) {
                    part.isSpent = true;
                    part.left = 0;
                }
                part.leftInMirror = part.isSpentInMirror ? part.leftInMirror : 0;
                part.isSpentInMirror = true;
            }
        }

        private void reset(Policy policy) {
            try {
                limiter.reset(policy, ALICE);
                assertThat(store.state).isEqualTo(FailingStore.State.UP);
            } catch (StoreUnavailableException unheard) {
                assertThat(store.state).isNotEqualTo(FailingStore.State.UP);
            }
            forget(policy, store.state != FailingStore.State.DOWN);
        }

        private void forget(Policy policy, boolean inStore) {
            for (Part part : all) {
                if (isOneState(part.policy, policy)) {
                    part.left = inStore ? 0 : part.left;
                    part.leftInMirror = 0;
                }
            }
        }
    }

    @Test
    void unitsOfAnEarlierWindowDoNotComeBackIntoTheNext() {
        Policy policy = Policy.of("tokens", FIXED_WINDOW, 10, Duration.ofMinutes(1));
        Decision.Admitted admission = ask(store.inside, policy, 10);
        clock.advance(policy.windowMicros());
        ask(store.inside, policy, 4);
        assertThat(store.inside.settle(admission, policy, 3).remaining()).isEqualTo(6);
    }

    /** 5 units at 0 s, settled at 8 after half a window. */
    @Test
    void unitsBeyondTheEstimateCountFromTheSettlementOn() {
        Decision.Admitted admission = ask(store.inside, TOKENS, 5);
        clock.advance(30_000_000);
        store.inside.settle(admission, TOKENS, 8);
        clock.advance(30_000_000);
        assertThat(store.inside.peek(TOKENS, ALICE).used()).isEqualTo(3);
        clock.advance(30_000_000);
        assertThat(store.inside.peek(TOKENS, ALICE).used()).isZero();
    }

    /** Each of these keeps its units in a state of its own. */
    static List<Policy> ofOtherStates() {
        Policy bucket = Policy.of("tokens", TOKEN_BUCKET, 1_000, Duration.ofMinutes(1));
        return List.of(
                bucket.withRefill(Refill.INTERVAL),
                Policy.of("tokens", SLIDING_LOG, 1_000, Duration.ofMinutes(1)),
                Policy.of("tokens", TOKEN_BUCKET, 1_000, Duration.ofMinutes(2)));
    }

    @ParameterizedTest
    @MethodSource("ofOtherStates")
    void unitsBeyondTheEstimateAreChargedWhereTheEstimateIs(Policy other) {
        Policy bucket = Policy.of("tokens", TOKEN_BUCKET, 10, Duration.ofMinutes(1));
        store.inside.settle(
                Settlement.of(List.of(ask(store.inside, other, 1), ask(store.inside, bucket, 5)), other, 9));
        assertThat(store.inside.peek(bucket, ALICE).remaining()).isEqualTo(2);
    }

    /** Also where the period of the estimate is over: its own next one counts them. */
    @Test
    void unitsBeyondTheEstimateBeginNoPeriodOfAnotherAnchor() {
        CalendarPeriod month = CalendarPeriod.parse("1 month");
        Policy plan = Policy.of("tokens", 10, month);
        Decision.Admitted admission = ask(store.inside, plan, 5);
        clock.advance(month.endMicros(clock.micros()) - clock.micros());
        store.inside.settle(admission, plan.in(month.withAnchor("15")), 8);
        CheckResult result = store.inside.peek(plan, ALICE);
        assertThat(result.used()).isEqualTo(3);
        assertThat(result.resetAfterMicros()).isEqualTo(month.endMicros(clock.micros()) - clock.micros());
    }

    @Test
    void aBucketGivesBackWhatHasNotLeaked() {
        Policy policy = Policy.of("tokens", GCRA, 10, Duration.ofSeconds(10));
        Decision.Admitted admission = ask(store.inside, policy, 10);
        clock.advance(8_000_000);
        assertThat(store.inside.settle(admission, policy, 3).remaining()).isEqualTo(10);
        ask(store.inside, policy, 10);
        assertThat(store.inside.peek(policy, ALICE).admitted()).isFalse();
    }

    @Test
    void debtIsAtMostOneFurtherQuota() {
        Decision.Admitted admission = ask(store.inside, TOKENS, 5);
        ChargeResult result = store.inside.settle(admission, TOKENS, 26);
        assertThat(result.charged()).isEqualTo(15);
        assertThat(result.dropped()).isEqualTo(6);
    }

    @ParameterizedTest
    @EnumSource(names = {"LEAKY_BUCKET", "CONCURRENCY", "GATE"})
    void whatCannotBeGivenBackIsRefused(Algorithm algorithm) {
        Policy policy = algorithm == Algorithm.LEAKY_BUCKET
                ? Policy.leakyBucket("p", 5, Duration.ofSeconds(10), Duration.ofSeconds(10))
                : Policy.of("p", algorithm, algorithm == Algorithm.GATE ? 1 : 5, Duration.ofSeconds(10));
        Decision.Admitted admission = ask(store.inside, policy, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.inside.settle(admission, policy, 1))
                .withMessageContaining(algorithm.name())
                .withMessageContaining("\"p\"");
    }

    @Test
    void wrongUseIsRefused() {
        Decision.Admitted admission = ask(store.inside, TOKENS, 5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.inside.settle(admission, TOKENS, -1))
                .withMessageContaining("from 0 to 2^31 - 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        store.inside.settle(admission, Policy.of("other", SLIDING_LOG, 10, Duration.ofMinutes(1)), 1))
                .withMessageContaining("\"other\" is not part of this admission");
        Decision.Admitted both = (Decision.Admitted)
                store.inside.acquire(CheckGroup.of(new Check(TOKENS, ALICE, 2), new Check(TOKENS, BOB, 2)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.inside.settle(both, TOKENS, 1))
                .withMessageContaining("2 keys");
        assertThat(store.inside.settle(admission, TOKENS, 0).remaining()).isEqualTo(8);
    }

    /** Each of 2 processes keeps 5 units; the estimate of 8 is 5 in the mirror. */
    @Test
    void theMirrorOfOneOfTwoProcessesIsSettled() {
        RateLimiter limiter = fallback(LOCAL, 2);
        Decision.Admitted admission = ask(limiter, TOKENS, 8);
        limiter.settle(admission, TOKENS, 4);
        store.state = FailingStore.State.DOWN;
        assertThat(limiter.peek(TOKENS, ALICE).remaining()).isEqualTo(1);
    }

    @Test
    void openDropsAndClosedThrows() {
        store.state = FailingStore.State.DOWN;
        RateLimiter open = fallback(OPEN, 1);
        Decision.Admitted passed = ask(open, TOKENS, 5);
        assertThat(open.settle(passed, TOKENS, 8)).isEqualTo(ChargeResult.notCharged(TOKENS, 3));
        assertThat(open.settle(ask(open, TOKENS, 5), TOKENS, 3).remaining()).isEqualTo(10);
        store.state = FailingStore.State.UP;
        RateLimiter closed = fallback(CLOSED, 1);
        Decision.Admitted up = ask(closed, TOKENS, 5);
        Decision.Admitted down = ask(closed, TOKENS, 5);
        store.state = FailingStore.State.DOWN;
        for (Settled each : List.of(new Settled(up, 8), new Settled(down, 3))) {
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> closed.settle(each.admission, TOKENS, each.used));
        }
    }

    private record Settled(Decision.Admitted admission, long used) {}

    private static Decision.Admitted ask(RateLimiter limiter, Policy policy, long units) {
        return (Decision.Admitted)
                limiter.acquire(CheckGroup.of(new Check(policy, ALICE, units)).asRefundable());
    }
}
