package dev.limiter.redis.internal.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.spi.CredentialsSource;
import dev.limiter.spi.CredentialsSource.Credentials;
import dev.limiter.spi.Signals;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** When a source is called, and what becomes of its answers, in virtual time. */
class ChangingCredentialsTest {
    private static final Instant BEGIN = Instant.parse("2026-11-24T12:00:00Z");

    private final VirtualTimer timer = new VirtualTimer();
    private final BlockingQueue<CredentialsSource> answers = new LinkedBlockingQueue<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger passes = new AtomicInteger();
    private final List<String> log = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public synchronized void publish(LogRecord line) {
            log.add(line.getMessage() + List.of(line.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };
    private final ChangingCredentials credentials = new ChangingCredentials(
            this::answer,
            new Signals() {
                @Override
                public void happened(Incident incident) {
                    failures.addAndGet(incident == Incident.CREDENTIALS_FAILURES ? 1 : 0);
                }
            },
            () -> BEGIN.plusMillis(timer.millis()),
            () -> TimeUnit.MILLISECONDS.toNanos(timer.millis()),
            timer);

    @BeforeEach
    void listen() {
        Logger.getLogger("dev.limiter.store").addHandler(handler);
        credentials.whenRenewed(passes::incrementAndGet, 150);
    }

    @AfterEach
    void close() {
        credentials.close();
        Logger.getLogger("dev.limiter.store").removeHandler(handler);
    }

    private Credentials answer() throws Exception {
        calls.incrementAndGet();
        return answers.take().newest();
    }

    private static Credentials until(String password, long millis) {
        return new Credentials("limiter", password, BEGIN.plusMillis(millis));
    }

    private static void await(BooleanSupplier condition) {
        Awaitility.await().pollInterval(Duration.ofMillis(2)).until(condition::getAsBoolean);
    }

    /** Lets the next call end with this answer, and waits until the next one is planned. */
    private void gives(CredentialsSource answer) {
        int planned = timer.planned();
        answers.add(answer);
        await(() -> timer.planned() > planned && answers.isEmpty());
    }

    private void startsWith(CredentialsSource answer) {
        answers.add(answer);
        timer.atOnce();
        credentials.start();
    }

    private String password() {
        return credentials.newest().credentials().password();
    }

    private List<String> log() {
        synchronized (handler) {
            return List.copyOf(log);
        }
    }

    @Test
    void theyAreRenewedWhenThreeQuartersOfTheirTimeHavePassed() {
        startsWith(() -> until("first", 60_000));
        assertThat(password()).isEqualTo("first");
        timer.passUntil(44_999);
        assertThat(calls).hasValue(1);
        timer.passUntil(45_000);
        gives(() -> until("second", 120_000));
        await(() -> password().equals("second"));
        timer.passUntil(45_000 + 75_000 / 4 * 3 - 1);
        assertThat(calls).hasValue(2);
        timer.passUntil(45_000 + 75_000 / 4 * 3);
        await(() -> calls.get() == 3);
        assertThat(failures).hasValue(0);
        assertThat(log()).isEmpty();
    }

    @Test
    void idleConnectionsAreLookedAtWhenThoseInUseHaveCome() {
        startsWith(() -> until("first", 60_000));
        timer.passUntil(45_000);
        gives(() -> until("second", 120_000));
        timer.passUntil(45_149);
        assertThat(passes).hasValue(0);
        timer.passUntil(45_150);
        await(() -> passes.get() == 1);
    }

    /** A deadline of a minute does not make it too late. */
    @Test
    void idleConnectionsAreLookedAtBeforeTheOldOnesEnd() {
        credentials.whenRenewed(passes::incrementAndGet, 60_000);
        startsWith(() -> until("first", 2_000));
        timer.passUntil(1_500);
        gives(() -> until("second", 4_000));
        timer.passUntil(1_750);
        await(() -> passes.get() == 1);
    }

    @Test
    void withoutAnEndTheyAreNotAskedForAgain() {
        startsWith(() -> new Credentials(null, "for good", null));
        timer.passUntil(TimeUnit.DAYS.toMillis(1_000));
        assertThat(calls).hasValue(1);
        assertThat(credentials.newest().getUser()).isNull();
        assertThat(credentials.newest().getPassword()).containsExactly("for good".toCharArray());
    }

    @Test
    void anEndThatIsFarAwayIsAllowed() {
        startsWith(() -> new Credentials("limiter", "long", Instant.MAX));
        assertThat(password()).isEqualTo("long");
        assertThat(failures).hasValue(0);
    }

    @Test
    void aFailureKeepsTheLastOnesAndIsRepeatedEachSecondAndLoggedOnce() {
        startsWith(() -> until("first", 60_000));
        timer.passUntil(45_000);
        for (int second = 1; second <= 3; second++) {
            gives(() -> {
                throw new IOException("the password is first");
            });
            assertThat(password()).isEqualTo("first");
            assertThat(calls).hasValue(1 + second);
            int failed = second;
            await(() -> failures.get() == failed);
            timer.passUntil(45_000 + second * 1_000 - 1);
            assertThat(calls).hasValue(1 + second);
            timer.passUntil(45_000 + second * 1_000);
            int next = 2 + second;
            await(() -> calls.get() == next);
        }
        assertThat(log()).hasSize(1);
        assertThat(log().get(0))
                .contains("it threw java.io.IOException at " + getClass().getName(), "2026-11-24T12:01:00Z")
                .doesNotContain("the password is");
        gives(() -> until("second", 120_000));
        await(() -> password().equals("second"));
    }

    @Test
    void theSameCauseIsLoggedAgainAfterAnAnswerAndAMinute() {
        AtomicLong nanos = new AtomicLong();
        CredentialsLog lines = new CredentialsLog("vault", Signals.NONE, nanos::get);
        for (int second = 0; second < 60; second++) {
            nanos.set(TimeUnit.SECONDS.toNanos(second));
            lines.failed("it returned null", null);
            lines.answered();
        }
        assertThat(log()).hasSize(1);
        nanos.set(TimeUnit.SECONDS.toNanos(60));
        lines.failed("it returned null", null);
        assertThat(log()).as("without an answer").hasSize(1);
        lines.failed("it threw", null);
        assertThat(log()).as("another cause").hasSize(2);
        lines.answered();
        lines.failed("it returned null", null);
        assertThat(log()).hasSize(3);
    }

    /** Of what holds two seconds, a retry after a second would come too late. */
    @Test
    void aFailureIsRepeatedSoonerIfTheyEndSooner() {
        startsWith(() -> until("first", 2_000));
        timer.passUntil(1_500);
        gives(() -> null);
        timer.passUntil(1_750);
        await(() -> calls.get() == 3);
        gives(() -> null);
        timer.passUntil(1_875);
        await(() -> calls.get() == 4);
        gives(() -> null);
        timer.passUntil(1_975); // not sooner than a tenth of a second
        await(() -> calls.get() == 5);
    }

    @ParameterizedTest
    @CsvSource({"null, null", "no password, no password", "have expired, now", "have expired, before all time"})
    void whatCannotBeUsedIsSaid(String words, String given) {
        Credentials answer = switch (given) {
            case "null" -> null;
            case "no password" -> new Credentials("limiter", "", null);
            case "now" -> until("late", 0);
            default -> new Credentials("limiter", "late", Instant.MIN);
        };
        startsWith(() -> answer);
        await(() -> failures.get() == 1);
        assertThat(log()).singleElement().asString().contains(words).doesNotContain("late");
        assertThatExceptionOfType(JedisConnectionException.class)
                .isThrownBy(credentials::newest)
                .withMessageContaining("has given no credentials yet: it returned")
                .withMessageContaining(words);
    }

    @Test
    void aSourceThatHangsIsCalledOnceMoreButNotAThirdTime() {
        startsWith(() -> until("first", 60_000));
        CountDownLatch end = new CountDownLatch(1);
        CredentialsSource hanging = () -> {
            awaitUninterrupted(end);
            return until("late", 180_000);
        };
        timer.passUntil(45_000);
        answers.add(hanging);
        answers.add(hanging);
        await(() -> calls.get() == 2);
        timer.passUntil(54_999);
        assertThat(failures).hasValue(0);
        timer.passUntil(55_000);
        await(() -> failures.get() == 1);
        assertThat(password()).isEqualTo("first");
        timer.passUntil(56_000);
        await(() -> calls.get() == 3);
        timer.passUntil(66_000);
        await(() -> failures.get() == 2);
        timer.passUntil(120_000);
        assertThat(calls).as("two hang").hasValue(3);
        await(() -> failures.get() == 2 + 54);
        assertThat(log()).hasSize(2).last().asString().contains("two calls to it have not returned");
        assertThat(password()).as("kept though they have ended").isEqualTo("first");
        end.countDown();
        await(() -> password().equals("late"));
        assertThat(failures).hasValue(2 + 54);
    }

    @Test
    void anAnswerThatWasOvertakenIsNotUsed() {
        startsWith(() -> until("first", 60_000));
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        timer.passUntil(45_000);
        answers.add(() -> {
            awaitUninterrupted(end);
            over.countDown();
            return until("second", 120_000);
        });
        await(() -> calls.get() == 2 && answers.isEmpty());
        timer.passUntil(56_000);
        gives(() -> until("third", 180_000));
        await(() -> password().equals("third"));
        end.countDown();
        await(() -> over.getCount() == 0
                && Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("limiter-credentials")));
        assertThat(password()).isEqualTo("third");
    }

    /** As a socket does. */
    private static void awaitUninterrupted(CountDownLatch end) {
        while (end.getCount() > 0) {
            try {
                end.await();
            } catch (InterruptedException ignored) {
                // and goes on
            }
        }
    }

    @Test
    void afterTheirEndAFailureIsRepeatedEachSecond() {
        startsWith(() -> until("first", 400));
        timer.passUntil(300);
        gives(() -> null);
        timer.passUntil(400);
        gives(() -> null);
        timer.passUntil(1_399);
        assertThat(calls).hasValue(3);
        timer.passUntil(1_400);
        await(() -> calls.get() == 4);
    }

    @Test
    void aLateCallIsInterruptedAndItsEndIsNoFurtherFailure() {
        answers.add(() -> {
            new CountDownLatch(1).await();
            return null;
        });
        timer.atOnce();
        Thread starting = new Thread(credentials::start);
        starting.start();
        await(() -> calls.get() == 1 && answers.isEmpty());
        timer.passUntil(10_000);
        await(() -> !starting.isAlive());
        answers.add(() -> until("first", 60_000));
        timer.passUntil(11_000);
        await(() -> calls.get() == 2);
        await(() -> answers.isEmpty());
        await(() -> failures.get() == 1);
    }

    @Test
    void theSameAnswerIsNotToldToRedisAgain() {
        startsWith(() -> until("first", 60_000));
        ChangingCredentials.Known before = credentials.newest();
        timer.passUntil(45_000);
        gives(() -> until("first", 60_000));
        assertThat(credentials.newest()).isSameAs(before);
    }

    @Test
    void whatRedisRefusesIsAskedForAgainButNotTwiceASecond() {
        startsWith(() -> new Credentials("limiter", "wrong", null));
        ChangingCredentials.Known wrong = credentials.newest();
        timer.passUntil(5_000);
        for (int connection = 0; connection < 3; connection++) {
            credentials.refused(wrong, "WRONGPASS invalid username-password pair");
        }
        await(() -> failures.get() == 1);
        timer.passUntil(5_000);
        await(() -> calls.get() == 2);
        gives(() -> new Credentials("limiter", "wrong", null), wrong);
        credentials.refused(credentials.newest(), "WRONGPASS invalid username-password pair");
        timer.passUntil(5_999);
        assertThat(calls).hasValue(2);
        timer.passUntil(6_000);
        await(() -> calls.get() == 3);
        gives(() -> new Credentials("limiter", "right", null), credentials.newest());
        assertThat(password()).isEqualTo("right");
        credentials.refused(wrong, "WRONGPASS of a connection that is late");
        timer.passUntil(100_000);
        assertThat(calls).hasValue(3);
        assertThat(log()).singleElement().asString().contains("Redis says WRONGPASS");
    }

    private void gives(CredentialsSource answer, ChangingCredentials.Known before) {
        answers.add(answer);
        await(() -> credentials.newest() != before);
    }

    @Test
    void aRefusalIsFoundInWhyAConnectionWasNotOpened() {
        startsWith(() -> new Credentials("limiter", "wrong", null));
        timer.passUntil(5_000);
        credentials.refusedIn(new JedisConnectionException("no connection"));
        credentials.refusedIn(new JedisAccessControlException("NOPERM User limiter has no permissions"));
        assertThat(failures).hasValue(0);
        credentials.refusedIn(new JedisAccessControlException("WRONGPASS invalid username-password pair"));
        assertThat(failures).hasValue(1);
    }

    @Test
    void noTextHasThePassword() {
        startsWith(() -> until("secret", 60_000));
        assertThat(credentials.newest().toString()).contains("limiter").doesNotContain("secret");
    }

    @Test
    void aCallUnderWayIsInterruptedAtTheEnd() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        startsWith(() -> until("first", 60_000));
        timer.passUntil(45_000);
        answers.add(() -> {
            try {
                new CountDownLatch(1).await();
            } finally {
                interrupted.countDown();
            }
            return null;
        });
        await(() -> calls.get() == 2 && answers.isEmpty());
        credentials.close();
        assertThat(interrupted.await(1, TimeUnit.MINUTES)).isTrue();
    }
}
