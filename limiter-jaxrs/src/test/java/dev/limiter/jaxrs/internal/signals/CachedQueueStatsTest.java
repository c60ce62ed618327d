package dev.limiter.jaxrs.internal.signals;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.QueueCensus;
import dev.limiter.StoreUnavailableException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** However many gauges look however often, the store is asked once a second. */
class CachedQueueStatsTest {
    private long nanos;
    private int asked;
    private boolean fails;
    private final CachedQueueStats census = new CachedQueueStats(this::ask, () -> nanos);

    private QueueCensus ask() {
        asked++;
        if (fails) {
            throw new StoreUnavailableException("away", null);
        }
        return new QueueCensus(2, 1, 4, Duration.ofMillis(1_500));
    }

    @Test
    void oneAnswerLastsASecond() {
        for (int look = 0; look < 5; look++) {
            assertThat(census.figure(QueueCensus::length)).isEqualTo(3);
            assertThat(census.figure(QueueCensus::dead)).isEqualTo(4);
            assertThat(census.figure(CachedQueueStats::ageSeconds)).isEqualTo(1.5);
        }
        assertThat(asked).isEqualTo(1);
        nanos += 999_999_999;
        census.figure(QueueCensus::length);
        assertThat(asked).isEqualTo(1);
        nanos++;
        census.figure(QueueCensus::length);
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void aStoreThatIsAwayIsNotAskedMoreOftenAndThereIsNoNumber() {
        fails = true;
        assertThat(census.figure(QueueCensus::length)).isNaN();
        assertThat(census.figure(QueueCensus::dead)).isNaN();
        assertThat(asked).isEqualTo(1);
        fails = false;
        nanos += 1_000_000_000;
        assertThat(census.figure(QueueCensus::length)).isEqualTo(3);
    }
}
