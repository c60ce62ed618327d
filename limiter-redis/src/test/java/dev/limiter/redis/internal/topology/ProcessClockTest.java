package dev.limiter.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProcessClockTest {
    private final AtomicLong nanos = new AtomicLong(1_000);
    private final ProcessClock clock = new ProcessClock(nanos::get, 10);

    @Test
    void itStandsWhenABeatIsLate() {
        clock.beat(true);
        nanos.addAndGet(10);
        assertThat(clock.getAsLong()).isEqualTo(1_010);
        nanos.addAndGet(500);
        assertThat(clock.getAsLong()).isEqualTo(1_010);
        clock.beat(true);
        nanos.addAndGet(7);
        assertThat(clock.getAsLong()).isEqualTo(1_017);
        assertThat(clock.realNanos()).isEqualTo(1_517);
    }

    @Test
    void itStandsUntilTheNextBeatIfThatTimeDoesNotCount() {
        clock.beat(false);
        nanos.addAndGet(7);
        clock.beat(true);
        nanos.addAndGet(2);
        assertThat(clock.getAsLong()).isEqualTo(1_002);
    }

    @Test
    void itGoesOnWhileNoBeatIsToCome() {
        nanos.addAndGet(500);
        assertThat(clock.getAsLong()).isEqualTo(1_500);
        clock.beat(true);
        clock.rest();
        nanos.addAndGet(500);
        assertThat(clock.getAsLong()).isEqualTo(2_000);
    }
}
