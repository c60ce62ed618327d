package dev.limiter.local;

import static dev.limiter.OnStoreFailure.LOCAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.internal.store.Receipt;
import dev.limiter.local.internal.fallback.InstanceQuotas;
import dev.limiter.local.internal.fallback.LocalMirror;
import dev.limiter.local.internal.fallback.Reservation;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Discard;
import dev.limiter.testkit.property.Lines;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The store answers calls of one process in one order, and the process records the results in
 * another. The mirror counts each unit once in every order.
 */
@Tag("proof")
class OvertakingAnswersTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");

    /** Events at the store. */
    enum Act {
        ASK,
        CHARGE,
        /** Another process asks. */
        ASK_ELSEWHERE,
        /** The store loses its state. */
        FORGET,
        /** The process admits without the store. */
        ALONE
    }

    /**
     * @param waitMicros before the step
     * @param place the results arrive in the order of their places
     * @param refund whether the admission is given back after all results have arrived
     */
    record Step(long waitMicros, Act act, long cost, int place, boolean refund) {}

    record Life(Policy policy, List<Step> steps) {

        @Override
        public String toString() {
            return Lines.numbered(policy, steps);
        }
    }

    /** An answer under way. */
    private record Arrival(Step step, CheckGroup group, Decision decision, ChargeResult charge, long began) {}

    /** A store, and the mirror of one of its processes. */
    private static final class Process {
        final VirtualClock clock = new VirtualClock();
        final LocalRateLimiter store = new LocalRateLimiter(clock);
        final VirtualClock ownClock = new VirtualClock();
        final FollowingStore memory = new FollowingStore(ownClock);
        final LocalRateLimiter kept = new LocalRateLimiter(memory, BlockingAcquire.Sleeper.OF_THREADS);
        final LocalMirror mirror = new LocalMirror(memory, new InstanceQuotas(LOCAL, 1));
        final Policy policy;

        Process(Policy policy) {
            this.policy = policy;
        }

        /** The clock of the store may step back; that of the process does not. */
        void advance(long micros) {
            clock.advance(micros);
            ownClock.advance(Math.max(0, micros));
        }

        /** The result, if this process gets one. */
        Arrival ask(Step step) {
            advance(step.waitMicros());
            CheckGroup group = CheckGroup.of(new Check(policy, ALICE, Math.min(step.cost(), policy.maxCost())));
            switch (step.act()) {
                case ASK:
                    return new Arrival(step, group, store.acquire(group), null, ownClock.micros());
                case CHARGE:
                    return new Arrival(step, group, null, store.charge(policy, ALICE, step.cost()), ownClock.micros());
                case ASK_ELSEWHERE:
                    store.acquire(group);
                    return null;
                case FORGET:
                    store.reset(policy, ALICE);
                    return null;
                case ALONE:
                    return new Arrival(step, group, null, null, ownClock.micros());
            }
            throw new IllegalStateException();
        }

        Decision.Admitted write(Arrival arrival) {
            if (arrival.charge() != null) {
                mirror.record(policy, ALICE, arrival.charge());
                return null;
            }
            Decision decision = arrival.decision();
            if (decision != null) {
                new Reservation(mirror, arrival.group()).reserve().recorded(decision, arrival.began());
            }
            return decision instanceof Decision.Admitted admission ? admission : null;
        }

        void refund(Decision.Admitted admission) {
            store.refund(admission);
            mirror.refund(admission.receipt());
        }

        long left() {
            return kept.peek(policy, ALICE).remaining();
        }

        long leftInStore() {
            return store.peek(policy, ALICE).remaining();
        }

        /** Runs the steps. The results arrive at the end, at one instant. */
        Process live(List<Step> steps, Comparator<Step> order) {
            List<Arrival> arrivals = new ArrayList<>();
            for (Step step : steps) {
                Arrival arrival = ask(step);
                if (arrival != null) {
                    arrivals.add(arrival);
                }
            }
            arrivals.sort(Comparator.comparing(Arrival::step, order));
            List<Decision.Admitted> refunded = new ArrayList<>();
            for (Arrival arrival : arrivals) {
                Decision.Admitted written = write(arrival);
                if (written != null && arrival.step().refund()) {
                    refunded.add(written);
                }
            }
            refunded.forEach(this::refund);
            return this;
        }
    }

    private static final Comparator<Step> IN_ORDER = (one, other) -> 0;
    private static final Comparator<Step> OVERTAKING = Comparator.comparingInt(Step::place);

    private static final Policy DAILY = Policy.of("daily", Algorithm.FIXED_WINDOW, 100, Duration.ofDays(1));

    private static Step step(Act act, long cost) {
        return new Step(0, act, cost, 0, false);
    }

    /** Asks this many times, a millisecond apart. */
    private static List<Arrival> asked(Process process, int times) {
        List<Arrival> arrivals = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            arrivals.add(process.ask(new Step(1_000, Act.ASK, 1, 0, false)));
        }
        return arrivals;
    }

    @Test
    void thirtyTwoAnswersInReverseLeaveWhatTheStoreHasLeft() {
        Process process = new Process(DAILY);
        List<Arrival> arrivals = asked(process, 32);
        Collections.reverse(arrivals);
        arrivals.forEach(process::write);
        assertThat(process.left()).isEqualTo(68);
    }

    /** A charge has no instant: it leaves more than the mirror has. */
    @Test
    void aChargeThatWasOvertakenCountsOnce() {
        Process process = new Process(DAILY);
        Arrival charge = process.ask(step(Act.CHARGE, 30));
        Arrival ask = process.ask(step(Act.ASK, 1));
        process.write(ask);
        assertThat(process.left()).isEqualTo(69);
        process.write(charge);
        assertThat(process.left()).as("of the charge").isEqualTo(69);
        process.write(process.ask(step(Act.CHARGE, 30)));
        assertThat(process.left()).as("of one in order").isEqualTo(39);
    }

    /** Units that others took are not counted as the charge of this process. */
    @Test
    void aChargeAfterWhatOthersTookCounts() {
        Process process = new Process(DAILY);
        process.ask(step(Act.ASK_ELSEWHERE, 50));
        process.write(process.ask(step(Act.ASK, 1)));
        process.write(process.ask(step(Act.CHARGE, 30)));
        assertThat(process.left()).isEqualTo(19);
    }

    /**
     * If nothing is left, the result does not show whether it contains the charge, so the charge
     * is counted.
     */
    @Test
    void aChargeBeyondTheLimitCounts() {
        Policy policy = Policy.of("p", Algorithm.GCRA, 100, Duration.ofDays(1));
        Process process = new Process(policy);
        process.ask(step(Act.ASK_ELSEWHERE, 99));
        process.write(process.ask(step(Act.ASK, 1)));
        process.write(process.ask(step(Act.CHARGE, 30)));
        assertThat(process.kept.peek(policy, ALICE).resetAfterMicros())
                .isEqualTo(process.store.peek(policy, ALICE).resetAfterMicros());
    }

    /**
     * Units that have leaked from a bucket are not given back, though a later result has filled
     * it more.
     */
    @Test
    void whatHasLeakedSinceItsOwnAnswerIsNotGivenBack() {
        Policy policy = Policy.of("p", Algorithm.GCRA, 10, Duration.ofSeconds(10));
        Process process = new Process(policy);
        Arrival first = process.ask(step(Act.ASK, 1));
        Arrival second = process.ask(step(Act.ASK, 5));
        process.write(second);
        Decision.Admitted written = process.write(first);
        process.advance(500_000);
        process.refund(written);
        assertThat(process.kept.peek(policy, ALICE).resetAfterMicros())
                .isEqualTo(process.store.peek(policy, ALICE).resetAfterMicros())
                .isEqualTo(5_000_000);
    }

    /** The rejection has shown all units, also those admitted before it. */
    @Test
    void anAdmissionThatARejectionOvertookCountsOnce() {
        Process process = new Process(DAILY);
        Arrival admission = process.ask(step(Act.ASK, 100));
        Arrival rejection = process.ask(step(Act.ASK, 1));
        process.write(rejection);
        Decision.Admitted written = process.write(admission);
        assertThat(process.left()).isZero();
        process.refund(written);
        assertThat(process.left()).isEqualTo(100);
    }

    /** Another server whose clock is behind decides: its answers are followed all the same. */
    @Test
    void answersOfAClockThatHasSteppedBackAreFollowed() {
        Process process = new Process(DAILY);
        process.ask(step(Act.ASK_ELSEWHERE, 10));
        process.write(process.ask(step(Act.ASK, 1)));
        assertThat(process.left()).isEqualTo(89);
        process.advance(-1_000_000);
        process.ownClock.advance(1); // the next call begins after the last answer was written
        process.write(process.ask(step(Act.ASK, 1)));
        assertThat(process.left()).as("after one more").isEqualTo(88);
        process.ask(step(Act.ASK_ELSEWHERE, 10));
        process.write(process.ask(step(Act.ASK, 1)));
        assertThat(process.left()).as("after eleven more").isEqualTo(77);
    }

    /** The store's clock is behind, and results overtake each other. */
    @Test
    void answersOvertakeEachOtherAfterTheClockHasSteppedBack() {
        Process process = new Process(DAILY);
        process.ask(step(Act.ASK_ELSEWHERE, 10));
        process.write(process.ask(step(Act.ASK, 1)));
        process.advance(-10_000_000);
        List<Arrival> arrivals = asked(process, 2);
        process.write(arrivals.get(1));
        assertThat(process.left()).isEqualTo(87);
        process.write(arrivals.get(0));
        assertThat(process.left()).isEqualTo(87);
    }

    /**
     * The store gives nothing back after the end of the window, and neither does the mirror of
     * the next window.
     */
    @ParameterizedTest
    @EnumSource(names = {"FIXED_WINDOW", "SLIDING_WINDOW"})
    void whatWasAdmittedInTheWindowBeforeIsNotGivenBack(Algorithm algorithm) {
        Policy policy =
                Policy.of("short", algorithm, 100, Duration.ofMillis(100)).alignedToTheClock();
        Process process = new Process(policy);
        long window = policy.windowMicros();
        process.advance(window - process.clock.micros() % window - 1);
        Arrival first = process.ask(step(Act.ASK, 1));
        process.advance(1);
        process.ask(step(Act.ASK_ELSEWHERE, 1));
        process.write(process.ask(step(Act.ASK, 1)));
        long left = process.leftInStore();
        assertThat(process.left()).isEqualTo(left);
        process.refund(process.write(first));
        assertThat(process.leftInStore()).isEqualTo(left);
        assertThat(process.left()).isEqualTo(left);
    }

    /** A node of a cluster that was asked before the others did its part at its own instant. */
    @Test
    void partsOfAnAdmissionHaveTheirOwnInstants() {
        Process process = new Process(DAILY);
        Arrival first = process.ask(step(Act.ASK, 1));
        Arrival second = process.ask(new Step(10, Act.ASK, 1, 0, false));
        process.write(second);
        Decision.Admitted part = (Decision.Admitted) first.decision();
        process.write(new Arrival(
                first.step(),
                first.group(),
                new Decision.Admitted(part.results(), part.atMicros() + 20, Receipt.joined(List.of(part.receipt()))),
                null,
                first.began()));
        assertThat(process.left()).isEqualTo(98);
    }

    private static Property<Life> lives(Predicate<Policy> which, long maxWait, Act... acts) {
        return Property.<Life>forAll(dice -> {
                    Policy policy = History.policies().filter(which).draw(dice);
                    return new Life(policy, dice.list(2, 14, drawn -> step(policy, drawn, maxWait, acts)));
                })
                .leavingOut(Life::steps, (life, steps) -> new Life(life.policy(), steps))
                .tries(20_000);
    }

    private static Step step(Policy policy, Dice dice, long maxWait, Act... acts) {
        Act act = dice.oneOf(acts);
        return new Step(
                maxWait == 0 ? 0 : dice.oneOf(0L, dice.number(0, Math.min(maxWait, 2 * policy.windowMicros()))),
                policy.algorithm() == Algorithm.CONCURRENCY && act == Act.CHARGE ? Act.ASK : act,
                dice.oneOf(1L, 1L, dice.number(1, Math.max(1, policy.maxCost()))),
                (int) dice.between(0, 20),
                canBeGivenBack(policy, maxWait) && dice.chance(20));
    }

    /** Whether units take whole microseconds; otherwise parts of a µs are rounded. */
    private static boolean isOfWholeMicros(Policy policy) {
        return policy.windowMicros() % policy.limit() == 0;
    }

    /**
     * Whether all units can be given back: nothing leaks meanwhile, and a slot is the last one.
     */
    private static boolean canBeGivenBack(Policy policy, long maxWait) {
        return maxWait == 0 && policy.algorithm() != Algorithm.LEAKY_BUCKET;
    }

    /**
     * At one instant, so that nothing comes back meanwhile: as the store counts, so does the
     * mirror.
     */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GATE")
    void inEveryOrderTheMirrorCountsWhatTheStoreCounts(Algorithm algorithm) {
        lives(policy -> policy.algorithm() == algorithm && isOfWholeMicros(policy), 0, Act.ASK)
                .check(life -> {
                    Process process = new Process(life.policy()).live(life.steps(), OVERTAKING);
                    assertThat(process.left()).as("left in the mirror").isEqualTo(process.leftInStore());
                });
    }

    /**
     * Other processes take units, and time passes, at most as long as calls are under way. No
     * order costs a caller a unit.
     */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GATE")
    void noOrderCountsMoreThanTheOrderOfTheStore(Algorithm algorithm) {
        lives(
                        policy -> policy.algorithm() == algorithm
                                && isOfWholeMicros(policy)
                                && policy.windowMicros() >= 1_000_000,
                        50_000,
                        Act.ASK,
                        Act.ASK,
                        Act.ASK_ELSEWHERE)
                .check(life -> {
                    List<Step> heard = new ArrayList<>(life.steps());
                    heard.add(new Step(0, Act.ASK, 1, 0, false));
                    Process process = new Process(life.policy()).live(heard, OVERTAKING);
                    Process inOrder = new Process(life.policy()).live(heard, IN_ORDER);
                    long inStore = showsAll(life.policy())
                            ? process.leftInStore()
                            : life.policy().capacity();
                    assertThat(process.left())
                            .as("left in the mirror")
                            .isBetween(
                                    Math.min(inOrder.left(), inStore) - leaksMeanwhile(life.policy()),
                                    Math.max(inOrder.left(), inStore));
                });
    }

    /**
     * Whether results show everything: the remaining units do not show a debt, and rejections do
     * not show slots.
     */
    private static boolean showsAll(Policy policy) {
        return !policy.borrow() && policy.algorithm() != Algorithm.LEAKY_BUCKET;
    }

    /** How many units may have leaked when a result arrives, which has whole units only. */
    private static int leaksMeanwhile(Policy policy) {
        return policy.algorithm() == Algorithm.TOKEN_BUCKET || policy.algorithm() == Algorithm.GCRA ? 1 : 0;
    }

    /**
     * Whatever the store forgets, whatever others take, and however late answers arrive: the
     * mirror counts all that the process was admitted.
     */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GATE")
    void noAdmissionIsLostInAnyOrder(Algorithm algorithm) {
        lives(
                        policy -> policy.algorithm() == algorithm
                                && policy.refill() == Refill.SMOOTH
                                && hasDebtsOfManyUnits(policy),
                        3_000_000,
                        Act.ASK,
                        Act.ASK,
                        Act.ASK_ELSEWHERE,
                        Act.FORGET,
                        Act.ALONE)
                .check(life -> {
                    Discard.unless(isNeverCut(life));
                    losesNothing(life);
                });
    }

    /** Whether a debt of few units stays below its bound. */
    private static boolean hasDebtsOfManyUnits(Policy policy) {
        return switch (policy.algorithm()) {
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG -> policy.limit() >= 8;
            case LEAKY_BUCKET -> isOfWholeMicros(policy);
            case TOKEN_BUCKET, GCRA, UNIFORM, CONCURRENCY, GATE -> true;
        };
    }

    /**
     * Whether no debt is cut at its bound, for which the law does not hold. Windows keep a late
     * result longer than the store does.
     */
    private static boolean isNeverCut(Life life) {
        return switch (life.policy().algorithm()) {
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG ->
                life.steps().stream().mapToLong(Step::cost).sum()
                        <= life.policy().rules().maxDebt();
            default -> true;
        };
    }

    /** Each result arrives as many steps later as its place says. */
    private static void losesNothing(Life life) {
        Process process = new Process(life.policy());
        FollowingStore own = new FollowingStore(process.clock);
        List<Arrival> underWay = new ArrayList<>();
        for (int i = 0; i < life.steps().size() + 3; i++) {
            Arrival asked = i < life.steps().size() ? process.ask(life.steps().get(i)) : null;
            if (asked != null) {
                underWay.add(asked);
                charge(own, asked.group(), asked.decision());
            }
            int now = i;
            List<Arrival> arrived = underWay.stream()
                    .filter(each -> now
                            >= life.steps().indexOf(each.step()) + each.step().place() % 4)
                    .toList();
            underWay.removeAll(arrived);
            for (Arrival each : arrived) {
                charge(own, each.group(), each.decision() == null ? process.kept.acquire(each.group()) : null);
                process.write(each);
            }
            if (underWay.isEmpty()) {
                assertThat(process.left())
                        .as("left in the mirror")
                        .isLessThanOrEqualTo(own.peek(CheckGroup.of(Check.of(life.policy(), ALICE)))
                                .get(0)
                                .remaining());
            }
        }
    }

    private static void charge(FollowingStore own, CheckGroup group, Decision decision) {
        if (decision instanceof Decision.Admitted admission) {
            own.recordAdmission(
                    group.checks().toArray(Check[]::new),
                    admission.results().stream()
                            .map(OvertakingAnswersTest::untold)
                            .toList(),
                    null,
                    0);
        }
    }

    /** The same result without figures of others. */
    private static CheckResult untold(CheckResult result) {
        return new CheckResult(
                result.policy(),
                true,
                result.remaining(),
                0,
                0,
                0,
                result.nextAfterMicros(),
                result.resetAfterMicros(),
                true);
    }

    /**
     * Two answers of one instant: the later one has borrowed, which the remaining units of the
     * earlier one do not show.
     */
    @Test
    void aDebtThatTheSameMicrosecondBringsIsKept() {
        for (Refill refill : Refill.values()) {
            Policy policy = Policy.of("loans", Algorithm.TOKEN_BUCKET, 1_000, Duration.ofSeconds(1_000))
                    .withRefill(refill)
                    .borrowing();
            Process process = new Process(policy);
            process.store.acquire(CheckGroup.of(new Check(policy, ALICE, 990)));
            process.advance(1_000);
            List<Arrival> arrivals = List.of(process.ask(step(Act.ASK, 1)), process.ask(step(Act.ASK, 1_000)));
            arrivals.forEach(process::write);
            assertThat(process.kept.peek(policy, ALICE).nextAfterMicros())
                    .as("%s", refill)
                    .isGreaterThanOrEqualTo(process.store.peek(policy, ALICE).nextAfterMicros());
        }
    }
}
