package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.net.URL;
import java.time.Duration;
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

/** The limits of a whole application, in three stages around matching and authentication. */
@ExtendWith(ArquillianExtension.class)
class ApplicationLimitsIT {
    private static final Policy EACH = Policy.of("each", Algorithm.SLIDING_LOG, 5, Duration.ofHours(1));

    private static final String FLOOD = "\"flood\";q=20;w=3600";
    private static final String GUESS = "\"guess\";q=10;w=3600";
    private static final String USER = "\"each\";q=5;w=3600";

    private static final Policy VERBS = Policy.of("verbs", Algorithm.SLIDING_LOG, 100, Duration.ofHours(1));

    private final Charged charged = new Charged("guarded");

    @ArquillianResource
    private URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.withoutApplication(
                "guarded",
                Map.of("limiter.policy.verbs.publish", "false"),
                "GuardedApplication",
                "GuardedResource",
                "ExemptResource",
                "OverridingFilter",
                "WordFilter",
                "WordFilter$Caller");
    }

    @BeforeEach
    void emptyRedis() {
        SharedRedis.empty();
    }

    @Test
    void theFieldsShowAllStages() {
        Response response = as("alice", "guarded/plain");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.header("RateLimit-Policy")).isEqualTo(FLOOD + ", " + GUESS + ", " + USER);
        assertThat(remaining(response, "flood")).isEqualTo(19);
        assertThat(remaining(response, "guess")).isEqualTo(9);
        assertThat(remaining(response, "each")).isEqualTo(4);
        assertThat(units("alice")).isEqualTo(1);
    }

    /** Before matching the method is any word, and a new one must be no new partition. */
    @Test
    void methodsThatNoRfcDefinesAreOnePartition() {
        for (String method : List.of("X0", "X1", "X2")) {
            Raw.exchange(server, method, "guarded/plain", "");
        }
        assertThat(charged.units(VERBS, PartitionKey.of("verb", "other"))).isEqualTo(3);
        to(server).get("guarded/plain");
        assertThat(charged.units(VERBS, PartitionKey.of("verb", "GET"))).isEqualTo(1);
    }

    @Test
    void aFloodOfWhatDoesNotExistIsLimited() {
        for (int left = 19; left >= 0; left--) {
            Response missing = to(server).get("nowhere/" + left);
            assertThat(missing.statusCode()).isEqualTo(404);
            assertThat(missing.header("RateLimit-Policy")).isEqualTo(FLOOD);
            assertThat(remaining(missing, "flood")).isEqualTo(left);
        }
        Response rejected = to(server).get("nowhere/20");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.header("RateLimit-Policy")).isEqualTo(FLOOD);
        assertThat(remaining(rejected, "flood")).isZero();
        assertThat(Integer.parseInt(rejected.header("Retry-After"))).isBetween(3_400, 3_600);
        assertThat(rejected.contentType()).isEqualTo("application/problem+json");
        assertThat(rejected.violatedPolicies()).containsExactly("flood");
        Response found = as("alice", "guarded/plain");
        assertThat(found.statusCode()).as("what does exist, too").isEqualTo(429);
        assertThat(found.header("RateLimit-Policy"))
                .as("later stages were not asked")
                .isEqualTo(FLOOD);
        Response options = to(server).header("Authorization", "alice").options("guarded/asked");
        assertThat(options.statusCode()).as("decided with its method").isEqualTo(429);
        assertThat(options.header("RateLimit-Policy")).isEqualTo(FLOOD);
        assertThat(units("alice")).isZero();
    }

    @Test
    void wrongCredentialsAreCountedBeforeAuthentication() {
        for (int left = 9; left >= 0; left--) {
            Response wrong = as("wrong", "guarded/plain");
            assertThat(wrong.statusCode()).isEqualTo(401);
            assertThat(wrong.header("RateLimit-Policy")).isEqualTo(FLOOD + ", " + GUESS);
            assertThat(remaining(wrong, "guess")).isEqualTo(left);
        }
        Response rejected = as("wrong", "guarded/plain");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.violatedPolicies()).containsExactly("guess");
        assertThat(remaining(rejected, "flood"))
                .as("what the stage before took stays taken")
                .isEqualTo(9);
        assertThat(remaining(as("wrong", "guarded/plain"), "flood")).isEqualTo(8);
        assertThat(units("wrong")).isZero();
    }

    @Test
    void whatEarlierStagesTookStaysTakenWhenTheLastOneRejects() {
        for (int i = 0; i < 5; i++) {
            assertThat(as("alice", "guarded/plain").statusCode()).isEqualTo(200);
        }
        for (int i = 6; i <= 8; i++) {
            Response rejected = as("alice", "guarded/plain");
            assertThat(rejected.statusCode()).isEqualTo(429);
            assertThat(rejected.violatedPolicies()).containsExactly("each");
            assertThat(rejected.header("RateLimit-Policy")).isEqualTo(FLOOD + ", " + GUESS + ", " + USER);
            assertThat(remaining(rejected, "flood")).isEqualTo(20 - i);
            assertThat(remaining(rejected, "guess")).isEqualTo(10 - i);
        }
        assertThat(as("bob", "guarded/plain").statusCode()).as("another user").isEqualTo(200);
        assertThat(units("alice")).isEqualTo(5);
        assertThat(units("bob")).isEqualTo(1);
    }

    @Test
    void theLimitsOfApplicationAndMethodAddUp() {
        Response response = as("alice", "guarded/own");
        assertThat(response.header("RateLimit-Policy"))
                .isEqualTo(FLOOD + ", " + GUESS + ", " + USER + ", \"own\";q=100;w=3600");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "guarded/by-name  | \"flood\";q=20;w=3600, \"guess\";q=10;w=3600",
                "guarded/replaced | \"flood\";q=20;w=3600, \"guess\";q=10;w=3600, \"replaced\";q=100;w=3600",
                "guarded/all      | \"flood\";q=20;w=3600",
                "exempt           | \"flood\";q=20;w=3600"
            })
    void whatIsExemptIsCountedBeforeMatchingAllTheSame(String path, String policies) {
        for (int left = 19; left >= 14; left--) {
            Response response = as("alice", path);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.header("RateLimit-Policy")).isEqualTo(policies);
            assertThat(remaining(response, "flood")).isEqualTo(left);
        }
        assertThat(units("alice")).isZero();
    }

    /**
     * It was code of the application that answered, which may cost something. Another filter may
     * have made the method that it answers of OPTIONS.
     */
    @ParameterizedTest
    @CsvSource({"asked, OPTIONS", "plain, GET"})
    void optionsThatAMethodAnswersIsCountedInEachStage(String method, String verb) {
        Map<String, String> headers = Map.of("Authorization", "alice", "X-HTTP-Method-Override", verb);
        for (int left = 4; left >= 0; left--) {
            Response options = to(server).headers(headers).options("guarded/" + method);
            assertThat(options.asString()).isEqualTo(method);
            assertThat(options.header("RateLimit-Policy")).isEqualTo(FLOOD + ", " + GUESS + ", " + USER);
            assertThat(remaining(options, "flood")).isEqualTo(15 + left);
            assertThat(remaining(options, "each")).isEqualTo(left);
        }
        assertThat(to(server).headers(headers).options("guarded/" + method).statusCode())
                .isEqualTo(429);
    }

    @Test
    void optionsIsNotCountedInAnyStage() {
        for (String path : new String[] {"guarded/plain", "exempt", "nowhere"}) {
            Response options = to(server).header("Authorization", "alice").options(path);
            assertThat(options.header("RateLimit")).as(path).isNull();
        }
        assertThat(SharedRedis.keys()).isEmpty();
    }

    @Test
    void withoutAUserTheAddressIsCounted() {
        assertThat(remaining(to(server).get("guarded/plain"), "each")).isEqualTo(4);
        assertThat(remaining(to(server).get("guarded/plain"), "each")).isEqualTo(3);
        assertThat(remaining(as("alice", "guarded/plain"), "each")).isEqualTo(4);
    }

    private Response as(String word, String path) {
        return to(server).header("Authorization", word).get(path);
    }

    private long units(String user) {
        return charged.units(EACH, PartitionKey.of("user", user));
    }
}
