package dev.limiter.servers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.servers.RawRequest.RawResponse;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * In any spelling, a request is counted in the partition of the method that answers it, or no
 * method answers it. Servers may differ in that.
 */
interface Spellings extends Topic {
    Policy PLAIN = Policy.of("plain", Algorithm.SLIDING_LOG, 1_000, Duration.ofHours(1));
    Policy SHOW = Policy.of("show", Algorithm.SLIDING_LOG, 1_000, Duration.ofHours(1));

    Pattern HTTP = Pattern.compile("(%[0-9A-Fa-f]{2}|[!-~&&[^%]])*");

    /** Spellings of the path of one method. */
    List<String> PATHS = List.of(
            "spelled/plain",
            "/spelled/plain",
            "spelled//plain",
            "spelled/plain/",
            "spelled/plain//",
            "spelled/./plain",
            "spelled/plain/.",
            "spelled/x/../plain",
            "spelled/plain/x/..",
            "spelled/../spelled/plain",
            "spelled/%2e/plain",
            "spelled/x/%2E%2e/plain",
            "spelled/.%2e/spelled/plain",
            "spelled/%252e/plain",
            "spelled;x=y/plain",
            "spelled/plain;x=y",
            "spelled/plain;x=y;z",
            "spelled/plain;",
            "spelled/;x=y/plain",
            "spelled/..;/spelled/plain",
            "spelled/..;x=y/spelled/plain",
            "spelled/.;/plain",
            "spelled%2Fplain",
            "spelled%2fplain",
            "spelled/plain%2F",
            "spelled/x%2F..%2Fplain",
            "spelled/%70lain",
            "spelled/%70%6C%61%69%6e",
            "spelled/%2570lain",
            "%73pelled/plain",
            "spelled/PLAIN",
            "Spelled/plain",
            "spelled/plain%00",
            "spelled/plain%00.html",
            "spelled/pl%00ain",
            "spelled/plain%20",
            "spelled/plain%09",
            "spelled/plain.",
            "spelled/plain.json",
            "spelled/plain%3Bx=y",
            "spelled/plain%3Fx=y",
            "spelled\\plain",
            "spelled%5Cplain",
            "spelled/ｐlain",
            "spelled/%EF%BD%90lain",
            "spelled/%c1%b0lain",
            "spelled/%u0070lain",
            "spelled/%",
            "spelled/plain?",
            "spelled/plain?_method=POST",
            "spelled/plain?_method=OPTIONS",
            "spelled/plain?x=/../y;z",
            "spelled/plain#x");

    /** Spellings of the value of a path parameter. */
    List<String> SHOWS = List.of(
            "circus",
            "%63ircus",
            "%43ircus",
            "CIRCUS",
            "circus/",
            "/circus",
            "./circus",
            "x/../circus",
            "x/%2e%2e/circus",
            "..;/shows/circus",
            "circus;x=y",
            "circus;show=ballet",
            ";show=ballet/circus",
            ";x=y",
            "circus%3Bx=y",
            "circus?show=ballet",
            "circus%20",
            "%20circus",
            "circus+",
            "circus%2B",
            "circus%2F",
            "circus%2fx",
            "circus%00",
            "%00",
            "circus%252F",
            "%EF%BD%83ircus",
            "caf%C3%A9",
            "caf%c3%a9",
            "café",
            "cafe%CC%81",
            "%FF",
            "%C0%AFcircus",
            "%",
            "%zz",
            "{show}",
            "%7Bshow%7D",
            "'all'",
            "*");

    List<String> HEADERS = List.of(
            "X-HTTP-Method-Override: POST",
            "X-HTTP-Method-Override: OPTIONS",
            "X-HTTP-Method: OPTIONS",
            "X-Method-Override: OPTIONS",
            "X-Original-URL: /nowhere",
            "X-Rewrite-URL: /nowhere",
            "X-Forwarded-Prefix: /nowhere",
            "X-Forwarded-For: 203.0.113.7");

    List<String> METHODS =
            List.of("HEAD", "head", "get", "Get", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "GETS");

    @Test
    default void spellingsOfAPathAreOnePartitionOrNoAnswerOfTheMethod() throws IOException {
        int reached = 0;
        for (String path : PATHS) {
            reached += countedIfReached(new RawRequest("GET", path, ""), reached);
        }
        reached += countedIfReached(new RawRequest("GET", server() + "spelled/plain", ""), reached);
        assertThat(reached).isGreaterThan(5);
        assertThat(SharedRedis.keys()).hasSize(1);
    }

    @Test
    default void headersThatSomeServersObeyAreNoWayAround() throws IOException {
        int reached = 0;
        for (String header : HEADERS) {
            reached += countedIfReached(new RawRequest("GET", "spelled/plain", header), reached);
        }
        assertThat(reached).isGreaterThan(0);
        reached += countedIfReached(new RawRequest("POST", "spelled/plain", "X-HTTP-Method-Override: GET"), reached);
        countedIfReached(new RawRequest("OPTIONS", "spelled/plain", "X-HTTP-Method-Override: GET"), reached);
        assertThat(SharedRedis.keys()).hasSize(1);
    }

    @Test
    default void methodsAreNoWayAround() throws IOException {
        int reached = 0;
        for (String method : METHODS) {
            reached += countedIfReached(new RawRequest(method, "spelled/plain", ""), reached);
        }
        assertThat(reached).as("HEAD at least").isGreaterThan(0);
        assertThat(SharedRedis.keys()).hasSize(1);
    }

    /** @return 1 if the method answered, and then one unit more is charged than before */
    private int countedIfReached(RawRequest request, int before) throws IOException {
        RawResponse response = request.to(server());
        int reached = response.header("Reached").isPresent() ? 1 : 0;
        assertThat(units()).as("%s: %s", request, response).isEqualTo(before + reached);
        if (reached == 0 && !request.method().equals("OPTIONS")) {
            assertRefused(request, response);
        }
        return reached;
    }

    @Test
    default void theKeyOfAPathParameterIsWhatTheMethodSees() throws IOException {
        Map<String, Integer> seen = new HashMap<>();
        for (String show : SHOWS) {
            RawRequest request = new RawRequest("GET", "spelled/shows/" + show, "");
            RawResponse response = request.to(server());
            Optional<String> reached = response.header("Reached");
            if (reached.isEmpty()) {
                assertRefused(request, response);
                continue;
            }
            String value = URLDecoder.decode(reached.get(), StandardCharsets.UTF_8);
            seen.merge(value, 1, Integer::sum);
            if (!value.isEmpty()) {
                assertThat(charged().units(SHOW, PartitionKey.of("path:show", value)))
                        .as("%s: %s", request, response)
                        .isEqualTo(seen.get(value).longValue());
            }
        }
        assertThat(seen.get("circus")).isGreaterThan(1);
        assertThat(SharedRedis.keys()).as("one for each of %s", seen).hasSameSizeAs(seen.keySet());
    }

    private long units() {
        return charged().units(PLAIN, PartitionKey.of("endpoint", "dev.limiter.servers.war.SpelledResource.plain()"));
    }

    /**
     * Servers answer malformed HTTP differently. Bytes beyond ASCII are a 500 on Open Liberty,
     * where RESTEasy throws while it writes the 404. A broken escape is an empty 200 on Payara.
     * The check is that no method has seen the request.
     */
    private static void assertRefused(RawRequest request, RawResponse response) {
        if (HTTP.matcher(request.target()).matches()) {
            assertThat(response.status()).as("%s: %s", request, response).isBetween(400, 499);
        }
    }
}
