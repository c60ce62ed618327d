package dev.limiter.jaxrs.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.jaxrs.internal.settings.LiveSettings;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * How often requests read configuration, and the log lines of a source whose message differs
 * each time.
 */
class ConfigurationReadingsTest {
    private static final Duration PAUSE = Duration.ofSeconds(LiveSettings.PAUSE_SECONDS);
    private static final Policy CARRIER = Policy.of("carrier", Algorithm.GCRA, 5, Duration.ofSeconds(10));

    private final LogLines log = new LogLines("dev.limiter.plan");
    private final MapSettings settings = new MapSettings()
            .with("limiter.policy.carrier.key", "'all'")
            .with("limiter.policy.carrier.algorithm", "GCRA")
            .with("limiter.policy.carrier.limit", "5")
            .with("limiter.policy.carrier.window", "10s");
    private long nanos = Long.MAX_VALUE - 5;
    private int readings;
    private int listed;
    private UnaryOperator<String> source = value -> value;

    /** Counts readings by a question that is asked once in each. */
    private final Settings counted = new Settings() {
        @Override
        public Optional<String> value(String name) {
            readings += name.equals("limiter.policy.carrier.burst") ? 1 : 0;
            return settings.value(name).map(source);
        }

        @Override
        public Iterable<String> names() {
            listed++;
            return settings.names();
        }
    };

    @AfterEach
    void close() {
        log.close();
    }

    private void pass(Duration span) {
        nanos += span.toNanos();
    }

    /** Each look is a request, or a call. */
    private void assertReadOnceForEachPause(Function<Settings, Runnable> made) {
        Runnable look = made.apply(counted);
        readings = 0;
        listed = 0;
        for (int pause = 1; pause <= 3; pause++) {
            pass(PAUSE.minusNanos(1));
            look.run();
            assertThat(readings).as("1 ns before the pause is over").isEqualTo(pause - 1);
            pass(Duration.ofNanos(1));
            for (int request = 0; request < 5; request++) {
                look.run();
            }
            assertThat(readings).as("when the pause is over").isEqualTo(pause);
        }
        pass(Duration.ofHours(1));
        for (int request = 0; request < 5; request++) {
            look.run();
        }
        assertThat(readings).as("after an hour without requests").isEqualTo(4);
        pass(PAUSE.minusNanos(1));
        look.run();
        assertThat(readings).isEqualTo(4);
        assertThat(listed).as("by the first request, and once in each reading").isEqualTo(5);
    }

    @Test
    void requestsReadItOnceForEachPause() {
        assertReadOnceForEachPause(some -> {
            PolicyRegistry policies = new PolicyRegistry(some, Policy.DEFAULT_LEASE, () -> nanos);
            return policies::readAgainWhenDue;
        });
    }

    /** Such as a database that names the time, or the connection, in each message. */
    @Test
    void aSourceThatFailsInOtherWordsEachTimeIsOneLine() {
        PolicyRegistry policies = new PolicyRegistry(counted, Policy.DEFAULT_LEASE, () -> nanos);
        log.taken();
        int[] failures = new int[1];
        source = value -> {
            throw new IllegalStateException("failure " + ++failures[0]);
        };
        for (int i = 0; i < 5; i++) {
            pass(PAUSE);
            policies.readAgainWhenDue();
        }
        assertThat(failures[0]).isGreaterThanOrEqualTo(5);
        assertThat(log.taken())
                .singleElement()
                .asString()
                .startsWith("WARNING java.lang.IllegalStateException: failure")
                .endsWith("; the old settings stay");
        assertThat(policies.named("carrier").version().policy().limit()).isEqualTo(5);
    }

    @Test
    void aSourceThatIsBackIsReadAndEachMistakeIsSaid() {
        PolicyRegistry policies = new PolicyRegistry(counted, Policy.DEFAULT_LEASE, () -> nanos);
        log.taken();
        settings.with("limiter.policy.carrier.limit", "six");
        pass(PAUSE);
        policies.readAgainWhenDue();
        settings.with("limiter.policy.carrier.limit", "seven");
        pass(PAUSE);
        policies.readAgainWhenDue();
        assertThat(log.taken())
                .containsExactly(
                        "WARNING limiter.policy.carrier.limit: must be a whole number, was \"six\"; the old settings stay",
                        "WARNING limiter.policy.carrier.limit: must be a whole number, was \"seven\"; the old settings stay");
        settings.with("limiter.policy.carrier.limit", "8");
        pass(PAUSE);
        policies.readAgainWhenDue();
        assertThat(policies.named("carrier").version().policy().limit()).isEqualTo(8);
    }
}
