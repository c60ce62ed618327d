package dev.limiter.redis.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BreakerTest {
    private final AtomicLong nanos = new AtomicLong(-5);
    private final Breaker breaker = new Breaker(nanos::get);

    @Test
    void theFifthFailureInARowOpensItAndSaysWhatFailed() {
        for (int i = 1; i < Breaker.IN_A_ROW; i++) {
            assertThat(breaker.failed("silence " + i)).isFalse();
        }
        assertThat(breaker.openedBy()).isNull();
        assertThat(breaker.failed("silence")).isTrue();
        assertThat(breaker.openedBy()).isEqualTo("silence");
        assertThat(breaker.failed("silence again")).isFalse();
        assertThat(breaker.openedBy()).isEqualTo("silence");
    }

    @Test
    void aSuccessInBetweenBeginsANewRow() {
        for (int i = 0; i < 2 * Breaker.IN_A_ROW; i++) {
            if (i % (Breaker.IN_A_ROW - 1) == 0) {
                breaker.succeeded();
            }
            assertThat(i < 2 * Breaker.IN_A_ROW - 1 && breaker.failed("silence"))
                    .isFalse();
        }
    }

    /** Every other call fails: never two in a row, and half of all. */
    @Test
    void halfOfTheLastTwentyOpenIt() {
        boolean opened = false;
        int failures = 0;
        for (int i = 0; !opened && i < 100; i++) {
            opened = breaker.failed("silence");
            failures++;
            breaker.succeeded();
        }
        assertThat(failures).isBetween(10, 11);
    }

    @Test
    void oneOfThreeDoesNot() {
        for (int i = 0; i < 300; i++) {
            assertThat(i % 3 == 0 && breaker.failed("silence")).isFalse();
            breaker.succeeded();
        }
    }

    @Test
    void failuresOfMoreThanTenSecondsAgoDoNotCount() {
        for (int i = 0; i < 100; i++) {
            assertThat(breaker.failed("silence")).isFalse();
            breaker.succeeded();
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1_150));
        }
    }

    @Test
    void aServerThatIsBackBeginsAnew() {
        assertThat(breaker.open("nobody there")).isTrue();
        assertThat(breaker.open("still nobody")).isFalse();
        assertThat(breaker.close()).isTrue();
        assertThat(breaker.close()).isFalse();
        for (int i = 1; i < Breaker.IN_A_ROW; i++) {
            assertThat(breaker.failed("silence")).isFalse();
        }
    }

    @Test
    void knowsForTenSecondsThatItWasClosed() {
        breaker.close();
        assertThat(breaker.closedLately()).isFalse();
        breaker.open("nobody there");
        assertThat(breaker.closedLately()).isFalse();
        breaker.close();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(Breaker.SPAN_SECONDS) - 1);
        assertThat(breaker.closedLately()).isTrue();
        nanos.addAndGet(1);
        assertThat(breaker.closedLately()).isFalse();
    }
}
