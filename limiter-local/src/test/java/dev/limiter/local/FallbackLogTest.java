package dev.limiter.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.internal.store.Receipt;
import dev.limiter.local.internal.fallback.FallbackLog;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.local.internal.memory.SteadyClock;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The log lines of an outage. */
class FallbackLogTest {
    private static final Logger STORE = Logger.getLogger("dev.limiter.store");
    private static final StoreUnavailableException REFUSED =
            new StoreUnavailableException("Redis at host:1 refused", null);

    private static final Policy ONE = Policy.of("one", Algorithm.SLIDING_LOG, 1, Duration.ofHours(1));
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final CheckGroup TWO =
            CheckGroup.of(Check.of(ONE, ALICE), Check.of(Policy.concurrency("flight", 1), ALICE));

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
            decided(i % 2 == 0);
        }
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0))
                .startsWith("Redis at host:1 refused; onStoreFailure = LOCAL lets this process decide alone")
                .contains("instances x limit")
                .endsWith("counted as in limiter.decisions: 1 fallback_admitted, 0 fallback_rejected, 0 unavailable");
        seconds(60);
        decided(true);
        decided(true);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).endsWith(" 500 fallback_admitted, 500 fallback_rejected, 0 unavailable");
        seconds(5);
        log.storeAnswers();
        log.storeAnswers();
        assertThat(lines).hasSize(3);
        assertThat(lines.get(2))
                .startsWith("The store answers again, after 65 s")
                .endsWith(" 1 fallback_admitted, 0 fallback_rejected, 0 unavailable");
    }

    @Test
    void aStoreThatComesAndGoesManyTimesAMinuteIsNotManyLines() {
        for (int i = 0; i < 1_000; i++) {
            log.counts(TWO);
            log.away(OnStoreFailure.CLOSED, REFUSED);
            log.storeAnswers();
        }
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0)).contains("onStoreFailure = CLOSED refuses requests");
        seconds(60);
        log.away(OnStoreFailure.OPEN, REFUSED);
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).contains("onStoreFailure = OPEN").endsWith("0 fallback_rejected, 1998 unavailable");
    }

    /** One of three nodes is away, or the memory is full and only rejections are answered. */
    @Test
    void aStoreThatAnswersSomeIsNotBack() {
        for (int i = 0; i < 50; i++) {
            decided(true);
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
        log.away(OnStoreFailure.LOCAL, new StoreUnavailableException("refused\r\nWARNING all is well\u2028", null));
        assertThat(lines.get(0)).startsWith("refused WARNING all is well ; onStoreFailure");
    }

    @Test
    void aDividedLimitIsSaidToBe() {
        new FallbackLog(4, () -> nanos).away(OnStoreFailure.LOCAL, REFUSED);
        assertThat(lines.get(0)).contains("admits up to 1/4 of the limit (limiter.expected-instances)");
    }

    /**
     * The log counts the decisions that callers get in an outage. Charges, peeks and renewals
     * are no decisions.
     */
    @Test
    void theReturnSaysWhatTheMetersHaveCounted() {
        VirtualClock clock = new VirtualClock();
        FailingStore store = new FailingStore(new LocalRateLimiter(clock));
        RateLimiter limiter =
                new FallbackRateLimiter(store, OnStoreFailure.LOCAL, 1, Signals.NONE, new FollowingStore(clock));
        Policy five = Policy.of("five", Algorithm.SLIDING_LOG, 5, Duration.ofHours(1));
        Policy hundred = Policy.of("hundred", Algorithm.SLIDING_LOG, 100, Duration.ofHours(1));
        Policy open = five.whenStoreFails(OnStoreFailure.OPEN);
        Policy closed = Policy.of("closed", Algorithm.SLIDING_LOG, 5, Duration.ofHours(1))
                .whenStoreFails(OnStoreFailure.CLOSED);
        Policy shadow = Policy.of("shadow", Algorithm.SLIDING_LOG, 1, Duration.ofHours(1))
                .asShadow();
        Policy flight = Policy.concurrency("flight", 10);
        CheckGroup both = CheckGroup.of(Check.of(five, ALICE), Check.of(hundred, ALICE), Check.of(shadow, ALICE));
        store.state = FailingStore.State.DOWN;
        limiter.acquire(hundred, ALICE);
        lines.clear();
        Tally tally = new Tally();
        for (int i = 0; i < 8; i++) {
            tally.add(limiter.acquire(both));
        }
        tally.add(limiter.acquire(open, PartitionKey.of("user", "bob")));
        CheckGroup job = CheckGroup.of(Check.ofLease(flight, ALICE, "job"));
        tally.add(limiter.acquire(job));
        for (Decision decision : limiter.acquireEach(List.of(both, CheckGroup.of(Check.of(hundred, ALICE))))) {
            tally.add(decision);
        }
        CheckGroup unavailable = CheckGroup.of(Check.of(closed, ALICE), Check.of(hundred, ALICE));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.acquire(unavailable));
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquireEach(List.of(unavailable)));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.peek(unavailable));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> limiter.charge(closed, ALICE, 1));
        limiter.acquireEach(List.of(job));
        limiter.charge(hundred, ALICE, 1);
        limiter.charge(open, ALICE, 1);
        limiter.peek(both);
        store.state = FailingStore.State.UP;
        clock.advance(3_000_000);
        tally.add(limiter.acquire(both));
        limiter.acquire(hundred, PartitionKey.of("user", "bob"));
        assertThat(tally.admitted).isEqualTo(5 * 2 + 1 + 1 + 1 + 1);
        assertThat(tally.rejected).isEqualTo(3 + 1 + 1);
        assertThat(lines)
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("The store answers again")
                .endsWith(": " + tally.admitted + " fallback_admitted, " + tally.rejected
                        + " fallback_rejected, 4 unavailable");
    }

    /** In a cluster the store admits a shadow whose node is down. */
    @Test
    void anAnswerThatTheStoreGaveWithoutAskingIsCounted() {
        FailingStore store = new FailingStore(new LocalRateLimiter());
        store.state = FailingStore.State.DOWN;
        RateLimiter gaps = new FallbackRateLimiter(
                store, OnStoreFailure.OPEN, 1, Signals.NONE, new FollowingStore(new SteadyClock()));
        RateLimiter limiter = new FallbackRateLimiter(
                gaps, OnStoreFailure.LOCAL, 1, Signals.NONE, new FollowingStore(new SteadyClock()));
        limiter.acquire(ONE, ALICE);
        lines.clear();
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquire(ONE.whenStoreFails(OnStoreFailure.CLOSED), ALICE));
        assertThat(lines)
                .singleElement(InstanceOfAssertFactories.STRING)
                .endsWith(": 1 fallback_admitted, 0 fallback_rejected, 1 unavailable");
    }

    /**
     * Counts as the meters do: an admitted group for each policy, a rejected group for the
     * policies that rejected.
     */
    private static final class Tally {
        private int admitted;
        private int rejected;

        void add(Decision decision) {
            if (decision instanceof Decision.Rejected rejection) {
                rejected += rejection.failing().size();
            } else {
                admitted += (int) decision.results().stream()
                        .filter(CheckResult::admitted)
                        .count();
            }
        }
    }

    private void decided(boolean admits) {
        CheckResult result = new CheckResult(ONE, admits, 0, 0, 0, admits ? 0 : 1, 1, 1, true);
        log.counts(
                admits
                        ? new Decision.Admitted(List.of(result), 0, new Receipt(List.of(), List.of(), 0))
                        : new Decision.Rejected(List.of(result), 0));
        log.away(OnStoreFailure.LOCAL, REFUSED);
    }

    private void seconds(long seconds) {
        nanos += TimeUnit.SECONDS.toNanos(seconds);
    }
}
