package dev.limiter.operations;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.testkit.RedisServer;
import io.restassured.specification.RequestSpecification;
import java.util.List;
import java.util.Map;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Test;

/** What callers do must keep no operator out, and no caller gets the numbers of another. */
class OperatorsUnderAttackTest {

    @RateLimited(name = "everything", key = "'all'", algorithm = Algorithm.FIXED_WINDOW, limit = 3, window = "300d")
    private static final class Limited extends ResourceConfig {}

    private static RequestSpecification as(Instance instance, String user) {
        return given().port(instance.port()).header("X-User", user).contentType("application/json");
    }

    @Test
    void aSpentLimitOfTheApplicationKeepsNoOperatorOut() {
        try (Instance instance = new Instance(new Limited(), Map.of("limiter.application", "limited"))) {
            for (int i = 0; i < 3; i++) {
                as(instance, "mallory").get("/tickets/many").then().statusCode(200);
            }
            as(instance, "mallory").get("/tickets/many").then().statusCode(429);
            as(instance, "operator")
                    .body("{\"limit\": 4, \"because\": \"attack\"}")
                    .put("/limits/policies/everything")
                    .then()
                    .statusCode(200);
            as(instance, "operator")
                    .delete("/limits/policies/everything")
                    .then()
                    .statusCode(200);
        }
    }

    @Test
    void inMemoryNoCallerChoosesAKeyThatHasTheNumbersOfAnother() {
        String chosen = "ofoog\u0fd0\u00b3\\\u00d9\u03b8@\u035b"; // its stableHash() is that of carol
        try (Instance instance = new Instance(Map.of("limiter.exempt-addresses", "192.0.2.1"));
                Instance off = new Instance(Map.of("limiter.enabled", "false"))) {
            for (Instance sparing : List.of(instance, off)) {
                as(sparing, "carol").get("/limits/me").then().body("limits", empty()); // its address is exempt
            }
            as(instance, "operator")
                    .body("{\"limit\": 500, \"because\": \"ticket 4711\"}")
                    .put("/limits/callers/buyer?user=carol")
                    .then()
                    .statusCode(200)
                    .body("limit", equalTo(500));
            as(instance, "operator")
                    .queryParam("user", chosen)
                    .get("/limits/callers/buyer")
                    .then()
                    .statusCode(200)
                    .body("limit", equalTo(5));
        }
    }

    @Test
    void inMemoryAnInstanceOfThreeBansAfterItsPartOfTheRejections() {
        try (Instance instance =
                new Instance(Map.of("limiter.application", "divided", "limiter.expected-instances", "3"))) {
            int rejections = 0;
            while (!as(instance, "operator")
                    .get("/limits/callers/login?user=eve")
                    .asString()
                    .contains("bannedFor")) {
                rejections += as(instance, "eve").get("/tickets/login").statusCode() == 429 ? 1 : 0;
                assertThat(rejections).isLessThanOrEqualTo(20);
            }
            assertThat(rejections).isEqualTo(20 / 3);
        }
    }

    @Test
    void withAFullRedisAnInstanceTellsWhomItHasRejectedItself() {
        try (RedisServer redis = RedisServer.start();
                Instance instance = new Instance(Map.of(
                        "limiter.redis.uri", redis.uri(),
                        "limiter.application", "full",
                        "limiter.redis.deadline", "2s"))) {
            for (int i = 0; i < 6; i++) {
                as(instance, "mallory").get("/tickets");
            }
            redis.command("CONFIG", "SET", "maxmemory", "1");
            as(instance, "operator")
                    .get("/limits/rejected")
                    .then()
                    .statusCode(200)
                    .body("instances", equalTo(1))
                    .body("ofThisInstance", equalTo(true))
                    .body("lastHour.buyer[0].caller.user", equalTo("mallory"));
            as(instance, "operator")
                    .get("/limits/callers/buyer?user=mallory")
                    .then()
                    .statusCode(200);
            as(instance, "operator")
                    .body("{\"limit\": 4, \"because\": \"attack\"}")
                    .put("/limits/policies/buyer")
                    .then()
                    .statusCode(503)
                    .body("detail", endsWith(". If this was a change, it may have been made."));
        }
    }
}
