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
import java.util.HashMap;
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
import org.junit.jupiter.params.provider.CsvSource;
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
        Map<String, String> settings = new HashMap<>(Map.of(
                "limiter.redis.uri", redis.uri(),
                "limiter.application", "operator",
                "limiter.redis.deadline", "2s",
                "limiter.operations.role", "viewer",
                "limiter.policy.show.limit", "8",
                "limiter.policy.plan.keep", "1"));
        for (String queue : List.of("door", "hidden", "stairs")) {
            settings.put("limiter.policy." + queue + ".key", "{user}");
            settings.put("limiter.policy." + queue + ".algorithm", "LEAKY_BUCKET");
            settings.put("limiter.policy." + queue + ".limit", "6");
            settings.put("limiter.policy." + queue + ".window", "1h");
            settings.put("limiter.policy." + queue + ".max-wait", "1h");
        }
        settings.put("limiter.policy.hidden.publish", "false");
        instance = new Instance(settings);
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
        String gold = "&attribute:tier=gold";
        for (String of : List.of("tiered?user=carol" + gold, "tiered?user=nina" + gold, "buyer?user=nina")) {
            boolean bursts = of.startsWith("buyer");
            as("operator")
                    .body("{\"limit\": 4, \"because\": \"test\"" + (bursts ? ", \"burst\": 2}" : "}"))
                    .put("/limits/callers/" + of)
                    .then()
                    .statusCode(200)
                    .body("limit", equalTo(4))
                    .body("burst", equalTo(bursts ? 2 : null))
                    .body("change.values", hasEntry("limit", "4"));
        }
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
        looks().body("limits.policy", equalTo(List.of("buyer", "door", "login", "many", "plan", "stairs", "tiered")))
                .body("limits.remaining", equalTo(List.of(4, 7, 3, 100_000, 1_000, 7, 49)))
                .body("limits.used", equalTo(List.of(1, 0, 0, 0, 0, 0, 1)))
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
        change("many", "{\"candidate.limit\": 2, \"because\": \"again\"}").statusCode(200);
        as("operator").get("/limits/rejected").then().body("candidates", equalTo(Map.of()));
        as("heidi").get("/tickets/many").then().statusCode(200);
        change("many", "{\"limit\": 60000, \"candidate.limit\": 2, \"because\": \"again\"}")
                .statusCode(200);
        as("operator").delete("/limits/callers/many?user=heidi").then().statusCode(200);
        as("heidi").get("/tickets/many").then().statusCode(200);
        as("operator")
                .get("/limits/rejected")
                .then()
                .body("candidates.'many.candidate'.requests", equalTo(2))
                .body("candidates.'many.candidate'.candidateRejected", equalTo(1));
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

    /** Members without their reason, or a whole body between bars, and what the answer says. */
    static Stream<String> wrongBodies() {
        return Stream.of(
                "policies/buyer || is not a JSON object",
                "policies/buyer |" + "[".repeat(32) + "| is not a JSON object",
                "policies/buyer |" + "[".repeat(33) + "| nests too deep",
                "policies/buyer |" + "{\"limit\":".repeat(200) + "1" + "}".repeat(200) + "| nests too deep",
                "policies/buyer |{\"limit\": 5}| has no text in \"because\"",
                "policies/buyer |{\"limit\": 5, \"because\": {\"a\": 1}}| has no text in \"because\"",
                "policies/buyer |{\"limit\": 5, \"because\": \" \"}| has no text in \"because\"",
                "policies/buyer |{\"limit\": 5, \"because\": \"two\\nlines\"}| must be a line of at most 200 characters",
                "policies/buyer |{\"limit\": 5, \"because\": \"" + "x".repeat(201)
                        + "\"}| must be a line of at most 200",
                "policies/buyer | states no number",
                "policies/buyer | \"limit\": 5.5 | \"limit\": must be a whole number, was 5.5",
                "policies/buyer | \"limits\": 5 | did you mean \"limit\"",
                "policies/buyer | \"algorithm\": \"GCRA\" | numbers of a tier are",
                "policies/buyer | \"limit\": 5, \"for\": \"604801s\" | must be from 1s to 7d, was \"604801s\"",
                "policies/buyer | \"limit\": 5, \"for\": \"999ms\" | must be from 1s to 7d",
                "policies/buyer | \"limit\": 5, \"for\": \"soon\" | has \"for\": ",
                "policies/buyer | \"tier.\\u001b[2Jx.limit\": 5 | cannot be changed",
                "policies/tiered | \"tier.gold.limit\": 0 | ",
                "policies/buyer | \"tier.gold.limit\": 5 | no annotation says which tier a caller has",
                "policies/buyer | \"candidate.tier.gold.limit\": 5 | no annotation says which tier a caller has",
                "policies/tiered | \"tier.glod.limit\": 5 | did you mean \"gold\"?",
                "callers/buyer?user=al | \"window\": \"1h\" | \"window\", which cannot be changed",
                "callers/buyer?user=al | \"tier.gold.limit\": 5 | cannot be changed",
                "callers/buyer?user=al | \"burst\": 5 | a caller's own numbers need a limit",
                "callers/buyer?user=al | \"limit\": 0 | must be at least 1, was 0");
    }

    @ParameterizedTest
    @MethodSource("wrongBodies")
    void wrongBodiesAreRefusedWithTheRule(String row) {
        String[] parts = row.split(" ?\\| ?", -1);
        String members = parts.length < 3 ? "" : parts[1] + ", ";
        boolean whole = row.contains(" |") && !row.contains(" | ");
        as("operator")
                .body(whole ? parts[1] : "{" + members + "\"because\": \"x\"}")
                .put("/limits/" + parts[0])
                .then()
                .statusCode(400)
                .contentType("application/problem+json")
                .body("detail", containsString(parts[parts.length - 1]));
        as("operator").get("/limits").then().body("policies.find { it.policy == 'buyer' }.change", equalTo(null));
        as("operator").get("/limits/callers/buyer?user=al").then().body("change", equalTo(null));
    }

    /** Members, and how they are kept. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "tiered | 'limit': ' 4 '                 | {limit=4}",
                "tiered | 'limit': 4, 'for': '1s'        | {limit=4}",
                "tiered | 'tier.gold.unlimited': true    | {tier.gold.unlimited=true}",
                "tiered | 'candidate.tier.gold.limit': 4 | {candidate.tier.gold.limit=4}",
                "tiered | 'enforcement': 'soft'          | {enforcement=soft}",
                "buyer  | 'burst': 3, 'window': '2h'     | {burst=3, window=2h}",
                "buyer  | 'candidate.burst': 3, 'candidate.window': '2h', 'candidate.limit': 4.0"
                        + " | {candidate.burst=3, candidate.limit=4, candidate.window=2h}"
            })
    void numbersThatMayBeChangedAreKeptAsTheyAreWritten(String policy, String members, String kept) {
        String body = "{" + members.replace('\'', '"') + ", \"because\": \"" + "x".repeat(200) + "\"}";
        Object values = change(policy, body).statusCode(200).extract().path("change.values");
        assertThat(values).hasToString(kept);
        as("operator")
                .delete("/limits/policies/" + policy)
                .then()
                .statusCode(200)
                .body("change", equalTo(null));
    }

    @Test
    void aBodyOfMoreThanFourKibibytesIsRefused() {
        String body = "{\"limit\": 5, \"because\": \"x\"}";
        change("buyer", body + " ".repeat(4_096 - body.length())).statusCode(200);
        as("operator").delete("/limits/policies/buyer").then().statusCode(200);
        change("buyer", body + " ".repeat(4_097 - body.length())).statusCode(413);
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
        change(policy, "{\"limit\": 5, \"because\": \"x\"}")
                .statusCode(404)
                .body("detail", containsString(policy.equals("buyr") ? "did you mean \"buyer\"?" : ""));
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
            as("operator").delete("/limits/callers/buyer?user=frank-the-secret");
            change("buyer", "{\"limit\": 6, \"because\": \"attack\"}").statusCode(200);
            as("operator").delete("/limits/policies/buyer").then().statusCode(200);
            change("buyer", "{\"limit\": 7, \"for\": \"1s\", \"because\": \"again\"}");
            Awaitility.await().until(() -> lines.toString().endsWith("because \"again\"\n"));
            String time = "\\d+-\\d+-\\d+T\\d+:\\d+:[\\d.]+Z";
            assertThat(lines.toString().lines().filter(line -> line.contains(" because ")))
                    .map(line -> line.replaceAll(time, "then"))
                    .containsExactly(
                            "IN_FORCE: one caller of policy \"buyer\" {limit=6}, by \"operator\" because \"ticket 4711\", until then",
                            "OVER: one caller of policy \"buyer\" {limit=6}, by \"operator\" because \"taken back\"",
                            "FORGIVEN: one caller of policy \"buyer\" {}, by \"operator\" because \"taken back\"",
                            "IN_FORCE: policy \"buyer\" {limit=6}, by \"operator\" because \"attack\"",
                            "OVER: policy \"buyer\" {limit=6}, by \"operator\" because \"taken back\"",
                            "IN_FORCE: policy \"buyer\" {limit=7}, by \"operator\" because \"again\", until then",
                            "OVER: policy \"buyer\" {limit=7}, by \"operator\" because \"again\"");
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
        new ApplicationHandler(unprotected().property("limiter.operations.unprotected", "true"));
    }

    private static ResourceConfig unprotected() {
        return new ResourceConfig(Unprotected.class)
                .register(RateLimitFeature.class)
                .property(ClientAddress.class.getName(), (ClientAddress) request -> "a");
    }
}
