package dev.limiter.jaxrs.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.InvalidPolicyException;
import dev.limiter.jaxrs.LogLines;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.platform.LogText;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Log lines for mistakes of a configuration that is read repeatedly. */
@Tag("proof")
class ConfigurationErrorLogTest {
    private long nanos = Long.MAX_VALUE - 1;

    /** The mistakes of one reading; {@code "source"} is what a source throws. */
    private static List<String> reading(Dice dice) {
        return dice.list(0, 3, each -> each.oneOf("setting", "policy", "deployment", "source"));
    }

    private static RuntimeException thrown(String mistake, int number) {
        return switch (mistake) {
            case "setting" -> new InvalidSettingException("limiter.a", "wrong");
            case "policy" -> new InvalidPolicyException("limit", "impossible");
            case "deployment" -> new RateLimitDeploymentException(List.of("first", "second"));
            default -> new IllegalStateException("connection " + number);
        };
    }

    /**
     * A mistake of the operator is logged when it is new or comes back; an exception of a source
     * once a minute, whatever its message.
     */
    @Test
    void eachMistakeIsSaidWhenItComesAndNotWhileItStays() {
        Property.forAll(dice -> dice.list(1, 60, ConfigurationErrorLogTest::reading))
                .tries(2_000)
                .check(readings -> {
                    ConfigurationErrorLog refused = new ConfigurationErrorLog(() -> nanos);
                    long silentUntil = nanos;
                    int number = 0;
                    Set<String> before = Set.of();
                    List<String> expected = new ArrayList<>();
                    try (LogLines log = new LogLines("dev.limiter.plan")) {
                        for (List<String> mistakes : readings) {
                            refused.nextReading();
                            Set<String> now = new HashSet<>();
                            for (String mistake : mistakes) {
                                RuntimeException thrown = thrown(mistake, number++);
                                refused.log(thrown);
                                boolean said = now.add(mistake) && !before.contains(mistake);
                                if (mistake.equals("source")) {
                                    said = nanos - silentUntil >= 0;
                                    silentUntil = said ? nanos + TimeUnit.MINUTES.toNanos(1) : silentUntil;
                                }
                                if (said) {
                                    expected.add("WARNING "
                                            + (mistake.equals("source")
                                                    ? thrown.toString()
                                                    : LogText.ofAll(thrown.getMessage()))
                                            + "; the old settings stay");
                                }
                            }
                            before = now;
                            nanos += TimeUnit.SECONDS.toNanos(LiveSettings.PAUSE_SECONDS);
                        }
                        assertThat(log.taken()).isEqualTo(expected);
                    }
                });
    }
}
