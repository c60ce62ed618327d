package dev.limiter.example;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.limiter.testkit.RedisServer;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The record of requests that the page draws: it is shared by all instances, and no request waits
 * for it.
 */
class MarksIT {
    private static final String REDIS = "limiter.redis.uri";

    @TempDir
    private static Path nodes;

    @TempDir
    private Path directory;

    /** Nodes that remember rejections: each test that asks them asks other paths. */
    private static OwnJetty shared;

    private static String one;
    private static String two;

    private String redis;

    @BeforeAll
    static void deployTwoNodes() throws Exception {
        SharedRedis.configure();
        shared = new OwnJetty(nodes);
        one = shared.url(shared.deploy(Wars.zoo("one")));
        two = shared.url(shared.deploy(Wars.zoo("two")));
    }

    @AfterAll
    static void close() {
        shared.close();
    }

    @BeforeEach
    void remember() {
        SharedRedis.configure();
        SharedRedis.empty();
        redis = System.getProperty(REDIS);
    }

    @AfterEach
    void restore() {
        System.setProperty(REDIS, redis);
        System.clearProperty("limiter.redis.deadline");
    }

    @Test
    void twoNodesShowOnePicture() {
        for (int i = 0; i < 6; i++) {
            ask(one, "strategies/sliding-log", "visitor");
            ask(two, "strategies/sliding-log", "visitor");
        }
        eventually().until(() -> marks(one).getList("marks").size(), size -> size == 12);
        JsonPath picture = marks(one);
        assertThat(picture.getList("marks")).isEqualTo(marks(two).getList("marks"));
        assertThat(picture.getString("source")).isEqualTo("SHARED");
        assertThat(picture.getList("marks.outcome"))
                .filteredOn("ADMITTED"::equals)
                .hasSizeGreaterThanOrEqualTo(10);
        assertThat(picture.getList("marks.user")).containsOnly("visitor");
        assertThat(picture.getList("marks.path")).containsOnly("strategies/sliding-log");
        assertThat(nodes(picture)).hasSize(2);
        assertThat(picture.getList("marks.atMicros", Long.class))
                .as("all by the clock of Redis, which has also said what is now")
                .allMatch(at -> at <= picture.getLong("nowMicros"))
                .doesNotHaveDuplicates();
    }

    @Test
    void aRecordShowsTheRejectingPolicyAndTheTimeHeld() {
        ask(one, "strategies/leaky-bucket", "visitor");
        ask(one, "strategies/leaky-bucket", "visitor");
        given().auth().preemptive().basic("guest-7", "guest-7").post(one + "api/tiger-feeding/both");
        given().auth().preemptive().basic("guest-7", "guest-7").post(one + "api/tiger-feeding/both");
        eventually().until(() -> marks(one).getList("marks").size(), size -> size == 4);
        JsonPath picture = marks(one);
        assertThat(picture.getList("marks.outcome")).startsWith("ADMITTED").endsWith("ADMITTED", "REJECTED");
        boolean wasHeld = picture.getString("marks[1].outcome").equals("DELAYED");
        assertThat(picture.getLong("marks[1].waitMicros") > 0)
                .as("unless the machine was so slow that no request had to wait")
                .isEqualTo(wasHeld);
        assertThat(picture.getList("marks[3].rejectedBy")).containsExactly("gate");
        assertThat(picture.getString("marks[3].user")).isEqualTo("guest-7");
    }

    @Test
    void pagesFollowOneAnother() {
        ask(one, "strategies/gcra", "");
        eventually().until(() -> marks(one).getList("marks").size(), size -> size == 1);
        String last = marks(one).getString("last");
        assertThat(marks(one, last).getList("marks")).isEmpty();
        ask(one, "strategies/uniform", "");
        eventually().until(() -> marks(one, last).getList("marks").size(), size -> size == 1);
        assertThat(marks(one, last).getString("marks[0].path")).isEqualTo("strategies/uniform");
        assertThat(given().get(one + "api/marks?since=yesterday").statusCode()).isEqualTo(400);
    }

    /**
     * Requests without a limit leave no mark; neither do the marks themselves and wrong
     * passwords. An application that ends closes its connections.
     */
    @Test
    void onlyLimitedRequestsAreRecorded() throws Exception {
        try (OwnJetty jetty = new OwnJetty(directory)) {
            Set<String> before = SharedRedis.clients();
            Set<Thread> writersBefore = writers();
            WebAppContext application = jetty.deploy(Wars.zoo("unlimited"));
            String zoo = jetty.url(application);
            marks(zoo);
            assertThat(given().get(zoo + "api/health").header("RateLimit")).isNull();
            assertThat(given().get(zoo + "api/marks").header("RateLimit")).isNull();
            given().get(zoo + "api/nothing").then().statusCode(404);
            given().auth()
                    .preemptive()
                    .basic("visitor", "wrong")
                    .get(zoo + "api/animals")
                    .then()
                    .statusCode(401);
            ask(zoo, "animals", "keeper");
            eventually().until(() -> !marks(zoo).getList("marks").isEmpty());
            assertThat(marks(zoo).getList("marks.path")).containsExactly("animals");
            jetty.undeploy(application);
            SharedRedis.awaitNoOtherConnectionBut(before);
            assertThat(writersBefore).containsAll(writers());
        }
    }

    @Test
    @Tag("faults")
    void whenRedisDiesRequestsAreAnsweredAndEachNodeShowsItsOwn() throws Exception {
        try (RedisServer redis = RedisServer.start();
                OwnJetty jetty = new OwnJetty(directory)) {
            System.setProperty(REDIS, redis.uri());
            System.setProperty("limiter.redis.deadline", "2s");
            String zoo = jetty.url(jetty.deploy(Wars.zoo("dying")));
            ask(zoo, "strategies/sliding-log", "visitor");
            eventually()
                    .until(() -> marks(zoo).getString("source").equals("SHARED")
                            && marks(zoo).getList("marks").size() == 1);

            redis.kill();
            for (int i = 0; i < 15; i++) {
                assertThat(ask(zoo, "strategies/sliding-log", "member").statusCode())
                        .isIn(200, 429);
            }
            JsonPath alone = marks(zoo);
            assertThat(alone.getString("source")).isEqualTo("CUT_OFF");
            assertThat(alone.getList("marks.user")).filteredOn("member"::equals).hasSize(15);
            assertThat(alone.<Map<String, Object>>getList("marks"))
                    .filteredOn(mark -> mark.get("user").equals("member"))
                    .allMatch(mark -> (boolean) mark.get("fallback"));
            eventually().until(() -> marks(zoo).getLong("lost") >= 15);

            redis.restart();
            eventually().until(() -> {
                ask(zoo, "strategies/sliding-log", "keeper");
                JsonPath again = marks(zoo);
                return again.getString("source").equals("SHARED")
                        && again.getList("marks.user").contains("keeper");
            });
        }
    }

    /**
     * Redis takes the connection and says nothing: a request goes on without it, and takes no
     * place in a queue without end.
     */
    @Test
    @Tag("faults")
    void whileRedisHangsRecordsAreLostAndNoRequestWaits() throws Exception {
        try (RedisServer redis = RedisServer.start();
                OwnJetty jetty = new OwnJetty(directory)) {
            System.setProperty(REDIS, redis.uri());
            System.setProperty("limiter.redis.deadline", "100ms");
            String zoo = jetty.url(jetty.deploy(Wars.zoo("hanging")));
            ask(zoo, "strategies/gcra", "visitor");
            redis.pause();
            IntStream.range(0, 30)
                    .forEach(i -> assertThat(
                                    ask(zoo, "strategies/gcra", "member").statusCode())
                            .isIn(200, 429));
            eventually().until(() -> marks(zoo).getLong("lost") >= 30);
            assertThat(marks(zoo).getString("source")).isEqualTo("CUT_OFF");
            redis.resume();
            eventually().until(() -> marks(zoo).getString("source").equals("SHARED"));
        }
    }

    @Test
    void withoutRedisTheMarksAreThoseOfThisProcess() throws Exception {
        System.clearProperty(REDIS);
        try (OwnJetty jetty = new OwnJetty(directory)) {
            String zoo = jetty.url(jetty.deploy(Wars.zoo("alone")));
            for (int i = 0; i < 5; i++) {
                ask(zoo, "strategies/uniform", "visitor");
            }
            JsonPath own = marks(zoo);
            assertThat(own.getString("source")).isEqualTo("ALONE");
            assertThat(own.getList("marks")).hasSize(5);
            assertThat(marks(zoo, own.getString("last")).getList("marks")).isEmpty();
        }
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(30));
    }

    private static Set<Thread> writers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("zoo-marks"))
                .collect(Collectors.toSet());
    }

    private static Set<String> nodes(JsonPath picture) {
        List<String> ids = picture.getList("marks.id");
        return ids.stream().map(id -> id.replaceAll("-.*", "")).collect(Collectors.toSet());
    }

    private static JsonPath marks(String zoo) {
        return given().get(zoo + "api/marks").then().statusCode(200).extract().jsonPath();
    }

    private static JsonPath marks(String zoo, String since) {
        return given().get(zoo + "api/marks?since=" + since)
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
    }

    private static Response ask(String zoo, String path, String user) {
        return user.isEmpty()
                ? given().get(zoo + "api/" + path)
                : given().auth().preemptive().basic(user, user).get(zoo + "api/" + path);
    }
}
