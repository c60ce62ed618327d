package dev.limiter.redis.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Any order of successes and failures, compared with a list of all calls that is counted anew
 * each time.
 */
@Tag("proof")
class BreakerLawsTest {
    private static final long SPAN = TimeUnit.SECONDS.toNanos(Breaker.SPAN_SECONDS);

    private enum Kind {
        FAIL,
        SUCCEED,
        OPEN,
        CLOSE
    }

    /** Time passes, then an event happens several times. */
    private record Step(long passedNanos, Kind kind, int times) {
        static Step draw(Dice dice) {
            long passed = dice.oneOf(0L, 1L, SPAN / 20, SPAN / 2, SPAN - 1, SPAN, SPAN + 1);
            Kind kind = dice.oneOf(
                    Kind.FAIL, Kind.FAIL, Kind.FAIL, Kind.FAIL, Kind.SUCCEED, Kind.SUCCEED, Kind.OPEN, Kind.CLOSE);
            return new Step(dice.chance(60) ? 0 : passed, kind, (int) dice.between(1, 4));
        }
    }

    /**
     * Long health, and failures with a success between: only their share of the last calls can
     * open it.
     */
    private static List<Step> neverFiveInARow(Dice dice) {
        List<Step> steps = new ArrayList<>();
        for (long left = dice.between(1, 20); left > 0; left--) {
            steps.add(new Step(dice.chance(80) ? 0 : SPAN / 4, Kind.FAIL, (int) dice.between(1, Breaker.IN_A_ROW - 1)));
            steps.add(new Step(dice.chance(90) ? 0 : SPAN + 1, Kind.SUCCEED, (int) dice.between(1, 2)));
        }
        return steps;
    }

    private record Call(boolean failed, long atNanos) {}

    private static final class Model {
        private final List<Call> calls = new ArrayList<>();
        private String openedBy;
        private Long closedNanos;

        private long failedLately(long now) {
            return calls.subList(Math.max(0, calls.size() - Breaker.LOOKED_AT), calls.size()).stream()
                    .filter(call -> call.failed() && now - call.atNanos() <= SPAN)
                    .count();
        }

        private boolean lastFailed(int inARow) {
            return calls.size() >= inARow
                    && calls.subList(calls.size() - inARow, calls.size()).stream()
                            .allMatch(Call::failed);
        }

        boolean failed(String reason, long now) {
            calls.add(new Call(true, now));
            boolean half = calls.size() >= Breaker.LOOKED_AT && 2 * failedLately(now) >= Breaker.LOOKED_AT;
            if (openedBy != null || !half && !lastFailed(Breaker.IN_A_ROW)) {
                return false;
            }
            openedBy = reason;
            return true;
        }

        void succeeded(long now) {
            calls.add(new Call(false, now));
            if (failedLately(now) == 0) {
                calls.clear(); // calls from before a long healthy time do not count
            }
        }

        boolean open(String reason) {
            boolean was = openedBy == null;
            openedBy = reason;
            return was;
        }

        boolean close(long now) {
            boolean was = openedBy != null;
            closedNanos = was ? Long.valueOf(now) : closedNanos;
            openedBy = null;
            calls.clear();
            return was;
        }

        boolean closedLately(long now) {
            return closedNanos != null && now - closedNanos < SPAN;
        }
    }

    @Test
    void itOpensAndClosesWhenTheListSays() {
        Property.forAll((Dice dice) -> dice.chance(50) ? dice.list(1, 40, Step::draw) : neverFiveInARow(dice))
                .tries(40_000)
                .check(steps -> {
                    long[] now = {Long.MAX_VALUE - SPAN};
                    Breaker breaker = new Breaker(() -> now[0]);
                    Model model = new Model();
                    int number = 0;
                    for (Step step : steps) {
                        now[0] += step.passedNanos();
                        for (int time = 0; time < step.times(); time++) {
                            String reason = "reason " + ++number;
                            switch (step.kind()) {
                                case FAIL -> assertThat(breaker.failed(reason)).isEqualTo(model.failed(reason, now[0]));
                                case SUCCEED -> {
                                    breaker.succeeded();
                                    model.succeeded(now[0]);
                                }
                                case OPEN -> assertThat(breaker.open(reason)).isEqualTo(model.open(reason));
                                case CLOSE -> assertThat(breaker.close()).isEqualTo(model.close(now[0]));
                            }
                            assertThat(breaker.openedBy()).isEqualTo(model.openedBy);
                            assertThat(breaker.closedLately()).isEqualTo(model.closedLately(now[0]));
                        }
                    }
                });
    }
}
