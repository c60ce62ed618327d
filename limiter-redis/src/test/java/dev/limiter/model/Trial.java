package dev.limiter.model;

import dev.limiter.Answer;
import dev.limiter.Charge;
import dev.limiter.Decision;
import dev.limiter.Group;
import dev.limiter.RateLimiter;
import dev.limiter.model.Pause.Fixed;
import dev.limiter.model.Pause.Said;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lives through a history with the model and with limiters, its subjects, and compares everything after each step: what was
 * admitted and when, all answers, charges, and whether a refund gave anything back. One difference is an
 * {@link AssertionError} that says where.
 *
 * <p>For one history: the subjects must not have met its keys before.
 */
public final class Trial {
    private static final long START_MICROS = 1_700_000_000_000_000L;

    /** A script counts in doubles: an instant and the furthest debt, 2<sup>51</sup> µs, stay below 2<sup>53</sup>. */
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
        /** From now on it is this instant, in µs since 1970, until it is moved again. */
        void moveTo(long micros);
    }

    /**
     * @param subjects by the name that the reader of a failure is told; limiters that read this clock
     */
    public Trial(Clock clock, Map<String, ? extends RateLimiter> subjects) {
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
        } else if (step instanceof Step.Peek peek) {
            peek(peek.group());
        } else if (step instanceof Step.Charge charge) {
            charge(charge);
        } else if (step instanceof Step.Refund refund) {
            refund(refund);
        } else if (step instanceof Step.Reset reset) {
            model.reset(reset.policy(), reset.key());
            subjects.values().forEach(subject -> subject.reset(reset.policy(), reset.key()));
        }
    }

    private void acquire(List<Group> groups) {
        List<Outcome> expected = new ArrayList<>();
        List<Admission> admitted = new ArrayList<>();
        for (Group group : groups) {
            Outcome outcome = model.acquire(group, nowMicros);
            expected.add(outcome);
            admitted.add(new Admission(outcome.token(), new LinkedHashMap<>()));
        }
        subjects.forEach((name, subject) -> {
            List<Decision> actual = subject.acquireEach(groups);
            same(name, "number of decisions", expected.size(), actual.size());
            for (int i = 0; i < actual.size(); i++) {
                Decision decision = actual.get(i);
                String where = "group " + (i + 1) + " of " + actual.size();
                same(name, where, expected.get(i).answers(), decision.answers());
                same(name, where + " admitted", expected.get(i).admitted(), decision.admitted());
                same(name, where + " at", nowMicros, decision.atMicros());
                if (decision instanceof Decision.Admitted admission) {
                    admitted.get(i).bySubject.put(name, admission);
                }
            }
        });
        admitted.stream().filter(admission -> admission.token != null).forEach(admissions::add);
        said = expected.stream()
                .flatMap(outcome -> outcome.answers().stream())
                .map(Spans::of)
                .toList();
    }

    private void peek(Group group) {
        List<Answer> expected = model.peek(group, nowMicros);
        subjects.forEach((name, subject) -> same(name, "peek", expected, subject.peek(group)));
        said = expected.stream().map(Spans::of).toList();
    }

    private void charge(Step.Charge step) {
        Charge expected = model.charge(step.policy(), step.key(), step.units(), nowMicros);
        subjects.forEach((name, subject) ->
                same(name, "charge", expected, subject.charge(step.policy(), step.key(), step.units())));
        said = List.of(Spans.of(expected));
    }

    private void refund(Step.Refund step) {
        if (admissions.isEmpty()) {
            return;
        }
        Admission admission = admissions.get(admissions.size() - 1 - step.latest() % admissions.size());
        boolean expected = model.refund(admission.token, nowMicros);
        subjects.forEach((name, subject) ->
                same(name, "refund of " + admission, expected, subject.refund(admission.bySubject.get(name))));
    }

    private static void same(String subject, String what, List<Answer> expected, List<Answer> actual) {
        same(subject, what + ": number of answers", expected.size(), actual.size());
        for (int i = 0; i < actual.size(); i++) {
            Answer answer = expected.get(i);
            same(
                    subject,
                    what + ", answer " + (i + 1) + " of \"" + answer.policy().name() + "\"",
                    answer,
                    actual.get(i));
        }
    }

    private static void same(String subject, String what, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError(String.format(
                    "%s differs in %s%n    expected: %s%n    actual:   %s", subject, what, expected, actual));
        }
    }

    /** One admission as each of those who live through the history knows it. */
    private record Admission(Token token, Map<String, Decision.Admitted> bySubject) {

        @Override
        public String toString() {
            return bySubject.values().stream()
                    .findFirst()
                    .map(Decision.Admitted::answers)
                    .toString();
        }
    }

    /** The spans a later step may wait for. */
    private record Spans(long run, long retry, long next, long reset) {

        static Spans of(Answer answer) {
            return new Spans(
                    answer.runAfterMicros(),
                    answer.retryAfterMicros(),
                    answer.nextAfterMicros(),
                    answer.resetAfterMicros());
        }

        static Spans of(Charge charge) {
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
