package dev.limiter.example;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;

import io.restassured.response.Response;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Orders are admitted by the length of the queue that the keeper drains. The order of the tests
 * saves deployments, and has no other meaning.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FeedingOrdersIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int FIRST_PACE = 1_000;

    @TempDir
    private static Path directory;

    private static OwnJetty jetty;
    private static WebAppContext deployed;
    private static boolean hasKeeper;

    @BeforeAll
    static void start() throws Exception {
        SharedRedis.configure();
        jetty = new OwnJetty(directory);
    }

    /** A zoo that only loses its server keeps its keeper. */
    @AfterAll
    static void stop() throws Exception {
        try {
            undeploy();
        } finally {
            System.setProperty("zoo.keeper.enabled", "false");
            jetty.close();
        }
    }

    /**
     * The zoo of the test before, with an empty Redis and the first pace. Another zoo if this
     * test wants a keeper and that zoo has none, or the other way round.
     */
    private static String zoo(boolean withKeeper) throws Exception {
        if (hasKeeper != withKeeper) {
            undeploy();
        }
        SharedRedis.empty();
        String zoo = deployed == null ? deploy(withKeeper) : url();
        pace(zoo, FIRST_PACE);
        return zoo;
    }

    private static String deploy(boolean withKeeper) throws Exception {
        System.setProperty("zoo.keeper.enabled", Boolean.toString(withKeeper));
        hasKeeper = withKeeper;
        deployed = jetty.deploy(Wars.zoo("feeding"));
        get(url() + "keeper").then().body("everyMillis", equalTo(FIRST_PACE));
        return url();
    }

    private static String url() {
        return jetty.url(deployed) + "api/";
    }

    private static void undeploy() throws Exception {
        if (deployed != null) {
            jetty.undeploy(deployed);
            deployed = null;
        }
    }

    @Test
    @Order(4)
    void anOrderIsTakenDownFedAndKnownToBeDone() throws Exception {
        String zoo = zoo(true);
        Response accepted = order(zoo, "Ada");
        accepted.then().statusCode(202).body("state", equalTo("waiting"));
        String location = accepted.header("Location");
        assertThat(location).matches(zoo + "feeding-orders/\\d{16}");
        awaitState(location, "done");
        get(zoo + "feeding-orders/1234567890123456").then().statusCode(404);
        given().contentType("application/json")
                .body("{\"animal\":\"Ada\"}")
                .post(zoo + "feeding-orders")
                .then()
                .statusCode(400);
    }

    @Test
    @Order(6)
    void theEleventhThatWaitsIsRejectedAndNoneIsLostWhenTheZooIsDeployedAnew() throws Exception {
        String zoo = zoo(false);
        List<String> ids = new ArrayList<>();
        for (int length = 1; length <= 10; length++) {
            Response accepted = order(zoo, "Bruno");
            accepted.then().statusCode(202).body("length", equalTo(length));
            ids.add(accepted.path("id"));
        }
        order(zoo, "Carla")
                .then()
                .statusCode(429)
                .header("Retry-After", matchesPattern("[1-9]\\d*"))
                .contentType("application/problem+json")
                .body("status", equalTo(429))
                .body("detail", matchesPattern("Queue \"feeding-orders\" is full; retry in \\d+ s\\."));
        assertThat(get(zoo + "feeding-orders").jsonPath().getInt("waiting")).isEqualTo(10);
        undeploy();

        String reopened = deploy(true);
        pace(reopened, 50);
        for (String id : ids) {
            awaitState(reopened + "feeding-orders/" + id, "done");
        }
        order(reopened, "Carla").then().statusCode(202);
    }

    /** As many orders are admitted as are fed. */
    @Test
    @Order(7)
    void admissionAdaptsToTheKeepersPace() throws Exception {
        String zoo = zoo(true);
        int quick = admittedWhileFull(zoo, 100);
        int slow = admittedWhileFull(zoo, 10_000);
        System.out.println("admitted in 3 s, the queue full before: " + quick
                + " while the keeper feeds one each 100 ms, " + slow + " while it feeds one each 10 s");
        assertThat(quick).isGreaterThan(slow);
        assertThat(slow)
                .as("the turn that it waited for, and the first at the new pace")
                .isLessThanOrEqualTo(3);
        undeploy(); // this keeper may still wait for ten seconds
    }

    /** In three seconds, beginning with a queue that is full. */
    private static int admittedWhileFull(String zoo, int everyMillis) {
        pace(zoo, everyMillis);
        while (order(zoo, "Dmitri").statusCode() == 202) {
            // until it is full
        }
        int admitted = 0;
        long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
        while (System.nanoTime() < end) {
            admitted += order(zoo, "Dmitri").statusCode() == 202 ? 1 : 0;
        }
        return admitted;
    }

    @Test
    @Order(5)
    void anOrderThatCannotBeFedIsDeadInTheEndAndStopsNoOther() throws Exception {
        String zoo = zoo(true);
        pace(zoo, 50);
        String dragon = order(zoo, "Smaug").header("Location");
        awaitState(order(zoo, "Ada").header("Location"), "done");
        awaitState(dragon, "dead");
        assertThat(get(zoo + "feeding-orders").jsonPath().getInt("dead")).isEqualTo(1);
        assertThat(get(zoo + "feeding-orders").jsonPath().getInt("waiting")).isZero();
    }

    /** An earlier version, or an operator, may have written it. */
    @Test
    @Order(3)
    void anUnreadableOrderIsDeadInTheEndAndStopsNoOther() throws Exception {
        String zoo = zoo(false);
        Response readable = order(zoo, "Ada");
        String unreadable = Long.toString(Long.parseLong(readable.path("id")) + 1);
        String stream = SharedRedis.keys().stream()
                .filter(key -> key.endsWith(":last"))
                .map(key -> key.substring(0, key.length() - ":last".length()))
                .findAny()
                .orElseThrow();
        SharedRedis.add(stream, unreadable, "in one line");
        undeploy();

        String reopened = deploy(true);
        pace(reopened, 50);
        awaitState(reopened + "feeding-orders/" + unreadable, "dead");
        awaitState(order(reopened, "Bruno").header("Location"), "done");
    }

    @Test
    @Order(1)
    void halfACharacterIsNoOrder() throws Exception {
        String zoo = zoo(false);
        given().contentType("application/json")
                .body("{\"animal\":\"Ada\",\"food\":\"fish \\ud83d\"}")
                .post(zoo + "feeding-orders")
                .then()
                .statusCode(400);
        assertThat(get(zoo + "feeding-orders").jsonPath().getInt("waiting")).isZero();
    }

    @Test
    @Order(2)
    void onlyTheKeeperChangesThePace() throws Exception {
        String zoo = zoo(false);
        given().auth()
                .preemptive()
                .basic("visitor", "visitor")
                .contentType("application/json")
                .body(Map.of("everyMillis", 50))
                .put(zoo + "keeper")
                .then()
                .statusCode(403);
        get(zoo + "keeper").then().body("everyMillis", equalTo(FIRST_PACE));
    }

    private static Response order(String zoo, String animal) {
        return given().contentType("application/json")
                .body(Map.of("animal", animal, "food", "fish"))
                .post(zoo + "feeding-orders");
    }

    private static void pace(String zoo, int everyMillis) {
        given().auth()
                .preemptive()
                .basic("keeper", "keeper")
                .contentType("application/json")
                .body(Map.of("everyMillis", everyMillis))
                .put(zoo + "keeper")
                .then()
                .statusCode(200)
                .body("everyMillis", equalTo(everyMillis));
    }

    private static void awaitState(String location, String state) {
        await().atMost(PATIENCE).until(() -> get(location).path("state"), state::equals);
    }
}
