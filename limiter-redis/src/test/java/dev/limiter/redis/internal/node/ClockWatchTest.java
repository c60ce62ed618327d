package dev.limiter.redis.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.spi.Signals;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("proof")
class ClockWatchTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private int steps;
    private int cleared;
    private final ClockWatch watch = new ClockWatch(
            new Signals() {
                @Override
                public void happened(Incident incident) {
                    if (incident == Incident.CLOCK_STEPPED) {
                        steps++;
                        assertThat(cleared)
                                .as("earlier replies are doubted first")
                                .isEqualTo(steps);
                    }
                }
            },
            () -> cleared++);

    private long server = 1_700_000_000_000_000L;
    private long nanos = -77;

    @Test
    void aClockThatGoesLikeTheWatchIsNotTalkedOf() {
        for (int i = 0; i < 1_000; i++) {
            decide(50 * MILLI, 50 * MILLI);
        }
        assertThat(steps).isZero();
    }

    @Test
    void aStepOfMoreThanASecondIsSeenOnce() {
        decide(0, 0);
        decide(SECOND / 2, SECOND / 2 - 3_600 * SECOND);
        assertThat(steps).isOne();
        decide(SECOND / 2, SECOND / 2);
        assertThat(steps).isOne();
        decide(SECOND / 2, SECOND / 2 + 1_100 * MILLI);
        assertThat(steps).isEqualTo(2);
        decide(SECOND / 2, SECOND / 2 + 900 * MILLI);
        assertThat(steps).isEqualTo(2);
    }

    @Test
    void aClockThatStandsStillIsSeenAfterASecond() {
        for (int i = 0; i < 10; i++) {
            decide(300 * MILLI, 0);
        }
        assertThat(steps).isEqualTo(2);
    }

    /** 100 ppm, which is bad: 8.6 s a day. */
    @Test
    void driftIsNoStep() {
        for (int i = 0; i < 100_000; i++) {
            decide(SECOND, SECOND + SECOND / 10_000);
        }
        assertThat(steps).isZero();
    }

    /** Over a quiet week-end, too. */
    @Test
    void driftIsNoStepAfterDaysWithoutDecisions() {
        decide(0, 0);
        decide(200_000 * SECOND, 200_000 * SECOND + 20 * SECOND);
        assertThat(steps).isZero();
        decide(200_000 * SECOND, 200_000 * SECOND - 3_600 * SECOND);
        assertThat(steps).isOne();
    }

    @Test
    void anAnswerThatTookLongIsNoStep() {
        decide(0, 0);
        watch.saw(server, nanos, nanos + 5 * SECOND);
        watch.saw(server + 5_000_000, nanos, nanos + 5 * SECOND);
        assertThat(steps).isZero();
    }

    private void decide(long watchNanos, long serverNanos) {
        nanos += watchNanos;
        server += serverNanos / 1_000;
        watch.saw(server, nanos - MILLI, nanos);
    }

    /**
     * Between two decisions; in µs.
     *
     * @param gap between the end of one and the beginning of the next
     * @param trip how long the decision takes
     * @param within when in it the server decides
     * @param step by how much the server's clock is set before; 0 for most
     */
    private record Decided(long gap, long trip, long within, long step) {
        private static final long SECONDS = 1_000_000;

        static Decided draw(Dice dice) {
            long gap = dice.chance(60) ? dice.number(0, 20 * SECONDS) : dice.number(0, 300_000 * SECONDS);
            long trip = dice.number(0, SECONDS / 10);
            long least = 13 * SECONDS / 10 + gap / 4_000; // what drifts in this time is no step
            long step = dice.chance(80) ? 0 : dice.number(least, least + 4_000 * SECONDS);
            return new Decided(gap, trip, dice.between(0, trip), dice.chance(50) ? step : -step);
        }
    }

    /**
     * Whatever passes in between, however long a round trip takes, and with a clock that drifts
     * by 20 ppm.
     */
    @Test
    void eachStepIsToldOnceAndNothingElseIs() {
        Property.forAll((Dice dice) -> dice.list(2, 20, Decided::draw))
                .tries(20_000)
                .check(decisions -> {
                    int[] told = {0};
                    ClockWatch fresh = new ClockWatch(
                            new Signals() {
                                @Override
                                public void happened(Incident incident) {
                                    told[0] += incident == Incident.CLOCK_STEPPED ? 1 : 0;
                                }
                            },
                            () -> {});
                    long passed = 0;
                    long set = 0;
                    int expected = 0;
                    for (int i = 0; i < decisions.size(); i++) {
                        Decided next = decisions.get(i);
                        long asked = passed + next.gap();
                        long decided = asked + next.within();
                        passed = asked + next.trip();
                        set += i == 0 ? 0 : next.step();
                        expected += i == 0 || next.step() == 0 ? 0 : 1;
                        fresh.saw(
                                1_700_000_000_000_000L + decided + decided / 50_000 + set,
                                asked * 1_000 - 5_000,
                                passed * 1_000 - 5_000);
                        assertThat(told[0]).as("after decision %d", i).isEqualTo(expected);
                    }
                });
    }
}
