package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A service whose mapper turns all exceptions into a 500: a rejection stays a 429. */
interface CatchAll extends Topic {
    /** A policy that no annotation declares. */
    Map<String, String> ACCOUNT = Map.of(
            "limiter.policy.account.key", "'all'",
            "limiter.policy.account.algorithm", "SLIDING_LOG",
            "limiter.policy.account.limit", "1",
            "limiter.policy.account.window", "1h");

    /** A rejection before the method, and one that the method's own call throws. */
    @ParameterizedTest
    @CsvSource({"answers/once, once", "acquired/blue, account"})
    default void aRejectionStaysWhatItIs(String path, String policy) {
        assertThat(to(server()).get(path).statusCode()).isEqualTo(200);
        Response rejected = to(server()).get(path);
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.contentType()).startsWith("application/problem+json");
        assertThat(rejected.violatedPolicies()).isEqualTo(List.of(policy));
        assertThat(rejected.header("Retry-After")).isNotNull();
        assertThat(remaining(rejected, policy)).isZero();
    }

    @Test
    default void anotherAccountIsAnotherPartition() {
        assertThat(to(server()).get("acquired/blue").statusCode()).isEqualTo(200);
        assertThat(to(server()).get("acquired/green").statusCode()).isEqualTo(200);
    }

    @Test
    default void everythingElseIsTheServices() {
        Response failed = to(server()).get("ends/unmapped");
        assertThat(failed.statusCode()).isEqualTo(500);
        assertThat(failed.asString()).isEqualTo("caught");
        assertThat(remaining(failed, "units")).isEqualTo(99);
    }
}
