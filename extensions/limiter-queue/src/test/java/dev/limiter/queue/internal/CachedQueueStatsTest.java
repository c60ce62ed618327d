package dev.limiter.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.StoreUnavailableException;
import dev.limiter.queue.QueueStats;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** However many gauges look however often, the store is asked once a second. */
class CachedQueueStatsTest {
    private long nanos;
    private int asked;
    private boolean fails;
    private final CachedQueueStats stats = new CachedQueueStats(this::ask, () -> nanos);

    private QueueStats ask() {
        asked++;
        if (fails) {
            throw new StoreUnavailableException("away", null);
        }
        return new QueueStats(2, 1, 4, Duration.ofMillis(1_500));
    }

    @Test
    void oneAnswerLastsASecond() {
        for (int look = 0; look < 5; look++) {
            assertThat(stats.figure(QueueStats::length)).isEqualTo(3);
            assertThat(stats.figure(QueueStats::dead)).isEqualTo(4);
            assertThat(stats.figure(CachedQueueStats::ageSeconds)).isEqualTo(1.5);
        }
        assertThat(asked).isEqualTo(1);
        nanos += 999_999_999;
        stats.figure(QueueStats::length);
        assertThat(asked).isEqualTo(1);
        nanos++;
        stats.figure(QueueStats::length);
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void aStoreThatIsAwayIsNotAskedMoreOftenAndThereIsNoNumber() {
        fails = true;
        assertThat(stats.figure(QueueStats::length)).isNaN();
        assertThat(stats.figure(QueueStats::dead)).isNaN();
        assertThat(asked).isEqualTo(1);
        fails = false;
        nanos += 1_000_000_000;
        assertThat(stats.figure(QueueStats::length)).isEqualTo(3);
    }
}
