package dev.limiter.operations;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;

import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.guide.Guide;
import io.restassured.specification.RequestSpecification;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the guide's user of Redis may do is enough for operators. */
@Tag("store")
class RedisUserTest {

    @Test
    void theUserOfTheGuideSuffices() {
        try (RedisServer redis = RedisServer.start()) {
            redis.command(Guide.block("redis", "ACL SETUSER limiter on")
                    .text()
                    .strip()
                    .replace(">password", ">pw")
                    .split("\\s+"));
            try (Instance instance = new Instance(Map.of(
                    "limiter.redis.uri", redis.uri().replace("redis://", "redis://limiter:pw@"),
                    "limiter.application", "least",
                    "limiter.redis.deadline", "2s"))) {
                for (int i = 0; i < 6; i++) {
                    as("alice", instance).get("/tickets");
                }
                String body = "{\"limit\": 9, \"for\": \"1m\", \"because\": \"test\"}";
                as("operator", instance)
                        .body(body)
                        .put("/limits/policies/buyer")
                        .then()
                        .statusCode(200);
                as("operator", instance)
                        .body(body)
                        .put("/limits/callers/buyer?user=bob")
                        .then()
                        .statusCode(200);
                as("operator", instance)
                        .get("/limits/rejected")
                        .then()
                        .statusCode(200)
                        .body("instances", equalTo(1));
                as("operator", instance)
                        .delete("/limits/callers/buyer?user=alice")
                        .then()
                        .statusCode(200);
                as("operator", instance).delete("/limits/policies/buyer").then().statusCode(200);
                as("alice", instance).get("/limits/me").then().statusCode(200);
            }
        }
    }

    private static RequestSpecification as(String user, Instance instance) {
        return given().port(instance.port()).header("X-User", user).contentType("application/json");
    }
}
