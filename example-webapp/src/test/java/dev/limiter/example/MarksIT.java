package dev.limiter.example;

import static dev.limiter.example.Http.remaining;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.limiter.testkit.RedisServer;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes of the zoo have one limit, and one record of requests, which the page draws. */
class MarksIT {
    @TempDir
    private Path directory;

    @BeforeEach
    void emptyRedis() {
        SharedRedis.configure();
        SharedRedis.empty();
    }

    @Test
    void twoNodesHaveOneLimitAndShowOnePicture() {
        for (int left = 9; left >= 0; left--) {
            assertThat(remaining(ask(left % 2 == 0 ? ZooNodes.ONE : ZooNodes.TWO, "sliding-log"), "sliding-log"))
                    .isEqualTo(left);
        }
        assertThat(ask(ZooNodes.ONE, "sliding-log").statusCode()).isEqualTo(429);
        assertThat(ask(ZooNodes.TWO, "sliding-log").statusCode()).isEqualTo(429);

        JsonPath picture = await().until(
                        () -> marks(ZooNodes.ONE), marks -> outcomes(marks).size() == 12);
        assertThat(picture.getList("marks")).isEqualTo(marks(ZooNodes.TWO).getList("marks"));
        assertThat(picture.getString("source")).isEqualTo("SHARED");
        assertThat(outcomes(picture)).endsWith("ADMITTED", "REJECTED", "REJECTED");
        assertThat(picture.getList("marks.user")).containsOnly("visitor");
        assertThat(picture.getList("marks.path")).containsOnly("strategies/sliding-log");
        assertThat(picture.getList("marks.rejectedBy")).last().isEqualTo(List.of("sliding-log"));
        assertThat(picture.<String>getList("marks.id").stream().map(id -> id.replaceAll("-.*", "")))
                .as("the nodes that answered")
                .satisfies(nodes -> assertThat(Set.copyOf(nodes)).hasSize(2));
        assertThat(picture.getList("marks.atMicros", Long.class))
                .as("all by the clock of Redis, which has also said what is now")
                .allMatch(at -> at <= picture.getLong("nowMicros"))
                .doesNotHaveDuplicates();
    }

    /** Exactly ten, unless the machine takes longer than a window of ten seconds for them all. */
    @Test
    void aCrowdOnBothNodesGetsExactlyTheLimit() throws Exception {
        long began = System.nanoTime();
        ExecutorService crowd = Executors.newFixedThreadPool(16);
        try {
            List<Future<Response>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                String node = i % 2 == 0 ? ZooNodes.ONE : ZooNodes.TWO;
                answers.add(crowd.submit(() -> ask(node, "sliding-log")));
            }
            long admitted = 0;
            for (Future<Response> answer : answers) {
                assertThat(answer.get().statusCode()).isIn(200, 429);
                admitted += answer.get().statusCode() == 200 ? 1 : 0;
            }
            long windows = 1 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) / 10;
            assertThat(admitted).isBetween(10L, 10 * windows);
            await("the marks, so that none reaches a later test")
                    .until(() -> outcomes(marks(ZooNodes.ONE)).size() >= 100);
        } finally {
            crowd.shutdownNow();
        }
    }

    /** What has no limit leaves no mark; neither do the marks themselves and wrong passwords. */
    @Test
    void onlyLimitedRequestsAreRecordedAndPagesFollowOneAnother() {
        String last = marks(ZooNodes.ONE).getString("last");
        given().get(ZooNodes.ONE + "api/health").then().statusCode(200);
        given().get(ZooNodes.ONE + "api/nothing").then().statusCode(404);
        as("visitor", "wrong").get(ZooNodes.ONE + "api/animals").then().statusCode(401);
        ask(ZooNodes.ONE, "leaky-bucket");
        ask(ZooNodes.ONE, "leaky-bucket");
        JsonPath page = await().until(
                        () -> marks(ZooNodes.ONE, last),
                        marks -> outcomes(marks).size() == 2);
        assertThat(page.getList("marks.path")).containsOnly("strategies/leaky-bucket");
        assertThat(page.getLong("marks[1].waitMicros") > 0)
                .as("unless the machine was so slow that no request had to wait")
                .isEqualTo(outcomes(page).get(1).equals("DELAYED"));
        assertThat(outcomes(marks(ZooNodes.ONE, page.getString("last")))).isEmpty();
        given().get(ZooNodes.ONE + "api/marks?since=yesterday").then().statusCode(400);
    }

    @Test
    @Tag("faults")
    void whenRedisDiesRequestsAreAnsweredAndEachNodeShowsItsOwn() throws Exception {
        String shared = System.getProperty("limiter.redis.uri");
        try (RedisServer redis = RedisServer.start();
                OwnJetty jetty = new OwnJetty(directory)) {
            System.setProperty("limiter.redis.uri", redis.uri());
            System.setProperty("limiter.redis.deadline", "2s");
            String zoo = jetty.url(jetty.deploy(Wars.zoo("dying")));
            ask(zoo, "sliding-log");
            await().until(() -> outcomes(marks(zoo)).size() == 1);

            redis.kill();
            for (int i = 0; i < 15; i++) {
                assertThat(ask(zoo, "sliding-log").statusCode()).isIn(200, 429);
            }
            JsonPath own = marks(zoo);
            assertThat(own.getString("source")).isEqualTo("CUT_OFF");
            assertThat(own.getList("marks.fallback"))
                    .filteredOn(fallback -> (boolean) fallback)
                    .hasSize(15);
            await().until(() -> marks(zoo).getLong("lost") >= 15);

            redis.restart();
            await().until(() -> {
                ask(zoo, "gcra");
                return marks(zoo).getString("source").equals("SHARED")
                        && marks(zoo).getList("marks.path").contains("strategies/gcra");
            });
        } finally {
            System.setProperty("limiter.redis.uri", shared);
        }
    }

    private static List<String> outcomes(JsonPath marks) {
        return marks.getList("marks.outcome");
    }

    private static JsonPath marks(String zoo) {
        return given().get(zoo + "api/marks").jsonPath();
    }

    private static JsonPath marks(String zoo, String since) {
        return given().get(zoo + "api/marks?since=" + since).jsonPath();
    }

    private static Response ask(String zoo, String strategy) {
        return as("visitor", "visitor").get(zoo + "api/strategies/" + strategy);
    }

    private static RequestSpecification as(String user, String password) {
        return given().auth().preemptive().basic(user, password);
    }
}
