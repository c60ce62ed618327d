package shop.quarkus;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.limiter.jaxrs.DeployedLimits;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The service over HTTP, with a Redis, as the page says. */
@QuarkusTest
@QuarkusTestResource(Redis.class)
class ShopServiceTest {
    @Inject
    DeployedLimits limits;

    @Test
    void eachUserMayBuyAsManyAsThePropertiesSay() {
        for (int left = 4; left >= 0; left--) {
            given().auth().preemptive().basic("ann", "secret")
                    .post("/tickets/circus")
                    .then()
                    .statusCode(200)
                    .header("RateLimit-Policy", "\"buyer\";q=5;w=600")
                    .header("RateLimit", startsWith("\"buyer\";r=" + left))
                    .body(equalTo("a ticket for circus, " + left + " left for ann\n"));
        }
        given().auth().preemptive().basic("ann", "secret")
                .post("/tickets/circus")
                .then()
                .statusCode(429)
                .header("Retry-After", Integer::parseInt, greaterThan(0))
                .contentType("application/problem+json");
        given().auth().preemptive().basic("bob", "secret").post("/tickets/circus").then().statusCode(200);
        when().get("/q/metrics").then().body(containsString("limiter_decisions_total{outcome=\"rejected\",policy=\"buyer\""));
        when().get("/q/health/ready").then().body("checks.name", hasItem("rate-limiter"));
    }

    @Test
    void theDocumentTellsOfRefusals() {
        given().queryParam("format", "json")
                .get("/q/openapi")
                .then()
                .body("paths.'/tickets/{show}'.post.responses.keySet()", hasItems("200", "429", "503"))
                .body("paths.'/tickets'.get.responses.'429'.headers.keySet()", hasItem("Retry-After"));
    }

    @Test
    void noEndpointIsWithoutALimit() {
        assertEquals(List.of(), limits.withoutLimits());
    }
}
