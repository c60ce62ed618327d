package dev.limiter.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator reads when the store goes and comes. */
class FallbackLogTest {
    private static final Logger STORE = Logger.getLogger("dev.limiter.store");
    private static final StoreUnavailableException REFUSED =
            new StoreUnavailableException("Redis at host:1 refused", null);

    private final List<String> lines = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            assertThat(line.getLevel()).isEqualTo(Level.WARNING);
            lines.add(new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private long nanos;
    private final FallbackLog log = new FallbackLog(1, () -> nanos);

    @BeforeEach
    void listen() {
        STORE.addHandler(handler);
        STORE.setUseParentHandlers(false);
    }

    @AfterEach
    void leave() {
        STORE.removeHandler(handler);
        STORE.setUseParentHandlers(true);
    }

    @Test
    void theFlipIsSaidWithItsConsequenceThenASummaryAMinuteAndTheReturn() {
        log.storeAnswers();
        for (int i = 0; i < 1_000; i++) {
            log.decided(i % 2 == 0, REFUSED);
        }
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0))
                .startsWith("Redis at host:1 refused; by onStoreFailure = LOCAL this process decides alone")
                .contains("nodes x limit")
                .endsWith("1 admitted and 0 rejected by this process, 0 passed, 0 unavailable");
        seconds(60);
        log.decided(true, REFUSED);
        log.decided(true, REFUSED);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).contains("500 admitted and 500 rejected");
        seconds(5);
        log.storeAnswers();
        log.storeAnswers();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(2))
                .startsWith("The store answers again, after 65 s")
                .contains("1 admitted");
    }

    @Test
    void aStoreThatComesAndGoesManyTimesAMinuteIsNotManyLines() {
        for (int i = 0; i < 1_000; i++) {
            log.unavailable(REFUSED);
            log.storeAnswers();
        }
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0)).contains("onStoreFailure = CLOSED requests are refused");
        seconds(60);
        log.passed(REFUSED);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).contains("onStoreFailure = OPEN", "1 passed, 999 unavailable");
    }

    /** One of three nodes is away, or a full memory lets rejections through. */
    @Test
    void aStoreThatAnswersSomeIsNotBack() {
        for (int i = 0; i < 50; i++) {
            log.decided(true, REFUSED);
            log.storeAnswers();
            seconds(1);
        }
        assertThat(lines).hasSize(1);
        seconds(2);
        log.storeAnswers();
        assertThat(lines.get(1)).startsWith("The store answers again, after 52 s");
    }

    @Test
    void whatAServerSaysIsOneLine() {
        log.decided(true, new StoreUnavailableException("refused\r\nWARNING all is well\u2028", null));
        assertThat(lines.get(0)).startsWith("refused WARNING all is well ; by onStoreFailure");
    }

    @Test
    void aDividedLimitIsSaidToBe() {
        new FallbackLog(4, () -> nanos).decided(true, REFUSED);
        assertThat(lines.get(0)).contains("admits up to 1/4 of the limit (limiter.expected-nodes)");
    }

    private void seconds(long seconds) {
        nanos += TimeUnit.SECONDS.toNanos(seconds);
    }
}
