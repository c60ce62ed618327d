package dev.limiter.model;

import static dev.limiter.Algorithm.GCRA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.calendar.Usage;
import dev.limiter.model.Pause.Figure;
import dev.limiter.model.Pause.Fixed;
import dev.limiter.model.Pause.Said;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Shows that the comparison finds each kind of fault, and its step. */
@Tag("proof")
class HistoryRunTest {
    private static final Policy POLICY = Policy.of("p", GCRA, 5, Duration.ofSeconds(10));
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final CheckGroup ALL = CheckGroup.of(new Check(POLICY, ALICE, 5));
    private static final History HISTORY = new History(
            "example",
            List.of(
                    new Step.Acquire(new Fixed(0), List.of(ALL, ALL)),
                    new Step.Peek(new Said(Figure.NEXT, 0, -1), ALL),
                    new Step.Refund(new Fixed(0), 0),
                    new Step.Charge(new Fixed(1), POLICY, ALICE, 1),
                    new Step.Reset(new Fixed(-7), POLICY, ALICE),
                    new Step.Peek(new Fixed(0), ALL)));

    private final Subject subject = new Subject();
    private final HistoryRun trial = new HistoryRun(micros -> subject.now = micros, Map.of("subject", subject));

    @Test
    void aLimiterThatAnswersAsTheModelPasses() {
        trial.liveThrough(HISTORY);
        assertThat(trial.steps()).isEqualTo(6);
    }

    @Test
    void anInstantAMicrosecondOffIsFound() {
        subject.late = 1;
        assertThatFaultIsFound()
                .withMessageContaining("step 1 of 6")
                .withMessageContaining("subject differs in group 1 of 2 at");
    }

    @Test
    void aSpanThatIsSaidIsWaitedForToTheMicrosecond() {
        subject.peekLate = 1;
        assertThatFaultIsFound()
                .withMessageContaining("step 2 of 6 at 1700000001999999 µs: subject differs in peek, answer 1 of \"p\"")
                .withMessageContaining("expected: CheckResult[policy=" + POLICY + ", admitted=false, remaining=0")
                .withMessageContaining("actual:   CheckResult[policy=" + POLICY + ", admitted=false, remaining=1");
    }

    @Test
    void aRefundThatGivesNothingBackIsFound() {
        subject.refunds = false;
        assertThatFaultIsFound().withMessageContaining("step 3 of 6").withMessageContaining("differs in refund");
    }

    @Test
    void aChargeThatIsForgottenIsFound() {
        subject.charges = false;
        assertThatFaultIsFound().withMessageContaining("step 4 of 6").withMessageContaining("differs in charge");
    }

    @Test
    void aResetThatForgetsNothingIsFound() {
        subject.resets = false;
        assertThatFaultIsFound().withMessageContaining("step 6 of 6").withMessageContaining("differs in peek");
    }

    @Test
    void aPeriodOfWhichAUnitIsMissingIsFound() {
        Policy month = Policy.of("month", 5, CalendarPeriod.parse("1 month")).keepingPrevious();
        History calendar =
                new History("calendar", List.of(new Step.Peek(new Fixed(0), CheckGroup.of(Check.of(month, ALICE)))));
        trial.liveThrough(calendar);
        subject.uncounted = Usage.Period.PREVIOUS;
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> trial.liveThrough(calendar))
                .withMessageContaining("subject differs in usage, PREVIOUS");
    }

    private ThrowableAssertAlternative<AssertionError> assertThatFaultIsFound() {
        return assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> trial.liveThrough(HISTORY));
    }

    /** The model as a limiter, with a fault for the asking. */
    private static final class Subject implements RateLimiter {
        private final Model model = new Model();
        private final Map<Decision.Admitted, Token> tokens = new IdentityHashMap<>();
        private long now;
        private long late;
        private long peekLate;
        private boolean refunds = true;
        private boolean charges = true;
        private boolean resets = true;
        private Usage.Period uncounted;

        @Override
        public <A> A answer(Ask<A> ask) {
            if (ask instanceof Ask.Acquire acquire) {
                return ask.is(decided(acquire.group()));
            }
            if (ask instanceof Ask.AcquireEach each) {
                return ask.is(GroupDecisions.oneByOne(each.groups(), this::decided));
            }
            if (ask instanceof Ask.Peek peek) {
                return ask.is(model.peek(peek.group(), now + peekLate));
            }
            if (ask instanceof Ask.Charge charge) {
                Policy policy = charge.check().policy();
                return ask.is(
                        charges
                                ? model.charge(policy, charge.check().key(), charge.units(), now)
                                : new ChargeResult(policy, charge.units(), 0, 5, 0, 0));
            }
            if (ask instanceof Ask.Count count) {
                Usage usage = model.usage(count.check().policy(), count.check().key(), count.period(), now);
                return ask.is(count.period() == uncounted ? new Usage(usage.used() + 1, usage.ends()) : usage);
            }
            if (ask instanceof Ask.Reset reset && resets) {
                model.reset(reset.check().policy(), reset.check().key());
            }
            return null;
        }

        private Decision decided(CheckGroup group) {
            Outcome outcome = model.acquire(group, now);
            if (!outcome.admitted()) {
                return new Decision.Rejected(outcome.results(), now + late);
            }
            Decision.Admitted admitted = new Decision.Admitted(outcome.results(), now + late, null);
            tokens.put(admitted, outcome.token());
            return admitted;
        }

        @Override
        public boolean refund(Decision.Admitted admission) {
            return refunds && model.refund(tokens.get(admission), now);
        }

        @Override
        public String storeKey(Policy policy, PartitionKey key) {
            return policy.name() + key;
        }

        @Override
        public void close() {}
    }
}
