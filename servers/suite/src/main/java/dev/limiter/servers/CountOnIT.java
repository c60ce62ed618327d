package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.net.URI;
import java.net.URL;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A log-in whose failures alone count, for the user name in its form. */
@ExtendWith(ArquillianExtension.class)
class CountOnIT {
    private static final Policy LOGIN = anHour("login", 5);
    private static final Policy ONCE = anHour("once", 1);
    private static final Policy SERVED = anHour("served", 10);
    private static final int MANY = 200;
    private static final int MORE_THAN_IS_READ = 9_000;

    private final Charged charged = new Charged("count-on");

    @ArquillianResource
    private URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of("count-on", Map.of(), "LoginResource");
    }

    @BeforeEach
    void forget() {
        SharedRedis.empty();
        to(server).delete("login");
    }

    @Test
    void of200WrongPasswordsAtOnceFiveReachTheMethod() {
        List<HttpResponse<String>> responses = Http.atOnce(MANY, form("login", "username=alice&password=wrong"));
        assertThat(responses).filteredOn(each -> each.statusCode() == 401).hasSize(5);
        assertThat(responses).filteredOn(each -> each.statusCode() == 429).hasSize(MANY - 5);
        assertThat(reached()).isEqualTo(5);
        assertThat(failuresOf("alice")).isEqualTo(5);
    }

    @Test
    void rightPasswordsOneAfterTheOtherCostNothing() {
        for (int i = 0; i < MANY; i++) {
            assertThat(Http.send(form("login", "username=alice&password=right")).statusCode())
                    .as("after %d", i)
                    .isEqualTo(200);
        }
        assertThat(reached()).isEqualTo(MANY);
        assertThat(failuresOf("alice")).isZero();
    }

    /** Who asks again at once finds the unit that was reserved for the answer before. */
    @Test
    void aSingleUnitIsEnoughForRightPasswords() {
        for (int i = 0; i < MANY; i++) {
            assertThat(Http.send(form("login/once", "username=alice&password=right"))
                            .statusCode())
                    .as("after %d", i)
                    .isEqualTo(200);
        }
        assertThat(charged.units(ONCE, user("alice"))).isZero();
        assertThat(Http.send(form("login/once", "username=alice&password=wrong"))
                        .statusCode())
                .isEqualTo(401);
        assertThat(Http.send(form("login/once", "username=alice&password=right"))
                        .statusCode())
                .isEqualTo(429);
        assertThat(Http.send(form("login/once", "username=bob&password=right")).statusCode())
                .isEqualTo(200);
    }

    /** While they run they hold units: some may be refused, and in the end nothing is spent. */
    @Test
    void of200RightPasswordsAtOnceNothingIsSpentInTheEnd() {
        List<HttpResponse<String>> responses = Http.atOnce(MANY, form("login", "username=alice&password=right"));
        assertThat(responses).extracting(HttpResponse::statusCode).isSubsetOf(200, 429);
        long served =
                responses.stream().filter(each -> each.statusCode() == 200).count();
        assertThat(served).isEqualTo(reached()).isGreaterThanOrEqualTo(5);
        await().until(() -> failuresOf("alice"), spent -> spent == 0);
    }

    @ParameterizedTest
    @CsvSource({"200, 1", "404, 1", "429, 1", "500, 0", "503, 0"})
    void aNegationCountsAllOtherResponses(int status, int units) {
        assertThat(Http.send(form("login/status/" + status, "")).statusCode()).isEqualTo(status);
        assertThat(charged.units(SERVED)).isEqualTo(units);
    }

    @ParameterizedTest
    @ValueSource(strings = {"parameters", "map"})
    void theMethodGetsTheFormThatTheLimiterHasRead(String method) {
        assertThat(Http.send(form("login/" + method, "filler=abc&username=alice"))
                        .body())
                .isEqualTo("alice 3");
        assertThat(charged.units(anHour(method, 10), PartitionKey.of("form:username", "alice")))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"parameters", "map"})
    void aLongFormArrivesWhole(String method) {
        String filler = "f".repeat(MORE_THAN_IS_READ);
        assertThat(Http.send(form("login/" + method, "username=alice&filler=" + filler))
                        .body())
                .isEqualTo("alice " + MORE_THAN_IS_READ);
        assertThat(charged.units(anHour(method, 10), PartitionKey.of("form:username", "alice")))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"parameters", "map"})
    void aFieldThatComesTooLateIsCountedOnTheAddress(String method) {
        String filler = "f".repeat(MORE_THAN_IS_READ);
        for (String late : List.of("alice", "bob")) {
            HttpResponse<String> response =
                    Http.send(form("login/" + method, "filler=" + filler + "&username=" + late));
            assertThat(response.body()).isEqualTo(late + " " + MORE_THAN_IS_READ);
            assertThat(charged.units(anHour(method, 10), PartitionKey.of("form:username", late)))
                    .isZero();
        }
        assertThat(SharedRedis.keys()).as("both on one address").hasSize(1);
    }

    @Test
    void spellingsOfOneNameAreOnePartition() {
        for (String spelling : List.of("Alice", " alice ", "ＡＬＩＣＥ", "alice", "aLiCe")) {
            String encoded = URLEncoder.encode(spelling, StandardCharsets.UTF_8);
            HttpResponse<String> response = Http.send(form("login", "username=" + encoded + "&password=wrong"));
            assertThat(response.statusCode()).as(spelling).isEqualTo(401);
            assertThat(response.body()).as("as it was written").isEqualTo(spelling);
        }
        assertThat(failuresOf("alice")).isEqualTo(5);
        assertThat(SharedRedis.keys()).hasSize(1);
        assertThat(Http.send(form("login", "username=ALICE&password=right")).statusCode())
                .isEqualTo(429);
    }

    private HttpRequest form(String path, String body) {
        return HttpRequest.newBuilder(URI.create(server + path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private int reached() {
        return Integer.parseInt(to(server).get("login").asString());
    }

    private long failuresOf(String user) {
        return charged.units(LOGIN, user(user));
    }

    private static PartitionKey user(String name) {
        return PartitionKey.of("form:username~fold", name);
    }

    private static Policy anHour(String name, long limit) {
        return Policy.of(name, Algorithm.SLIDING_LOG, limit, Duration.ofHours(1));
    }
}
