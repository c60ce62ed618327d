package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.spi.Signals;
import org.junit.jupiter.api.Test;

class ClockWatchTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private int steps;
    private final ClockWatch watch = new ClockWatch(new Signals() {
        @Override
        public void clockStepped() {
            steps++;
        }
    });

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
    void driftIsNoStepWhenNobodyDecidesForDays() {
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
}
