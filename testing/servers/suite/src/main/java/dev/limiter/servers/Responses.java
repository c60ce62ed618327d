package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The responses of a limited service: headers, a body that the client takes, and nothing of
 * unpublished policies.
 */
interface Responses extends Topic {
    String JSON = "application/problem+json";
    List<String> TOLD = List.of("RateLimit", "RateLimit-Policy", "Retry-After", "Access-Control-Expose-Headers");

    @ParameterizedTest
    @CsvSource({
        "'application/json',                    application/problem+json",
        "'application/problem+json',            application/problem+json",
        "'application/*',                       application/problem+json",
        "'*/*',                                 application/problem+json",
        "'text/html, */*;q=0.1',                application/problem+json",
        "'text/plain',                          text/plain",
        "'text/html',                           text/plain",
        "'image/png',                           text/plain",
        "'application/json;q=0, text/plain',    text/plain",
    })
    default void theBodyIsWhatTheClientTakes(String accept, String type) {
        to(server()).get("answers/once");
        Response rejected = to(server()).header("Accept", accept).get("answers/once");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.contentType()).startsWith(type);
        String detail = "Limit \"once\" reached; retry in " + rejected.header("Retry-After") + " s.";
        if (type.equals(JSON)) {
            assertThat(rejected.json())
                    .containsEntry("type", "https://iana.org/assignments/http-problem-types#quota-exceeded")
                    .containsEntry("title", "Too Many Requests")
                    .containsEntry("status", 429L)
                    .containsEntry("detail", detail)
                    .containsEntry("violated-policies", List.of("once"));
        } else {
            assertThat(rejected.asString()).isEqualTo(detail + '\n');
        }
    }

    @Test
    default void withoutAnAcceptHeaderTheBodyIsJson() {
        to(server()).get("answers/once");
        assertThat(Raw.exchange(server(), "GET", "answers/once", ""))
                .startsWith("HTTP/1.1 429 ")
                .containsIgnoringCase("\r\nContent-Type: " + JSON)
                .contains("\"violated-policies\":[\"once\"]");
    }

    @Test
    default void headHasNoBody() {
        to(server()).get("answers/once");
        assertThat(Raw.exchange(server(), "HEAD", "answers/once", ""))
                .startsWith("HTTP/1.1 429 ")
                .containsIgnoringCase("\r\nRetry-After: ")
                .endsWith("\r\n\r\n")
                .doesNotContain("violated");
    }

    /**
     * Before matching as after it: a server may refuse the request by itself, but nothing
     * breaks.
     */
    @ParameterizedTest
    @ValueSource(strings = {"a/b/c", "text", "/", ";;;", "text/", "*/plain", "application/json;q=much", "\"", ",,"})
    default void anUnreadableAcceptHeaderIsNoErrorOfTheService(String accept) {
        to(server()).get("answers/once");
        Response response = to(server()).header("Accept", accept).get("answers/once");
        assertThat(response.statusCode()).as(accept).isBetween(400, 499);
        if (response.statusCode() == 429) {
            assertThat(response.asString()).contains("Limit").contains("once");
        }
    }

    @Test
    default void retryAfterIsWholeSecondsOfWhatIsLeft() {
        assertThat(to(server()).get("answers/once").header("Retry-After")).isNull();
        String seconds = to(server()).get("answers/once").header("Retry-After");
        assertThat(Integer.parseInt(seconds)).isBetween(1, 3600);
    }

    @Test
    default void scriptsOfOtherOriginsMayReadTheFields() {
        assertThat(exposed(fromElsewhere("answers/once")))
                .containsExactlyInAnyOrder(
                        "x-own", "x-late", "x-of-servlets", "ratelimit", "ratelimit-policy", "retry-after");
        Response rejected = fromElsewhere("answers/once");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(exposed(rejected)).contains("x-own", "x-late", "x-of-servlets", "ratelimit", "retry-after");
    }

    /** An unpublished policy has no headers, but a {@code Retry-After}. */
    @Test
    default void scriptsOfOtherOriginsMayReadWhenToComeBack() {
        assertThat(exposed(fromElsewhere("answers/secret"))).contains("x-own").doesNotContain("ratelimit");
        Response rejected = fromElsewhere("answers/secret");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(exposed(rejected)).contains("retry-after").doesNotContain("ratelimit");
    }

    @Test
    default void withoutAnOriginNothingIsExposed() {
        assertThat(to(server()).get("answers/once").header("Access-Control-Expose-Headers"))
                .isNull();
        assertThat(to(server()).get("answers/once").header("Access-Control-Expose-Headers"))
                .isNull();
    }

    @Test
    default void whatIsNotPublishedIsNotNamed() {
        Response admitted = to(server()).get("answers/unpublished");
        assertThat(admitted.header("RateLimit")).startsWith("\"shown\";r=9").doesNotContain("hidden");
        assertThat(admitted.header("RateLimit-Policy")).isEqualTo("\"shown\";q=10;w=3600");
        Response rejected = to(server()).get("answers/unpublished");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.headers().toString() + rejected.asString()).doesNotContain("hidden");
        assertThat(rejected.text("detail"))
                .isEqualTo("Limit reached; retry in " + rejected.header("Retry-After") + " s.");
        assertThat(rejected.violatedPolicies()).isEmpty();
    }

    @Test
    default void aSoftLimitIsToldAndCountsBeyondItself() {
        for (int used = 1; used <= 102; used++) {
            Response response = to(server()).get("included");
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.asString()).isEqualTo(used + " " + (used > 100));
            assertThat(remaining(response, "included")).isEqualTo(Math.max(0, 100 - used));
            assertThat(response.header("RateLimit").contains(";t=")).isEqualTo(used < 100);
            assertThat(response.header("RateLimit-Policy")).startsWith("\"included\";q=100;w=");
        }
    }

    @Test
    default void aShadowChangesNoResponse() {
        for (int i = 0; i < 3; i++) {
            Response response = to(server()).get("answers/shadowed");
            assertThat(response.statusCode()).isEqualTo(200);
            TOLD.forEach(name -> assertThat(response.header(name)).isNull());
        }
        assertThat(charged().units(anHour("shadow", 1))).isEqualTo(1);
    }

    @Test
    default void aShadowBesideALimitIsNotTold() {
        for (int left = 9; left > 6; left--) {
            Response response = to(server()).get("answers/beside");
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(remaining(response, "enforced")).isEqualTo(left);
            assertThat(response.headers().toString()).doesNotContain("shadow");
        }
    }

    @Test
    default void notModifiedCarriesNoFieldsAndIsCounted() {
        Response response = to(server()).get("answers/unchanged");
        assertThat(response.statusCode()).isEqualTo(304);
        TOLD.forEach(name -> assertThat(response.header(name)).isNull());
        assertThat(charged().units(anHour("unchanged", 10))).isEqualTo(1);
    }

    @ParameterizedTest(name = "\"{0}\" costs {1}")
    @CsvSource({
        "'',                                 20",
        "?size=,                             20",
        "?size=1,                             1",
        "?size=17,                           17",
        "?size=%2017%20,                     17",
        "?size=0,                             1",
        "?size=-5,                            1",
        "?size=-99999999999999999999999,      1",
        "?size=101,                         100",
        "?size=9223372036854775808,         100",
        "?size=1e1,                         100",
        "?size=much,                        100",
        "?size=5&size=7,                      5",
    })
    default void aRequestSaysWhatItCosts(String query, long units) {
        Response response = to(server()).get("answers/costly" + query);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(charged().units(anHour("costly", 100))).isEqualTo(units);
    }

    /**
     * 10 MB are announced, and none of them is sent: a server that waits for them never answers.
     * More than that WildFly refuses by itself.
     */
    @ParameterizedTest
    @ValueSource(strings = {"", "Expect: 100-continue\r\n"})
    default void aRejectedUploadIsNotRead(String expectation) {
        to(server()).get("answers/once");
        String line = Raw.statusLine(
                server(),
                "POST",
                "answers/upload",
                "Content-Type: application/octet-stream\r\nContent-Length: 10000000\r\n" + expectation);
        assertThat(line).startsWith("HTTP/1.1 429");
    }

    private Response fromElsewhere(String path) {
        return to(server()).header("Origin", "https://elsewhere.example").get(path);
    }

    /** The names that scripts may read, over all fields of that name, in lower case. */
    private static Stream<String> exposed(Response response) {
        return response.received().headers().allValues("Access-Control-Expose-Headers").stream()
                .flatMap(value -> Arrays.stream(value.toLowerCase().split(",")))
                .map(String::strip);
    }

    private static Policy anHour(String name, long limit) {
        return Policy.of(name, Algorithm.SLIDING_LOG, limit, Duration.ofHours(1));
    }
}
