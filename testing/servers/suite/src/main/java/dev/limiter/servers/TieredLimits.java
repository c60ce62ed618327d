package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Other limits for other callers, on one partition. */
interface TieredLimits extends Topic {
    Policy LOG = Policy.of("log", Algorithm.SLIDING_LOG, 5, Duration.ofHours(1));

    @ParameterizedTest
    @CsvSource({
        "log,     none,   5,  3600,   5  0",
        "log,     silver, 10, 3600,   10 0",
        "log,     gold,   20, 3600,   20 0",
        "counter, none,   5,  86400,  5  0",
        "counter, gold,   20, 86400,  20 0",
        "bucket,  none,   5,  86400,  5  5",
        "bucket,  silver, 10, 172800, 5  10",
        "bucket,  gold,   20, 345600, 5  20",
    })
    default void eachTierHasItsNumbers(String path, String plan, int most, int window, String policy) {
        for (int left = most - 1; left >= 0; left--) {
            Response response = get(path, plan);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.header("RateLimit-Policy")).isEqualTo("\"" + path + "\";q=" + most + ";w=" + window);
            assertThat(remaining(response, path)).isEqualTo(left);
            assertThat(response.asString()).isEqualTo(policy.replaceAll(" +", " ") + " " + left);
        }
        assertThat(get(path, plan).statusCode()).isEqualTo(429);
    }

    @ParameterizedTest
    @ValueSource(strings = {"log", "counter", "bucket"})
    default void anUpgradeKeepsWhatWasUsed(String path) {
        use(5, path, "none");
        assertThat(get(path, "none").statusCode()).isEqualTo(429);
        assertThat(remaining(get(path, "gold"), path))
                .as("15 left, and this was one")
                .isEqualTo(14);
        use(14, path, "gold");
        assertThat(get(path, "gold").statusCode()).isEqualTo(429);
    }

    @ParameterizedTest
    @ValueSource(strings = {"log", "counter", "bucket"})
    default void aDowngradeKeepsWhatWasUsed(String path) {
        use(7, path, "gold");
        Response none = get(path, "none");
        assertThat(none.statusCode()).isEqualTo(429);
        assertThat(remaining(none, path)).isZero();
        assertThat(remaining(get(path, "silver"), path))
                .as("3 left, and this was one")
                .isEqualTo(2);
        assertThat(remaining(get(path, "gold"), path))
                .as("who is rejected used nothing up")
                .isEqualTo(11);
    }

    @Test
    default void anUnknownTierHasTheNumbersOfNone() {
        Response unknown = get("log", "platinum");
        assertThat(unknown.header("RateLimit-Policy")).isEqualTo("\"log\";q=5;w=3600");
        assertThat(remaining(unknown, "log")).isEqualTo(4);
        assertThat(remaining(get("log", "none"), "log")).as("and its partition").isEqualTo(3);
    }

    @Test
    default void anUnlimitedCallerIsNotCountedAndToldNothing() {
        use(5, "log", "none");
        for (int i = 0; i < 30; i++) {
            Response response = get("log", "partner");
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.header("RateLimit-Policy")).isNull();
            assertThat(response.header("RateLimit")).isNull();
            assertThat(response.asString()).as("decisions").isEmpty();
        }
        assertThat(charged().units(LOG)).isEqualTo(5);
    }

    private void use(int times, String path, String plan) {
        for (int i = 0; i < times; i++) {
            assertThat(get(path, plan).statusCode()).isEqualTo(200);
        }
    }

    private Response get(String path, String plan) {
        return plan.equals("none")
                ? to(server()).get("tiers/" + path)
                : to(server()).header("Test-Plan", plan).get("tiers/" + path);
    }
}
