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
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Orders are admitted by the length of the queue that the keeper drains. The keeper comes with
 * the second test, so the tests have an order.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FeedingOrdersIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int FIRST_PACE = 1_000;
    private static final int QUICK = 50;
    private static final int SLOW = 10_000;

    @TempDir
    private static Path directory;

    private static Set<String> clientsBefore;
    private static Set<Thread> writersBefore;
    private static OwnJetty jetty;
    private static WebAppContext application;
    private static String zoo;

    @BeforeAll
    static void openWithoutKeeper() throws Exception {
        SharedRedis.configure();
        SharedRedis.empty();
        clientsBefore = SharedRedis.clients();
        writersBefore = writers();
        jetty = new OwnJetty(directory);
        deploy();
    }

    private static void deploy() throws Exception {
        application = jetty.deploy(Wars.zoo("feeding"));
        zoo = jetty.url(application) + "api/";
    }

    /** A zoo that only loses its server keeps its keeper. */
    @AfterAll
    static void close() throws Exception {
        System.setProperty("zoo.keeper.enabled", "false");
        jetty.undeploy(application);
        jetty.close();
    }

    @Test
    @Order(1)
    void whatIsNoOrderIsRefusedAndOnlyTheKeeperChangesThePace() {
        for (String wrong : List.of("{\"animal\":\"Ada\"}", "{\"animal\":\"Ada\",\"food\":\"fish \\ud83d\"}")) {
            given().contentType("application/json")
                    .body(wrong)
                    .post(zoo + "feeding-orders")
                    .then()
                    .statusCode(400);
        }
        get(zoo + "feeding-orders/1234567890123456").then().statusCode(404);
        pace("visitor", QUICK).then().statusCode(403);
        get(zoo + "keeper").then().body("everyMillis", equalTo(FIRST_PACE));
        get(zoo + "feeding-orders").then().body("waiting", equalTo(0));
    }

    /** Neither a dragon nor an order that an earlier version or an operator wrote stops another. */
    @Test
    @Order(2)
    void theEleventhThatWaitsIsRejectedAndNoneIsLostWhenTheZooIsDeployedAnew() throws Exception {
        String dragon = order("Smaug").path("id");
        String unreadable = Long.toString(Long.parseLong(dragon) + 1);
        SharedRedis.add(stream(), unreadable, "in one line");
        List<String> ids = new ArrayList<>();
        for (int length = 3; length <= 10; length++) {
            Response accepted = order("Bruno");
            accepted.then().statusCode(202).body("state", equalTo("waiting")).body("length", equalTo(length));
            assertThat(accepted.header("Location")).isEqualTo(zoo + "feeding-orders/" + accepted.path("id"));
            ids.add(accepted.path("id"));
        }
        order("Carla")
                .then()
                .statusCode(429)
                .header("Retry-After", matchesPattern("[1-9]\\d*"))
                .contentType("application/problem+json")
                .body("status", equalTo(429))
                .body("detail", matchesPattern("Queue \"feeding-orders\" is full; retry in \\d+ s\\."));
        get(zoo + "feeding-orders").then().body("waiting", equalTo(10));

        jetty.undeploy(application);
        SharedRedis.awaitNoOtherConnectionBut(clientsBefore);
        assertThat(writersBefore).as("what records requests has ended, too").containsAll(writers());
        System.setProperty("zoo.keeper.enabled", "true");
        deploy();
        pace("keeper", QUICK).then().statusCode(200).body("everyMillis", equalTo(QUICK));
        for (String id : ids) {
            awaitState(id, "done");
        }
        awaitState(dragon, "dead");
        awaitState(unreadable, "dead");
        get(zoo + "feeding-orders").then().body("dead", equalTo(2)).body("waiting", equalTo(0));
    }

    /** As many orders are admitted as are fed. */
    @Test
    @Order(3)
    void admissionAdaptsToTheKeepersPace() {
        pace("keeper", 2 * QUICK);
        fill();
        long began = System.nanoTime();
        for (int admitted = 0; admitted < 10; admitted++) {
            await().atMost(PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> order("Dmitri").statusCode() == 202);
        }
        long nanos = System.nanoTime() - began;

        pace("keeper", SLOW);
        fill();
        int admitted = 0;
        for (began = System.nanoTime(); System.nanoTime() - began < nanos; ) {
            admitted += order("Dmitri").statusCode() == 202 ? 1 : 0;
        }
        assertThat(admitted)
                .as("in %s ns: the turn that it waited for, and the first at the new pace", nanos)
                .isLessThanOrEqualTo(3);
    }

    /** The queue, unless the keeper is as quick as this test. */
    private static void fill() {
        for (int orders = 0; orders < 50 && order("Dmitri").statusCode() == 202; orders++) {
            // until it is full
        }
    }

    private static Response order(String animal) {
        return given().contentType("application/json")
                .body(Map.of("animal", animal, "food", "fish"))
                .post(zoo + "feeding-orders");
    }

    private static Response pace(String user, int everyMillis) {
        return given().auth()
                .preemptive()
                .basic(user, user)
                .contentType("application/json")
                .body(Map.of("everyMillis", everyMillis))
                .put(zoo + "keeper");
    }

    private static void awaitState(String id, String state) {
        await().atMost(PATIENCE).until(() -> get(zoo + "feeding-orders/" + id).path("state"), state::equals);
    }

    private static String stream() {
        return SharedRedis.keys().stream()
                .filter(key -> key.endsWith(":last"))
                .map(key -> key.substring(0, key.length() - ":last".length()))
                .findAny()
                .orElseThrow();
    }

    private static Set<Thread> writers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("zoo-marks"))
                .collect(Collectors.toSet());
    }
}
