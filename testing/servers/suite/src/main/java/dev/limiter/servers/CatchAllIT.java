package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.util.List;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A service whose mapper turns all exceptions into a 500: a rejection stays a 429. */
@ExtendWith(ArquillianExtension.class)
class CatchAllIT {
    /** A policy that no annotation declares. */
    static final Map<String, String> ACCOUNT = Map.of(
            "limiter.policy.account.key", "'all'",
            "limiter.policy.account.algorithm", "SLIDING_LOG",
            "limiter.policy.account.limit", "1",
            "limiter.policy.account.window", "1h");

    @ArquillianResource
    private URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of(
                "catch-all",
                ACCOUNT,
                "AnswersResource",
                "AcquiringResource",
                "EndsResource",
                "EndsResource$Sub",
                "Counted",
                "Gate",
                "TeapotException",
                "OriginalRequest",
                "CatchAllMapper");
    }

    @BeforeEach
    void emptyRedis() {
        SharedRedis.empty();
    }

    /** A rejection before the method, and one that the method's own call throws. */
    @ParameterizedTest
    @CsvSource({"answers/once, once", "acquired/blue, account"})
    void aRejectionStaysWhatItIs(String path, String policy) {
        assertThat(to(server).get(path).statusCode()).isEqualTo(200);
        Response rejected = to(server).get(path);
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.contentType()).startsWith("application/problem+json");
        assertThat(rejected.violatedPolicies()).isEqualTo(List.of(policy));
        assertThat(rejected.header("Retry-After")).isNotNull();
        assertThat(remaining(rejected, policy)).isZero();
    }

    @Test
    void anotherAccountIsAnotherPartition() {
        assertThat(to(server).get("acquired/blue").statusCode()).isEqualTo(200);
        assertThat(to(server).get("acquired/green").statusCode()).isEqualTo(200);
    }

    @Test
    void everythingElseIsTheServices() {
        Response failed = to(server).get("ends/unmapped");
        assertThat(failed.statusCode()).isEqualTo(500);
        assertThat(failed.asString()).isEqualTo("caught");
        assertThat(remaining(failed, "units")).isEqualTo(99);
    }
}
