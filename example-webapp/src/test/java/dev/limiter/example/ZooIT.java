package dev.limiter.example;

import static dev.limiter.example.Http.remaining;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;

import io.restassured.http.Header;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The zoo as a visitor meets it: the WAR that was built, in a servlet container, over HTTP, with
 * a real Redis. A servlet lists its endpoints, and a filter is a caller that leaves early.
 */
@ExtendWith(ArquillianExtension.class)
class ZooIT {

    @ArquillianResource
    private URL zoo;

    @Deployment(testable = false)
    static WebArchive deploy() {
        SharedRedis.configure();
        return Wars.with(
                Wars.zoo("zoo"),
                "EndpointsServlet",
                "LeavingCaller",
                "LeavingCaller$Unread",
                "LeavingCaller$ClosedStream");
    }

    @BeforeEach
    void emptyRedis() {
        SharedRedis.empty();
    }

    @Test
    void aSpentQuotaTakesNothingFromOthers() {
        while (as("visitor").get("api/strategies/sliding-log").statusCode() == 200) {
            // until it is spent
        }
        assertThat(remaining(as("member").get("api/strategies/sliding-log"), "sliding-log"))
                .isEqualTo(9);
        assertThat(remaining(anonymous().get("api/strategies/sliding-log"), "sliding-log"))
                .isEqualTo(9);
    }

    @Test
    void anAdmittedResponseCarriesTheFieldsOfDraft11() {
        as("visitor")
                .get("api/animals")
                .then()
                .statusCode(200)
                .header("RateLimit-Policy", "\"animals\";q=10;w=10")
                .header("RateLimit", "\"animals\";r=9;t=1");
    }

    @Test
    void aRejectionSaysWhichLimitHowLongToWaitAndWhy() {
        as("visitor").post("api/tickets/circus").then().statusCode(201);
        as("visitor")
                .post("api/tickets/circus")
                .then()
                .statusCode(429)
                .header("Retry-After", matchesPattern("[1-9]|10"))
                .header("RateLimit-Policy", "\"buyer\";q=1;w=10, \"show\";q=100;w=10")
                .header("RateLimit", matchesPattern("\"buyer\";r=0;t=([1-9]|10), \"show\";r=99;t=([1-9]|10)"))
                .contentType("application/problem+json")
                .body("type", equalTo("https://iana.org/assignments/http-problem-types#quota-exceeded"))
                .body("title", equalTo("Too Many Requests"))
                .body("status", equalTo(429))
                .body("detail", matchesPattern("Limit \"buyer\" reached; retry in ([1-9]|10) s\\."))
                .body("violated-policies", equalTo(List.of("buyer")));
    }

    @Test
    void aTicketRefusedToABuyerLeavesTheShowUntouched() {
        assertThat(remaining(as("visitor").post("api/tickets/circus"), "show")).isEqualTo(99);
        Response refused = as("visitor").post("api/tickets/circus");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(remaining(refused, "show")).isEqualTo(99);
        assertThat(remaining(as("member").post("api/tickets/circus"), "show")).isEqualTo(98);
    }

    @Test
    void buyersShareAShowAndShowsDoNotShareTickets() {
        assertThat(remaining(as("visitor").post("api/tickets/circus"), "show")).isEqualTo(99);
        assertThat(remaining(as("member").post("api/tickets/circus"), "show")).isEqualTo(98);
        assertThat(remaining(as("keeper").post("api/tickets/ballet"), "show")).isEqualTo(99);
    }

    @Test
    void waitingRetryAfterIsEnough() throws Exception {
        as("visitor").get("api/strategies/uniform").then().statusCode(200);
        Response rejected = as("visitor").get("api/strategies/uniform");
        assertThat(rejected.statusCode()).isEqualTo(429);
        long seconds = Long.parseLong(rejected.header("Retry-After"));
        int afterwards = CompletableFuture.supplyAsync(
                        () -> as("visitor").get("api/strategies/uniform").statusCode(),
                        CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS))
                .get();
        assertThat(afterwards).isEqualTo(200);
    }

    /** However slow the machine is: ten from rest, and no more than came back meanwhile. */
    @ParameterizedTest
    @ValueSource(strings = {"fixed-window", "sliding-window", "sliding-log", "gcra", "token-bucket"})
    void everyStrategyAdmitsTenFromRestAndThenRejects(String strategy) {
        long began = System.nanoTime();
        int admitted = 0;
        while (as("visitor").get("api/strategies/" + strategy).statusCode() == 200) {
            admitted++;
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
        long atMost = strategy.endsWith("window") ? 20 : 10 + seconds + 1;
        assertThat((long) admitted).isBetween(10L, atMost);
    }

    @Test
    void aBucketFilledAtIntervalsGivesItsBurstAndThenNothingUntilTheInterval() {
        long began = System.nanoTime();
        int admitted = 0;
        while (as("visitor").get("api/strategies/token-bucket-interval").statusCode() == 200) {
            admitted++;
        }
        long intervals = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) / 10;
        assertThat(admitted).isIn(20, 20 + 10 * (int) intervals);
    }

    /**
     * Slots are a second apart, and no request waits longer than two seconds: so three of those
     * that come at once run.
     */
    @Test
    void aLeakyBucketHoldsRequestsForTheirSlots() {
        long began = System.nanoTime();
        List<Response> responses = atOnce(5, "api/strategies/leaky-bucket");
        double seconds = (System.nanoTime() - began) / 1e9;
        long admitted = responses.stream()
                .filter(response -> response.statusCode() == 200)
                .count();
        assertThat(admitted).isBetween(3L, 3 + (long) seconds);
        assertThat(seconds).isGreaterThanOrEqualTo(admitted - 1);
        for (Response response : responses) {
            response.then().header("RateLimit-Policy", "\"leaky-bucket\";q=3;w=3");
            if (response.statusCode() != 200) {
                response.then().statusCode(429).header("Retry-After", matchesPattern("[1-3]"));
            }
        }
    }

    @Test
    void threeAreInFlightAndTheirLeasesComeBack() {
        List<Response> responses = atOnce(5, "api/strategies/concurrency");
        for (Response response : responses) {
            response.then().header("RateLimit-Policy", "\"concurrency\";q=3;qu=\"concurrent-requests\"");
            if (response.statusCode() != 200) {
                response.then().statusCode(429).header("Retry-After", "1").header("RateLimit", "\"concurrency\";r=0");
            }
        }
        assertThat(responses)
                .filteredOn(response -> response.statusCode() == 200)
                .hasSizeGreaterThanOrEqualTo(3);
        assertThat(remaining(as("visitor").get("api/strategies/concurrency"), "concurrency"))
                .isEqualTo(2);
    }

    private List<Response> atOnce(int requests, String path) {
        ExecutorService threads = Executors.newFixedThreadPool(requests);
        try {
            return IntStream.range(0, requests)
                    .mapToObj(i ->
                            CompletableFuture.supplyAsync(() -> as("visitor").get(path), threads))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void oneEvalshaForEachLimitedRequestAndNoneForTheOthers() {
        as("keeper").post("api/tickets/warm-up");
        long evals = SharedRedis.calls("eval");
        assertThat(SharedRedis.decisions(() -> {
                    for (int i = 0; i < 5; i++) {
                        as("visitor").post("api/tickets/circus");
                    }
                }))
                .isEqualTo(5);
        assertThat(SharedRedis.decisions(() -> {
                    for (int i = 0; i < 5; i++) {
                        anonymous()
                                .get("api/health")
                                .then()
                                .statusCode(200)
                                .header("RateLimit", (String) null)
                                .header("RateLimit-Policy", (String) null);
                    }
                }))
                .isZero();
        assertThat(SharedRedis.calls("eval") - evals).isZero();
    }

    @Test
    void aWrongPasswordIsAnsweredBeforeAnyLimitIsAsked() {
        assertThat(SharedRedis.decisions(() -> anonymous()
                        .header(new Header("Authorization", "Basic dmlzaXRvcjp3cm9uZw=="))
                        .get("api/animals")
                        .then()
                        .statusCode(401)
                        .header("RateLimit", (String) null)))
                .isZero();
    }

    @Test
    void headCountsAsTheGetItStandsForAndOptionsIsNotCounted() {
        assertThat(remaining(as("visitor").get("api/strategies/sliding-log"), "sliding-log"))
                .isEqualTo(9);
        assertThat(remaining(as("visitor").head("api/strategies/sliding-log"), "sliding-log"))
                .isEqualTo(8);
        as("visitor")
                .options("api/strategies/sliding-log")
                .then()
                .statusCode(200)
                .header("RateLimit", (String) null);
        assertThat(remaining(as("visitor").get("api/strategies/sliding-log"), "sliding-log"))
                .isEqualTo(7);
    }

    @Test
    void aPlanIsCountedBeyondItsLimitAndRejectsNoRequest() {
        for (int used = 1; used <= 13; used++) {
            Response month = as("member").get("api/plan");
            month.then()
                    .statusCode(200)
                    .body("used", equalTo(used))
                    .body("limit", equalTo(10))
                    .body("exceeded", equalTo(used > 10))
                    .body("toBill", equalTo(Math.max(0, used - 10)))
                    .body("billingDay", equalTo(15));
            assertThat(remaining(month, "plan")).isEqualTo(Math.max(0, 10 - used));
            assertThat(month.header("RateLimit").contains(";t=")).isEqualTo(used < 10);
            assertThat(month.jsonPath().getLong("secondsLeft")).isPositive();
        }
        as("keeper").get("api/plan").then().body("used", equalTo(1)).body("billingDay", equalTo(31));
    }

    /** The day is that of the user. What the caller writes does not change it. */
    @Test
    void aMonthEndsOnTheBillingDayOfTheUser() {
        Map<Integer, RequestSpecification> callers =
                Map.of(15, as("member"), 31, as("keeper"), 1, anonymous().header("billing-day", "9"));
        callers.forEach((day, caller) -> {
            Instant now = Instant.now();
            Response month = caller.queryParam("billing-day", "9").get("api/plan");
            long ends = month.jsonPath().getLong("secondsLeft");
            assertThat(ends)
                    .as("seconds until the next day %s", day)
                    .isBetween(secondsUntil(day, now) - 60, secondsUntil(day, now) + 60);
            assertThat(Long.parseLong(month.header("RateLimit").replaceAll(".*;t=", "")))
                    .isEqualTo(ends);
        });
    }

    private static long secondsUntil(int dayOfMonth, Instant now) {
        LocalDate day = now.atOffset(ZoneOffset.UTC).toLocalDate().plusDays(1);
        while (day.getDayOfMonth() != Math.min(dayOfMonth, day.lengthOfMonth())) {
            day = day.plusDays(1);
        }
        return Duration.between(now, day.atStartOfDay(ZoneOffset.UTC)).toSeconds();
    }

    @Test
    void anAnswerIsChargedByItsEstimateAndSettledByItsLength() {
        Response answer = ask("Who is Ada?");
        answer.then().statusCode(200).header("RateLimit-Policy", "\"tokens\";q=600;w=60");
        assertThat(remaining(answer, "tokens")).as("before the answer").isEqualTo(600 - 253);
        List<String> lines = answer.asString().lines().toList();
        assertThat(lines.get(0)).isEqualTo("{\"estimate\":253}");
        assertThat(lines.subList(1, 5))
                .containsExactly(
                        "{\"text\":\"Ada \"}", "{\"text\":\"is \"}", "{\"text\":\"a \"}", "{\"text\":\"penguin.\"}");
        JsonPath end = JsonPath.from(lines.get(5));
        assertThat(end.getInt("used")).isEqualTo(3 + 5);
        assertThat(end.getInt("left")).isBetween(600 - 8, 600);
        assertThat(remaining(ask("Who is Ada?"), "tokens")).isBetween(600 - 8 - 253, 600 - 253);
    }

    @Test
    void aQuestionForWhichTokensAreMissingIsRejectedAndCostsNothing() {
        ask("Ada? ".repeat(400)).then().statusCode(200);
        Response rejected = ask("Ada? ".repeat(400));
        rejected.then()
                .statusCode(429)
                .header("Retry-After", matchesPattern("[1-5]?\\d"))
                .contentType("application/problem+json")
                .body("violated-policies", equalTo(List.of("tokens")));
        assertThat(remaining(rejected, "tokens")).isBetween(600 - 505, 599);
        assertThat(ask("Ada? ".repeat(401)).statusCode()).as("too long").isEqualTo(400);
        assertThat(remaining(ask("Ada? ".repeat(400)), "tokens")).isBetween(600 - 505, 599);
    }

    /** Without a settlement a bucket would need 24 s to have these tokens again. */
    @Test
    void aCallerThatLeavesPaysForWhatWasWrittenAndNotForTheEstimate() throws Exception {
        String question = "Who lives in this zoo?";
        try (Socket caller = new Socket(zoo.getHost(), zoo.getPort())) {
            caller.setSoLinger(true, 0); // closing resets the connection, so the next word cannot be sent
            String request = "POST " + zoo.getPath() + "api/answers HTTP/1.1\r\nHost: zoo\r\n"
                    + "Authorization: Basic dmlzaXRvcjp2aXNpdG9y\r\nContent-Type: text/plain\r\nContent-Length: "
                    + question.length() + "\r\n\r\n" + question;
            caller.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            assertThat(caller.getInputStream().read()).isEqualTo('H');
        }
        await().until(() -> remaining(ask("Who is Ada?"), "tokens"), left -> left > 600 - 253 - 20);
    }

    /** Without a settlement a bucket would need 24 s to have the tokens of the estimate again. */
    @Test
    void aCallerThatReadsNothingPaysForTheQuestionOnly() {
        as("visitor")
                .header("Leaves", "early")
                .contentType("text/plain")
                .body("Who is Ada?")
                .post("api/answers");
        assertThat(remaining(ask("Who is Ada?"), "tokens")).isBetween(600 - 253 - 20, 600 - 253);
    }

    @Test
    void eachEndpointIsListed() {
        assertThat(anonymous().get("endpoints").asString().lines())
                .containsExactly(
                        "LIMITED GET /api/animals (AnimalResource.all) [animals]",
                        "LIMITED POST /api/answers (AnswerResource.answer) [tokens]",
                        "UNLIMITED GET /api/feeding-orders (FeedingOrderResource.stats) []",
                        "UNLIMITED POST /api/feeding-orders (FeedingOrderResource.place) []",
                        "UNLIMITED GET /api/feeding-orders/{id} (FeedingOrderResource.state) []",
                        "EXEMPT GET /api/health (HealthResource.health) []",
                        "UNLIMITED GET /api/keeper (KeeperResource.pace) []",
                        "UNLIMITED PUT /api/keeper (KeeperResource.work) []",
                        "EXEMPT GET /api/limits (KeeperLimits.limits) []",
                        "EXEMPT DELETE /api/limits/callers/{policy} (KeeperLimits.forgive) []",
                        "EXEMPT GET /api/limits/callers/{policy} (KeeperLimits.caller) []",
                        "EXEMPT PUT /api/limits/callers/{policy} (KeeperLimits.changeCaller) []",
                        "EXEMPT GET /api/limits/me (VisitorLimits.limits) []",
                        "EXEMPT DELETE /api/limits/policies/{policy} (KeeperLimits.takeBack) []",
                        "EXEMPT PUT /api/limits/policies/{policy} (KeeperLimits.change) []",
                        "EXEMPT GET /api/limits/rejected (KeeperLimits.rejected) []",
                        "EXEMPT GET /api/limits/usage/{policy} (KeeperLimits.usage) []",
                        "UNLIMITED GET /api/marks (MarkResource.after) []",
                        "NOT_REJECTING GET /api/plan (PlanResource.use) [plan]",
                        "UNLIMITED GET /api/policies (PolicyResource.named) []",
                        "LIMITED GET /api/strategies/concurrency (StrategyResource.concurrency) [concurrency]",
                        "LIMITED GET /api/strategies/fixed-window (StrategyResource.fixedWindow) [fixed-window]",
                        "LIMITED GET /api/strategies/gcra (StrategyResource.gcra) [gcra]",
                        "LIMITED GET /api/strategies/leaky-bucket (StrategyResource.leakyBucket) [leaky-bucket]",
                        "LIMITED GET /api/strategies/sliding-log (StrategyResource.slidingLog) [sliding-log]",
                        "LIMITED GET /api/strategies/sliding-window (StrategyResource.slidingWindow) [sliding-window]",
                        "LIMITED GET /api/strategies/token-bucket (StrategyResource.tokenBucket) [token-bucket]",
                        "LIMITED GET /api/strategies/token-bucket-interval (StrategyResource.tokenBucketInterval)"
                                + " [token-bucket-interval]",
                        "LIMITED GET /api/strategies/uniform (StrategyResource.uniform) [uniform]",
                        "LIMITED POST /api/tickets/{show} (TicketResource.buy) [buyer, show]",
                        "LIMITED POST /api/tiger-feeding/both (TigerFeedingResource.both) [gate, feeding]",
                        "LIMITED POST /api/tiger-feeding/gate (TigerFeedingResource.gate) [gate]",
                        "LIMITED POST /api/tiger-feeding/window (TigerFeedingResource.window) [feeding]",
                        "EXEMPT /endpoints (EndpointsServlet) []");
    }

    /** Waits for the whole answer. */
    private Response ask(String question) {
        Response answer = as("visitor").contentType("text/plain").body(question).post("api/answers");
        answer.asString();
        return answer;
    }

    private RequestSpecification as(String user) {
        return anonymous().auth().preemptive().basic(user, user);
    }

    private RequestSpecification anonymous() {
        return given().baseUri(zoo.toString());
    }
}
