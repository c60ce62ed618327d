package dev.limiter.model;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.calendar.Usage;
import dev.limiter.model.Pause.Fixed;
import dev.limiter.model.Pause.Said;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Runs a history on the model and on limiters, its subjects. After each step it compares
 * admissions and their instants, all results, charges, whether a refund gave anything back, and
 * what was counted in periods of the calendar.
 * A difference is an {@link AssertionError} that names the step.
 *
 * <p>For one history: the subjects must not have met its keys before.
 */
public final class HistoryRun {
    private static final long START_MICROS = 1_700_000_000_000_000L;

    /**
     * A script counts in doubles: an instant and the furthest debt, 2<sup>51</sup> µs, stay
     * below 2<sup>53</sup>.
     */
    private static final long LAST_MICROS = 1L << 52;

    private static final long FIRST_MICROS = 1_000_000_000_000_000L;

    private final Model model = new Model();
    private final Clock clock;
    private final Map<String, RateLimiter> subjects;
    private final List<Admission> admissions = new ArrayList<>();
    private List<Spans> said = List.of(new Spans(0, 0, 0, 0));
    private long nowMicros = START_MICROS;
    private int steps;

    /** The clock that all subjects read. */
    @FunctionalInterface
    public interface Clock {
        /** Sets the clock to an instant, in µs since 1970, until the next call. */
        void moveTo(long micros);
    }

    /** @param subjects limiters that read this clock, by their names in failures */
    public HistoryRun(Clock clock, Map<String, ? extends RateLimiter> subjects) {
        this.clock = clock;
        this.subjects = new LinkedHashMap<>(subjects);
    }

    /** How many steps were lived through so far. */
    public int steps() {
        return steps;
    }

    /**
     * Lives through all steps of a history.
     *
     * @throws AssertionError at the first difference
     */
    public void liveThrough(History history) {
        for (Step step : history.steps()) {
            steps++;
            moveTo(nowMicros + micros(step.pause()));
            try {
                live(step);
            } catch (RuntimeException | AssertionError difference) {
                throw new AssertionError(
                        String.format(
                                "%s, step %d of %d at %d µs: %s%n    step:     %s",
                                history.name(),
                                steps,
                                history.steps().size(),
                                nowMicros,
                                difference.getMessage(),
                                step),
                        difference);
            }
        }
    }

    private long micros(Pause pause) {
        return pause instanceof Said what
                ? said.get(what.answer() % said.size()).of(what.figure()) + what.offsetMicros()
                : ((Fixed) pause).micros();
    }

    private void moveTo(long micros) {
        nowMicros = Math.max(FIRST_MICROS, Math.min(LAST_MICROS, micros));
        clock.moveTo(nowMicros);
    }

    private void live(Step step) {
        if (step instanceof Step.Acquire acquire) {
            acquire(acquire.groups());
        } else if (step instanceof Step.AskTogether together) {
            askTogether(together.callers());
        } else if (step instanceof Step.Peek peek) {
            peek(peek.group());
        } else if (step instanceof Step.Charge charge) {
            charge(charge);
        } else if (step instanceof Step.Refund refund) {
            refund(refund);
        } else if (step instanceof Step.Settle settle) {
            settle(settle);
        } else if (step instanceof Step.Reset reset) {
            model.reset(reset.policy(), reset.key());
            subjects.values().forEach(subject -> subject.reset(reset.policy(), reset.key()));
        }
    }

    private void acquire(List<CheckGroup> groups) {
        Expected expected = expected(groups);
        subjects.forEach((name, subject) -> compare(name, () -> "", expected, subject.acquireEach(groups)));
        admissions.addAll(expected.admissions());
        said = expected.spans();
        groups.forEach(group -> usages(group.checks()));
    }

    private void usages(List<Check> checks) {
        for (Check check : checks) {
            Policy policy = check.policy();
            for (Usage.Period period : Usage.Period.values()) {
                if (policy.period() != null && (period == Usage.Period.PRESENT || policy.keepsPrevious())) {
                    Usage expected = model.usage(policy, check.key(), period, nowMicros);
                    subjects.forEach((name, subject) ->
                            same(name, () -> "usage, " + period, expected, subject.usage(policy, check.key(), period)));
                }
            }
        }
    }

    private Expected expected(List<CheckGroup> groups) {
        List<Outcome> outcomes = new ArrayList<>();
        List<Admission> admitted = new ArrayList<>();
        for (CheckGroup group : groups) {
            Outcome outcome = model.acquire(group, nowMicros);
            outcomes.add(outcome);
            admitted.add(new Admission(outcome.token(), new LinkedHashMap<>()));
        }
        return new Expected(outcomes, admitted);
    }

    private void compare(String name, Supplier<String> who, Expected expected, List<?> actual) {
        same(name, () -> "number of decisions", expected.outcomes.size(), actual.size());
        for (int i = 0; i < actual.size(); i++) {
            int number = i + 1;
            Decision decision = (Decision) actual.get(i);
            Outcome outcome = expected.outcomes.get(i);
            Supplier<String> where = () -> "group " + number + " of " + actual.size() + who.get();
            same(name, where, outcome.results(), decision.results());
            same(name, () -> where.get() + " admitted", outcome.admitted(), decision.admitted());
            same(name, () -> where.get() + " at", nowMicros, decision.atMicros());
            if (decision instanceof Decision.Admitted admission) {
                expected.admitted.get(i).bySubject.put(name, admission);
            }
        }
    }

    /** The decisions of the model on groups, and their admissions, as far as they are known. */
    private record Expected(List<Outcome> outcomes, List<Admission> admitted) {

        List<Admission> admissions() {
            return admitted.stream()
                    .filter(admission -> admission.token != null)
                    .toList();
        }

        List<Spans> spans() {
            return outcomes.stream()
                    .flatMap(outcome -> outcome.results().stream())
                    .map(Spans::of)
                    .toList();
        }
    }

    /** Asks the model one by one, and also subjects that cannot share a call. */
    private void askTogether(List<Caller> callers) {
        List<Expectation> expectations = new ArrayList<>();
        List<Spans> spans = new ArrayList<>();
        for (int place : Caller.settled(callers)) {
            Caller caller = callers.get(place);
            if (caller instanceof Caller.Asks asks) {
                Expected expected = expected(asks.groups());
                spans.addAll(expected.spans());
                expectations.add(new Expectation(place, expected, List.of()));
            } else if (caller instanceof Caller.Peeks peeks) {
                List<CheckResult> answers = model.peek(peeks.group(), nowMicros);
                answers.forEach(result -> spans.add(Spans.of(result)));
                expectations.add(new Expectation(place, null, answers));
            }
        }
        subjects.forEach((name, subject) -> {
            List<List<?>> together = subject instanceof Together shared ? shared.askTogether(callers) : null;
            for (Expectation expectation : expectations) {
                Caller caller = callers.get(expectation.place);
                List<?> said = together == null ? asked(subject, caller) : together.get(expectation.place);
                compare(name, () -> ", caller " + (expectation.place + 1) + " of " + callers.size(), expectation, said);
            }
        });
        for (Expectation expectation : expectations) {
            if (expectation.decisions != null) {
                admissions.addAll(expectation.decisions.admissions());
            }
        }
        said = spans;
    }

    /** The expected decisions or results of one of several callers. */
    private record Expectation(int place, Expected decisions, List<CheckResult> results) {}

    private static List<?> asked(RateLimiter subject, Caller caller) {
        return caller instanceof Caller.Asks asks
                ? subject.acquireEach(asks.groups())
                : subject.peek(((Caller.Peeks) caller).group());
    }

    private void compare(String name, Supplier<String> who, Expectation expectation, List<?> actual) {
        if (expectation.decisions == null) {
            same(name, () -> "peek" + who.get(), expectation.results, actual);
        } else {
            compare(name, who, expectation.decisions, actual);
        }
    }

    private void peek(CheckGroup group) {
        List<CheckResult> expected = model.peek(group, nowMicros);
        subjects.forEach((name, subject) -> same(name, () -> "peek", expected, subject.peek(group)));
        said = expected.stream().map(Spans::of).toList();
        usages(group.checks());
    }

    private void charge(Step.Charge step) {
        ChargeResult expected = model.charge(step.policy(), step.key(), step.units(), nowMicros);
        subjects.forEach((name, subject) ->
                same(name, () -> "charge", expected, subject.charge(step.policy(), step.key(), step.units())));
        said = List.of(Spans.of(expected));
        usages(List.of(Check.of(step.policy(), step.key())));
    }

    private void refund(Step.Refund step) {
        if (admissions.isEmpty()) {
            return;
        }
        Admission admission = admission(step.latest());
        boolean expected = model.refund(admission.token, nowMicros);
        subjects.forEach((name, subject) ->
                same(name, () -> "refund of " + admission, expected, subject.refund(admission.bySubject.get(name))));
        usages(admission.token.checks());
    }

    private void settle(Step.Settle step) {
        List<Check> checks = admissions.isEmpty()
                ? List.of()
                : admission(step.latest()).token.checks().stream()
                        .filter(check -> check.policy().algorithm().accepts(Algorithm.Member.COUNT_ON))
                        .toList();
        if (checks.isEmpty()) {
            return;
        }
        Admission admission = admission(step.latest());
        Check check = checks.get(step.check() % checks.size());
        long used = Math.min(Integer.MAX_VALUE, check.cost() * step.usedPercent() / 100);
        ChargeResult expected = model.settle(admission.token, check, used, nowMicros);
        subjects.forEach((name, subject) -> same(
                name,
                () -> "settlement of " + check + " to " + used + " of " + admission,
                expected,
                subject.settle(admission.bySubject.get(name), check.policy(), used)));
        said = List.of(Spans.of(expected));
        usages(List.of(check));
    }

    private Admission admission(int latest) {
        return admissions.get(admissions.size() - 1 - latest % admissions.size());
    }

    private static void same(String subject, Supplier<String> what, List<CheckResult> expected, List<?> actual) {
        same(subject, () -> what.get() + ": number of answers", expected.size(), actual.size());
        for (int i = 0; i < actual.size(); i++) {
            int number = i + 1;
            CheckResult result = expected.get(i);
            Supplier<String> which =
                    () -> ", answer " + number + " of \"" + result.policy().name() + "\"";
            same(subject, () -> what.get() + which.get(), result, actual.get(i));
        }
    }

    private static void same(String subject, Supplier<String> what, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError(String.format(
                    "%s differs in %s%n    expected: %s%n    actual:   %s", subject, what.get(), expected, actual));
        }
    }

    /** An admission with the objects of the model and of each subject. */
    private record Admission(Token token, Map<String, Decision.Admitted> bySubject) {

        @Override
        public String toString() {
            return bySubject.values().stream()
                    .findFirst()
                    .map(Decision.Admitted::results)
                    .toString();
        }
    }

    /** The spans a later step may wait for. */
    private record Spans(long run, long retry, long next, long reset) {

        static Spans of(CheckResult result) {
            return new Spans(
                    result.runAfterMicros(),
                    result.retryAfterMicros(),
                    result.nextAfterMicros(),
                    result.resetAfterMicros());
        }

        static Spans of(ChargeResult charge) {
            return new Spans(0, charge.nextAfterMicros(), charge.nextAfterMicros(), charge.resetAfterMicros());
        }

        long of(Pause.Figure figure) {
            return switch (figure) {
                case RUN -> run;
                case RETRY -> retry;
                case NEXT -> next;
                case RESET -> reset;
            };
        }
    }
}
