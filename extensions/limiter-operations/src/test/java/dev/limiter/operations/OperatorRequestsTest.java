package dev.limiter.operations;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.CoreMatchers.both;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasEntry;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.lessThan;

import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.RateLimitFeature;
import dev.limiter.testkit.RedisServer;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import jakarta.ws.rs.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator asks and changes on one instance, and what is refused. */
class OperatorRequestsTest {
    private static final Pattern READS =
            Pattern.compile("eval(sha)?|get|mget|getrange|strlen|lrange|llen|time|info|ping|hello|client.*|script.*");

    private static RedisServer redis;
    private static Instance instance;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        instance = new Instance(Map.of(
                "limiter.redis.uri", redis.uri(),
                "limiter.application", "operator",
                "limiter.redis.deadline", "2s",
                "limiter.operations.role", "viewer",
                "limiter.policy.show.limit", "8",
                "limiter.policy.plan.keep", "1"));
    }

    @AfterAll
    static void end() {
        instance.close();
        redis.close();
    }

    private static RequestSpecification as(String user) {
        return given().port(instance.port()).header("X-User", user).contentType("application/json");
    }

    private static ValidatableResponse change(String policy, String body) {
        return as("operator")
                .body(body)
                .put("/limits/policies/{policy}", policy)
                .then();
    }

    @Test
    void numbersHaveTheirOrigin() {
        change("show", "{\"window\": \"2h\", \"for\": \"PT10M\", \"because\": \"festival\"}")
                .statusCode(200);
        as("operator")
                .get("/limits")
                .then()
                .statusCode(200)
                .header("Cache-Control", "no-store")
                .body("policies.find { it.policy == 'show' }.is", equalTo("SLIDING_LOG 8 per 2h"))
                .body("policies.find { it.policy == 'show' }.rejectedHereInTenMinutes", equalTo(0))
                .body(
                        "policies.find { it.policy == 'show' }.from",
                        equalTo(Map.of("limit", "configuration", "window", "change")))
                .body("policies.find { it.policy == 'show' }.change.because", equalTo("festival"))
                .body("policies.find { it.policy == 'show' }.change.by", equalTo("operator"))
                .body("policies.find { it.policy == 'buyer' }.from", equalTo(Map.of()));
        as("operator")
                .delete("/limits/policies/show")
                .then()
                .statusCode(200)
                .body("is", equalTo("SLIDING_LOG 8 per 1h"))
                .body("from", equalTo(Map.of("limit", "configuration")));
    }

    @Test
    void aHigherLimitLetsThroughWhoWasRejectedAndUnitsInUseStayInUse() {
        for (int i = 0; i < 5; i++) {
            as("alice").get("/tickets").then().statusCode(200);
        }
        as("alice").get("/tickets").then().statusCode(429);
        as("operator")
                .get("/limits")
                .then()
                .body("policies.find { it.policy == 'buyer' }.rejectedHereInTenMinutes", greaterThan(0));
        change("buyer", "{\"limit\": 9, \"because\": \"test\"}").statusCode(200);
        for (int i = 0; i < 4; i++) {
            as("alice").get("/tickets").then().statusCode(200);
        }
        as("alice").get("/tickets").then().statusCode(429);
        as("operator").delete("/limits/policies/buyer").then().statusCode(200);
        as("alice").get("/tickets").then().statusCode(429);
    }

    @Test
    void numbersOfOneCallerWinOverItsTierAndEnd() {
        String numbers = "{\"limit\": 4, \"because\": \"test\"}";
        as("operator")
                .body(numbers)
                .put("/limits/callers/tiered?user=carol&attribute:tier=gold")
                .then()
                .statusCode(200)
                .body("limit", equalTo(4))
                .body("change.values", hasEntry("limit", "4"));
        for (String tier : List.of("gold", "staff", "none")) {
            as("carol")
                    .header("X-Tier", tier)
                    .get("/tickets/tiered")
                    .then()
                    .statusCode(200)
                    .header("RateLimit-Policy", containsString("\"tiered\";q=4"));
        }
        as("dave")
                .header("X-Tier", "gold")
                .get("/tickets/tiered")
                .then()
                .header("RateLimit-Policy", containsString("q=50"));
        as("operator").get("/limits").then().body("callers.policy", hasItem("tiered"));
        as("operator")
                .delete("/limits/callers/tiered?user=carol&attribute:tier=gold")
                .then()
                .statusCode(200)
                .body("limit", equalTo(50))
                .body("used", equalTo(0));
    }

    @Test
    void aCallerSeesWhatItHasLeftAndSpendsNothing() {
        as("erin").get("/tickets").then().statusCode(200);
        as("erin").header("X-Tier", "gold").get("/tickets/tiered").then().statusCode(200);
        Map<String, Long> before = writes();
        for (int i = 0; i < 20; i++) {
            looks().statusCode(200);
        }
        looks().body("limits.policy", equalTo(List.of("buyer", "login", "many", "plan", "tiered")))
                .body("limits.remaining", equalTo(List.of(4, 3, 100_000, 1_000, 49)))
                .body("limits.used", equalTo(List.of(1, 0, 0, 0, 1)))
                .body("limits.find { it.policy == 'tiered' }.tier", equalTo("gold"));
        assertThat(writes()).isEqualTo(before);
        as("erin").get("/tickets").then().header("RateLimit", containsString("\"buyer\";r=3"));
        assertThat(writes()).isNotEqualTo(before);
    }

    /** What is left is left of the burst. */
    @Test
    void theBurstStandsBesideTheLimit() {
        change("buyer", "{\"limit\": 9, \"burst\": 2, \"because\": \"test\"}").statusCode(200);
        as("frank")
                .get("/limits/me")
                .then()
                .body("limits.find { it.policy == 'buyer' }.limit", equalTo(9))
                .body("limits.find { it.policy == 'buyer' }.burst", equalTo(2))
                .body("limits.find { it.policy == 'buyer' }.remaining", equalTo(2))
                .body("limits.find { it.policy == 'login' }.burst", equalTo(null));
        as("operator").delete("/limits/policies/buyer").then().statusCode(200);
    }

    private static ValidatableResponse looks() {
        return as("erin").header("X-Tier", "gold").get("/limits/me").then();
    }

    @Test
    void aBannedCallerSeesTheEndOfItsBan() {
        for (int i = 0; i < 23; i++) {
            as("ivan").get("/tickets/login");
        }
        as("ivan")
                .get("/limits/me")
                .then()
                .body("limits.find { it.policy == 'login' }.remaining", equalTo(0))
                .body(
                        "limits.find { it.policy == 'login' }.resetAfter",
                        both(greaterThan(3_500)).and(lessThan(3_601)));
    }

    @Test
    void aForgivenCallerIsForgivenAlsoWhenAChangedWindowEnds() {
        for (int i = 0; i < 3; i++) {
            as("judy").get("/tickets/login").then().statusCode(200);
        }
        change("login", "{\"limit\": 3, \"window\": \"1h\", \"because\": \"attack\"}")
                .statusCode(200);
        as("operator").delete("/limits/callers/login?user=judy").then().statusCode(200);
        as("operator").delete("/limits/policies/login").then().statusCode(200);
        as("judy").get("/tickets/login").then().statusCode(200);
    }

    @Test
    void theUsageOfAPeriodIsTold() {
        as("grace").get("/tickets/plan").then().statusCode(200);
        as("operator")
                .get("/limits/usage/plan?user=grace")
                .then()
                .statusCode(200)
                .body("used", equalTo(1))
                .body("ends", containsString("-01T00:00:00Z"));
        as("operator")
                .get("/limits/usage/plan?user=grace&period=previous")
                .then()
                .statusCode(200)
                .body("used", equalTo(0));
        as("operator")
                .get("/limits/usage/plan?user=grace&period=next")
                .then()
                .statusCode(400)
                .body("detail", containsString("PRESENT, PREVIOUS"));
        as("operator").get("/limits/usage/buyer?user=grace").then().statusCode(400);
    }

    @Test
    void aTierThatIsMisspeltIsRefused() {
        change("tiered", "{\"tier.glod.limit\": 5, \"because\": \"x\"}")
                .statusCode(400)
                .body("detail", containsString("did you mean \"gold\"?"));
    }

    @Test
    void aChangeDoesNotLoseWhatTheOneBeforeHas() {
        change("many", "{\"limit\": 50000, \"because\": \"attack\"}").statusCode(200);
        change("many", "{\"candidate.limit\": 20, \"because\": \"next\"}")
                .statusCode(409)
                .body("detail", containsString("{limit=50000}"));
        change("many", "{\"limit\": 50000, \"candidate.limit\": 2, \"because\": \"next\"}")
                .statusCode(200);
        for (int i = 0; i < 5; i++) {
            as("heidi").get("/tickets/many").then().statusCode(200);
        }
        as("operator")
                .get("/limits/rejected")
                .then()
                .body("candidates.'many.candidate'.requests", equalTo(5))
                .body("candidates.'many.candidate'.candidateRejected", equalTo(3))
                .body("candidates.'many.candidate'.callersRejected", equalTo(1));
        as("operator").delete("/limits/policies/many").then().statusCode(200);
    }

    @Test
    void changesAreThereAgainAfterRedisHasLostThem() {
        change("show", "{\"limit\": 7, \"because\": \"attack\"}").statusCode(200);
        redis.command("FLUSHALL");
        Awaitility.await().until(() -> !((List<?>) redis.command("KEYS", "rl:operator:*")).isEmpty());
        as("operator")
                .get("/limits")
                .then()
                .body("policies.find { it.policy == 'show' }.change.values", equalTo(Map.of("limit", "7")));
        as("operator").delete("/limits/policies/show").then().statusCode(200);
    }

    /** Calls of all commands but those that read. */
    private static Map<String, Long> writes() {
        return redis.command("INFO", "commandstats")
                .toString()
                .lines()
                .map(line -> line.split("cmdstat_|:calls=|,"))
                .filter(words -> words.length > 2 && !READS.matcher(words[1]).matches())
                .collect(Collectors.toMap(words -> words[1], words -> Long.valueOf(words[2])));
    }

    @ParameterizedTest
    @ValueSource(strings = {"limits", "limits/rejected", "limits/callers/buyer?user=alice"})
    void onlyOperatorsAreAnswered(String path) {
        as("alice").get(path).then().statusCode(403).contentType("application/problem+json");
        given().port(instance.port()).get(path).then().statusCode(403);
    }

    @Test
    void onlyOperatorsChangeAndForgive() {
        String body = "{\"limit\": 1, \"because\": \"x\"}";
        as("alice").body(body).put("/limits/policies/buyer").then().statusCode(403);
        as("alice").delete("/limits/policies/buyer").then().statusCode(403);
        as("alice").body(body).put("/limits/callers/buyer?user=alice").then().statusCode(403);
        as("alice").delete("/limits/callers/buyer?user=alice").then().statusCode(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/strict", "/proxied"})
    void theRoleOfAMethodWinsOverThatOfItsClass(String limits) {
        as("operator").get(limits).then().statusCode(200);
        String body = "{\"limit\": 6, \"because\": \"x\"}";
        as("operator").body(body).put(limits + "/policies/buyer").then().statusCode(403);
        as("admin").body(body).put(limits + "/policies/buyer").then().statusCode(200);
        as("operator").delete(limits + "/policies/buyer").then().statusCode(200);
        for (String role : List.of("operator", "admin")) {
            as(role).delete(limits + "/callers/buyer?user=alice").then().statusCode(403);
            as(role).body(body).put("/closed/policies/buyer").then().statusCode(403);
        }
    }

    @Test
    void theRoleOfTheSettingIsForResourcesWithoutAnAnnotation() {
        as("viewer").get("/limits").then().statusCode(403);
        as("viewer").get("/closed").then().statusCode(403);
        as("viewer").delete("/strict/policies/buyer").then().statusCode(403);
    }

    @Test
    void aCallerThatIsStatedInPartKeepsItsNumbers() {
        as("operator")
                .body("{\"limit\": 4, \"because\": \"test\"}")
                .put("/limits/callers/tiered?user=zoe")
                .then()
                .statusCode(400)
                .body("detail", containsString("attribute:tier"));
        as("zoe").get("/tickets/tiered").then().header("RateLimit-Policy", containsString("q=3;"));
    }

    @Test
    void aCallerWithTheLongestKeyCanBeForgiven() {
        String longest = "x".repeat(PartitionKey.MAX_VALUE_LENGTH);
        for (int i = 0; i < 5; i++) {
            as(longest).get("/tickets").then().statusCode(200);
        }
        as(longest).get("/tickets").then().statusCode(429);
        as("operator")
                .queryParam("user", longest)
                .delete("/limits/callers/buyer")
                .then()
                .statusCode(200);
        as(longest).get("/tickets").then().statusCode(200);
    }

    static Stream<String> wrongBodies() {
        return Stream.of(
                "",
                "[]",
                "{",
                "null",
                "5",
                "[".repeat(2_000),
                "{\"limit\":".repeat(200) + "1" + "}".repeat(200),
                "{\"limit\": 5}",
                "{\"because\": \"attack\"}",
                "{\"limit\": 5, \"because\": \"two\\nlines\"}",
                "{\"limit\": 5, \"because\": \"" + "x".repeat(201) + "\"}",
                "{\"limit\": 5, \"because\": {\"a\": 1}}",
                "{\"limit\": 5.5, \"because\": \"x\"}",
                "{\"limit\": -5, \"because\": \"x\"}",
                "{\"limit\": 99999999999999999999, \"because\": \"x\"}",
                "{\"limit\": \"many\", \"because\": \"x\"}",
                "{\"limit\": [5], \"because\": \"x\"}",
                "{\"limit\": null, \"because\": \"x\"}",
                "{\"limits\": 5, \"because\": \"x\"}",
                "{\"key\": \"{ip}\", \"because\": \"x\"}",
                "{\"algorithm\": \"GCRA\", \"because\": \"x\"}",
                "{\"enforcement\": \"HARD\", \"because\": \"x\"}",
                "{\"limit\": 5, \"for\": \"8d\", \"because\": \"x\"}",
                "{\"limit\": 5, \"for\": \"soon\", \"because\": \"x\"}",
                "{\"limit\": 5, \"for\": \"0s\", \"because\": \"x\"}",
                "{\"limit\": 1e400, \"because\": \"x\"}",
                "{\"limit\": 1e600000000, \"because\": \"x\"}",
                "{\"tier.\\u001b[2Jx.limit\": 5, \"because\": \"x\"}",
                "{\"tier.gold.limit\": 0, \"because\": \"x\"}");
    }

    @ParameterizedTest
    @MethodSource("wrongBodies")
    void wrongBodiesAreRefusedWithTheRule(String body) {
        change("buyer", body).statusCode(400).contentType("application/problem+json");
        as("operator").get("/limits").then().body("policies.find { it.policy == 'buyer' }.change", equalTo(null));
    }

    @Test
    void aBodyOfTenKilobytesIsRefused() {
        change("buyer", "{\"limit\": 5, \"because\": \"" + "x".repeat(10_000) + "\"}")
                .statusCode(413);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "application/xml"})
    void aBodyOfAnotherTypeIsRefused(String type) {
        for (String path : List.of("policies/buyer", "callers/buyer?user=alice")) {
            given().port(instance.port())
                    .header("X-User", "operator")
                    .contentType(type)
                    .body("{\"limit\": 5, \"because\": \"x\"}")
                    .put("/limits/" + path)
                    .then()
                    .statusCode(415)
                    .contentType("application/problem+json")
                    .body("detail", equalTo("The body must be application/json."));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"buyr", "../buyer", "buyer\n", "%00", "x"})
    void unknownPoliciesAreNotFound(String policy) {
        change(policy, "{\"limit\": 5, \"because\": \"x\"}").statusCode(404);
    }

    @Test
    void theNearestNameIsSuggested() {
        change("buyr", "{\"limit\": 5, \"because\": \"x\"}").body("detail", containsString("did you mean \"buyer\"?"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?usr=alice", "?user=a&user=b", "?user=a%0Ab", "?user=", "?path:show=x"})
    void wrongCallersAreRefused(String query) {
        as("operator")
                .urlEncodingEnabled(false)
                .get("/limits/callers/buyer" + query)
                .then()
                .statusCode(400)
                .contentType("application/problem+json");
    }

    @Test
    void aRefusedRequestLeavesNothingInTheLogAndAChangeLeavesOneLineWithoutTheCaller() {
        StringBuilder lines = new StringBuilder();
        Logger log = Logger.getLogger("dev.limiter");
        Handler handler = new Handler() {
            @Override
            public synchronized void publish(LogRecord record) {
                lines.append(new SimpleFormatter().formatMessage(record)).append('\n');
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        log.addHandler(handler);
        try {
            change("bu\nyer", "{\"limit\": 5, \"because\": \"x\"}");
            change("buyer", "{\"limit\": 5, \"because\": \"a\\nb\"}");
            assertThat(lines).isEmpty();
            as("operator")
                    .body("{\"limit\": 6, \"for\": \"7d\", \"because\": \"ticket 4711\"}")
                    .put("/limits/callers/buyer?user=frank-the-secret")
                    .then()
                    .statusCode(200);
            assertThat(lines.toString().lines())
                    .singleElement()
                    .asString()
                    .contains("one caller of policy \"buyer\"", "ticket 4711", "by \"operator\"")
                    .doesNotContain("frank");
            lines.setLength(0);
            change("buyer", "{\"limit\": 6, \"because\": \"attack\"}").statusCode(200);
            as("operator").delete("/limits/policies/buyer").then().statusCode(200);
            assertThat(lines.toString().lines().filter(line -> line.contains(" because ")))
                    .hasSize(2)
                    .anyMatch(line -> line.startsWith("IN_FORCE") && line.endsWith("because \"attack\""))
                    .anyMatch(line -> line.startsWith("OVER") && line.endsWith("because \"taken back\""));
        } finally {
            log.removeHandler(handler);
        }
    }

    /** Nothing says who may use it. */
    @Path("limits")
    public static class Unprotected extends LimitsResource {}

    @Test
    void withoutARoleItIsNotDeployed() {
        assertThatThrownBy(() -> new ApplicationHandler(unprotected()))
                .hasMessageContaining("add @RolesAllowed")
                .hasMessageContaining("limiter.operations.unprotected");
        new ApplicationHandler(unprotected().property("limiter.operations.role", "operator"));
    }

    private static ResourceConfig unprotected() {
        return new ResourceConfig(Unprotected.class)
                .register(RateLimitFeature.class)
                .property(ClientAddress.class.getName(), (ClientAddress) request -> "a");
    }
}
