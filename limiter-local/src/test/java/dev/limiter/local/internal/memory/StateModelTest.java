package dev.limiter.local.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.StateSnapshot;
import dev.limiter.local.History;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Lines;
import dev.limiter.testkit.property.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares each state with {@linkplain StateModel a model} of its algorithm in plain arithmetic:
 * charges, debts, admissions by another limiter, peeks, refunds of any of them, limits that
 * change, and a clock that steps.
 */
@Tag("proof")
class StateModelTest {
    private static final PartitionKey KEY = PartitionKey.of("user", "alice");
    private static final long BEGAN = 1_700_000_000_000_000L;

    enum Act {
        ASK,
        PEEK,
        CHARGE,
        ADMIT,
        REFUND
    }

    /**
     * An action, some time after the step before.
     *
     * @param other whether it is asked with the other limit
     * @param number of a slot in µs, of a lease, of the charge that is given back
     */
    record Step(long waitMicros, Act act, boolean other, long cost, int number) {}

    record Life(Policy policy, Policy other, List<Step> steps) {
        @Override
        public String toString() {
            return Lines.numbered(policy + " or " + other.limit(), steps);
        }
    }

    /** A charge that may be given back. */
    private record Charged(Check check, StateSnapshot then, long atMicros) {}

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void aCellIsItsModel(Algorithm algorithm) {
        lives(algorithm).tries(4_000).check(StateModelTest::isItsModel);
    }

    @Test
    void anIntervalBucketIsItsModel() {
        Property.<Life>forAll(dice -> life(interval(dice), dice))
                .leavingOut(Life::steps, (life, steps) -> new Life(life.policy(), life.other(), steps))
                .tries(4_000)
                .check(StateModelTest::isItsModel);
    }

    private static Property<Life> lives(Algorithm algorithm) {
        return Property.<Life>forAll(dice -> life(
                        algorithm == Algorithm.GATE
                                ? Policy.of("p", Algorithm.GCRA, 1, Duration.ofSeconds(1))
                                        .gate()
                                : History.policies()
                                        .filter(policy -> policy.algorithm() == algorithm)
                                        .draw(dice),
                        dice))
                .leavingOut(Life::steps, (life, steps) -> new Life(life.policy(), life.other(), steps));
    }

    private static Policy interval(Dice dice) {
        Policy bucket = Policy.of(
                        "p", Algorithm.TOKEN_BUCKET, dice.between(1, 9), Duration.ofNanos(dice.between(1, 50) * 1_000))
                .withBurst(dice.between(1, 20))
                .withRefill(Refill.INTERVAL);
        return dice.chance(50) ? bucket : bucket.borrowing();
    }

    private static Life life(Policy plain, Dice dice) {
        Policy policy = dice.chance(50) ? plain.withVaryingLimit() : plain;
        Policy other = policy.algorithm() == Algorithm.GATE ? policy : withLimit(policy, dice.between(1, 12));
        long window = policy.windowMicros();
        return new Life(
                policy,
                other,
                dice.list(
                        1,
                        40,
                        drawn -> new Step(
                                drawn.oneOf(
                                        0L,
                                        drawn.number(0, 2 * window / policy.limit() + 2),
                                        drawn.between(Math.max(0, window - 2), window + 2),
                                        drawn.number(0, 3 * window),
                                        drawn.chance(20) ? -drawn.number(0, 4 * window) : 0),
                                drawn.oneOf(Act.ASK, Act.ASK, Act.ASK, Act.PEEK, Act.CHARGE, Act.ADMIT, Act.REFUND),
                                drawn.chance(20),
                                drawn.oneOf(1L, drawn.number(1, 40)),
                                (int) drawn.between(0, 40))));
    }

    private static Policy withLimit(Policy policy, long limit) {
        return new Policy(policy.members().with(PolicyMember.LIMIT, limit));
    }

    private static void isItsModel(Life life) {
        PartitionState state = PartitionTable.untouched(life.policy());
        StateModel model = StateModel.of(life.policy());
        List<Charged> charged = new ArrayList<>();
        long now = BEGAN;
        for (Step step : life.steps()) {
            now += step.waitMicros();
            Policy policy = step.other() ? life.other() : life.policy();
            Check check = check(policy, step);
            switch (step.act()) {
                case ASK -> {
                    StateSnapshot found = state.read(check, now, false);
                    assertThat(found).isEqualTo(model.read(check, now, false));
                    if (found.fits()) {
                        state.charge(check, now);
                        model.charge(check, now);
                        charged.add(new Charged(check, found, now));
                    }
                }
                case PEEK -> assertThat(state.read(check, now, true)).isEqualTo(model.read(check, now, true));
                case CHARGE -> {
                    if (policy.algorithm() != Algorithm.CONCURRENCY) {
                        assertThat(state.read(check, now, false)).isEqualTo(model.read(check, now, false));
                        state.debt(policy, step.cost(), now);
                        model.debt(policy, step.cost(), now);
                    }
                }
                case ADMIT -> {
                    StateSnapshot found = state.read(check, now, false);
                    assertThat(found).isEqualTo(model.read(check, now, false));
                    long slot = policy.maxWaitMicros() == 0 ? 0 : step.number() % (policy.maxWaitMicros() + 1);
                    StateSnapshot taken = state.admit(check, found, slot, now);
                    assertThat(taken).isEqualTo(model.admit(check, slot, now));
                    if (taken != null) {
                        charged.add(new Charged(check, taken, now));
                    }
                }
                case REFUND -> {
                    if (!charged.isEmpty()) {
                        Charged back = charged.remove(step.number() % charged.size());
                        assertThat(state.refund(back.check(), back.then(), back.atMicros(), now))
                                .isEqualTo(model.refund(back.check(), back.then(), back.atMicros(), now));
                    }
                }
            }
            Check one = check(policy, new Step(0, Act.PEEK, false, 1, 0));
            assertThat(state.read(one, now, true)).isEqualTo(model.read(one, now, true));
            if (model.units() >= 0) {
                assertThat(state.bytes()).isEqualTo(300L * model.units());
            }
        }
    }

    private static Check check(Policy policy, Step step) {
        return policy.algorithm() == Algorithm.CONCURRENCY
                ? Check.ofLease(policy, KEY, "lease" + step.number())
                : new Check(policy, KEY, Math.min(step.cost(), policy.maxCost()));
    }
}
