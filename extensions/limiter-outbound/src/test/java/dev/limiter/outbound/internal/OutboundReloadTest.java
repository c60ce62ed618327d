package dev.limiter.outbound.internal;

import static dev.limiter.Algorithm.GCRA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.limiter.Policy;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimiter;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.settings.LiveSettings;
import dev.limiter.jaxrs.internal.settings.WatchedFile;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.spi.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An operator changes the policy of outbound calls while calls run. */
class OutboundReloadTest {
    private static final Duration PAUSE = Duration.ofSeconds(LiveSettings.PAUSE_SECONDS);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final LogLines log = new LogLines("dev.limiter.plan");
    private final MapSettings settings = new MapSettings()
            .with("limiter.policy.carrier.key", "'all'")
            .with("limiter.policy.carrier.algorithm", "GCRA")
            .with("limiter.policy.carrier.limit", "5")
            .with("limiter.policy.carrier.window", "10s");
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private int snapshots;

    /** Counts readings by a name that each reading asks for once. */
    private final Settings counted = new Settings() {
        @Override
        public Optional<String> value(String name) {
            snapshots += name.equals("limiter.policy.carrier.burst") ? 1 : 0;
            return settings.value(name);
        }

        @Override
        public Iterable<String> names() {
            return settings.names();
        }
    };

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        log.close();
    }

    private void pass(Duration span) {
        nanos.addAndGet(span.toNanos());
    }

    /** Each run is a call. */
    private void assertReadOnceForEachPause(Runnable look) {
        snapshots = 0;
        for (int pause = 1; pause <= 3; pause++) {
            pass(PAUSE.minusNanos(1));
            look.run();
            assertThat(snapshots).as("1 ns before the pause is over").isEqualTo(pause - 1);
            pass(Duration.ofNanos(1));
            for (int request = 0; request < 5; request++) {
                look.run();
            }
            assertThat(snapshots).as("when the pause is over").isEqualTo(pause);
        }
        pass(Duration.ofHours(1));
        for (int request = 0; request < 5; request++) {
            look.run();
        }
        assertThat(snapshots).as("after an hour without requests").isEqualTo(4);
        pass(PAUSE.minusNanos(1));
        look.run();
        assertThat(snapshots).isEqualTo(4);
    }

    @Test
    void callsReadItOnceForEachPause() {
        assertReadOnceForEachPause(OutboundPolicy.configured("carrier", counted, nanos::get)::inForce);
    }

    @Test
    void callsAreToldOfEachMistakeOnceToo() {
        OutboundPolicy policy = OutboundPolicy.configured("carrier", counted, nanos::get);
        for (String limit : new String[] {"six", "six", "seven", "seven"}) {
            settings.with("limiter.policy.carrier.limit", limit);
            pass(PAUSE);
            assertThat(policy.inForce().limit()).isEqualTo(5);
        }
        List<String> lines = log.taken();
        assertThat(lines).hasSize(2).allMatch(line -> line.endsWith("; the old settings stay"));
        assertThat(lines.get(0)).contains("limiter.policy.carrier.limit: must be a whole number, was \"six\"");
        assertThat(lines.get(1)).contains("limiter.policy.carrier.limit: must be a whole number, was \"seven\"");
    }

    @Test
    void policiesOfCallsAreChangedByTheFileToo() throws IOException {
        Path file = watchedFile();
        String declared = "limiter.policy.carrier.key='all'\nlimiter.policy.carrier.algorithm=GCRA\n"
                + "limiter.policy.carrier.window=1s\nlimiter.policy.carrier.limit=";
        Files.writeString(file, declared + "5\n");
        OutboundPolicy carrier = OutboundPolicy.configured(
                "carrier", WatchedFile.over(settings, PATIENCE, PATIENCE, nanos::get), nanos::get);
        assertThat(carrier.inForce().limit()).isEqualTo(5);
        Files.writeString(file, declared + "6\n");
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertThat(carrier.inForce().limit()).isEqualTo(6);
        Files.writeString(file, declared + "six\n");
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertThat(carrier.inForce().limit()).isEqualTo(6);
        assertThat(log.taken())
                .contains(
                        "WARNING limiter.policy.carrier.limit: must be a whole number, was \"six\"; the old settings stay");
    }

    /**
     * A pipe without a writer is a source that hangs. While one thread reads it, others do not
     * wait.
     */
    @Test
    void callsGoOnWhileASourceHangs() throws IOException, InterruptedException {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        OutboundPolicy carrier = OutboundPolicy.configured("carrier", settings, nanos::get);
        Runnable call = () -> assertThat(carrier.inForce().limit()).isEqualTo(5);
        settings.hangsIn(pipe);
        pass(PAUSE);
        Thread hanging = new Thread(call);
        hanging.start();
        OutputStream opened = Files.newOutputStream(pipe); // opens when the pipe is read from
        try {
            settings.hangsIn(null);
            pass(PAUSE);
            assertTimeoutPreemptively(PATIENCE, call::run);
        } finally {
            opened.close();
        }
        hanging.join();
    }

    /**
     * A window of 366 days cannot become longer. So that policy keeps the former delay variation,
     * and the month beside it has its pause all the same.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theLongestDelayVariationOfSeveralPoliciesHolds(boolean monthFirst) {
        settings.with("limiter.outbound.delay-variation", "0s");
        OutboundPolicy month =
                OutboundPolicy.given(Policy.of("month", 10, CalendarPeriod.parse("1 month")), settings, nanos::get);
        OutboundPolicy longest =
                OutboundPolicy.given(Policy.of("year", GCRA, 10, Duration.ofDays(366)), settings, nanos::get);
        settings.with("limiter.outbound.delay-variation", "200ms");
        pass(PAUSE);
        RateLimiter limiter = new LocalRateLimiter(() -> Instant.parse("2024-03-31T23:59:59.800Z"));
        OutboundFilter filter = new OutboundFilter(
                monthFirst ? List.of(month, longest) : List.of(longest, month), limiter, null, Duration.ZERO);
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> filter.filter(null));
        assertThat(longest.delayVariation()).isZero();
    }

    private Path watchedFile() {
        Path file = directory.resolve("limits.properties");
        settings.with("limiter.configuration.file", file.toString());
        return file;
    }
}
