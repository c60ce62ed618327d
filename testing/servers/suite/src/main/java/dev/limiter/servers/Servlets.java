package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servlets are limited as resources are, by the annotation of their class. */
interface Servlets extends Topic {
    @Test
    default void anAnonymousCallerIsCountedOnItsAddress() {
        assertThat(remaining(to(server()).get("s/caller"), "caller")).isEqualTo(9);
        assertThat(remaining(
                        to(server()).header("X-Forwarded-For", "203.0.113.7").get("s/caller"), "caller"))
                .isEqualTo(8);
    }

    @Test
    default void aHeaderTellsPartitionsApart() {
        to(server()).header("X-Api-Key", "a").get("s/header");
        to(server()).header("X-Api-Key", "b").get("s/header");
        assertThat(remaining(to(server()).header("x-api-key", "a").get("s/header"), "header"))
                .isEqualTo(8);
        assertUnits("header", PartitionKey.of("header:X-Api-Key", "a"), 2);
    }

    @Test
    default void aCookieTellsPartitionsApart() {
        to(server()).header("Cookie", "session=a").get("s/cookie");
        to(server()).header("Cookie", "other=a").get("s/cookie");
        assertUnits("cookie", PartitionKey.of("cookie:session", "a"), 1);
    }

    @Test
    default void aQueryParameterTellsPartitionsApart() {
        Response response = to(server()).get("s/query?p=x&q=a%20b&q=c");
        assertThat(response.statusCode()).isEqualTo(200);
        assertUnits("query", PartitionKey.of("query:q", "a b"), 1);
    }

    @Test
    default void aFieldOfAFormWhichTheServletHasTheWholeOf() {
        Response response = form("name=ann&rest=" + "x".repeat(5_000), "");
        assertThat(response.asString()).isEqualTo("ann and 5000");
        assertUnits("form", PartitionKey.of("form:name", "ann"), 1);
        assertThat(remaining(response, "form")).isEqualTo(9);
    }

    /** The servlet's {@code getParameter} says the query's, where there is one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "?name=ann | application/x-www-form-urlencoded | -        | ann",
                "?name=ann | application/x-www-form-urlencoded | name=ann | ann",
                "?name=ann | text/plain                        | name=bob | ann",
            })
    default void whatTheServletSeesIsCounted(String query, String type, String body, String seen) {
        Response response =
                to(server()).contentType(type).body(body == null ? "" : body).post("s/form" + query);
        assertThat(response.asString()).isEqualTo(seen + " and 0");
        assertUnits("form", PartitionKey.of("form:name", seen), 1);
    }

    @Test
    default void aServletsFormThatCanBeReadInTwoWaysIsRefused() {
        assertThat(form("name=ann", "?name=bob").statusCode()).isEqualTo(400);
        assertThat(form("name=ann&name=bob", "").statusCode()).isEqualTo(400);
        assertThat(to(server())
                        .contentType("multipart/form-data; boundary=b")
                        .body(part("name", "ann") + "--b--\r\n")
                        .post("s/form")
                        .statusCode())
                .isEqualTo(415);
        assertThat(SharedRedis.keys()).isEmpty();
    }

    /**
     * A part that is a file is no parameter: the parameter is the query's, or another part's,
     * and the servlet may read the file.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "?name=bob   | -",
                "?name=ann   | -",
                "?n%61me=bob | -",
                "?x=y        | -",
                "            | bob",
            })
    default void aPartThatIsAFileIsNotCountedOnAnotherValue(String query, String second) {
        HttpResponse<String> refused = parts(
                query == null ? "" : query,
                part("name\"; filename=\"name.txt", "ann") + (second == null ? "" : part("name", second)));
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(415);
        assertThat(SharedRedis.keys()).isEmpty();
    }

    /** Tomcat has parts of these, too, and they are no parameters. */
    @ParameterizedTest
    @CsvSource({
        "multipart/mixed,       ''",
        "multipart/mixed,       ?name=bob",
        "Multipart/Related,     ?name=bob",
        "multipart/form-data-x, ?name=bob",
    })
    default void aPartOfAnotherMultipartIsNotCountedOnAnotherValue(String type, String query) {
        HttpResponse<String> refused = parts(type, query, part("name", "ann"));
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(415);
        assertThat(SharedRedis.keys()).isEmpty();
    }

    @Test
    default void aPartThatIsAParameterIsCounted() {
        assertThat(parts("?x=y", part("name", "ann")).body()).isEqualTo("ann");
        assertUnits("parts", PartitionKey.of("form:name", "ann"), 1);
    }

    @Test
    default void aLongFormIsRefusedUnread() {
        String form = "Content-Type: application/x-www-form-urlencoded\r\n";
        assertThat(Raw.statusLine(server(), "POST", "s/form", form + "Content-Length: 70000\r\n"))
                .startsWith("HTTP/1.1 413");
        String oneChunk = "Transfer-Encoding: chunked\r\n\r\n5\r\nname="; // Payara waits for it before it asks anything
        assertThat(Raw.statusLine(server(), "POST", "s/form", form + oneChunk)).startsWith("HTTP/1.1 411");
        assertThat(form("name=ann&rest=" + "x".repeat(60_000), "").asString()).isEqualTo("ann and 60000");
        assertUnits("form", PartitionKey.of("form:name", "ann"), 1);
    }

    @Test
    default void methodsThatNoServerKnowsAreOnePartition() {
        for (String method : List.of("X0", "X1", "X2")) {
            Raw.exchange(server(), method, "s/verb", "");
        }
        assertUnits("verb", PartitionKey.of("verb", "other"), 3);
        assertThat(to(server()).get("s/verb").statusCode()).isEqualTo(200);
        assertUnits("verb", PartitionKey.of("verb", "GET"), 1);
    }

    @Test
    default void theFieldsAreThoseOfAResource() {
        Response response = to(server()).get("s/header");
        assertThat(response.header("RateLimit-Policy")).isEqualTo("\"header\";q=10;w=3600");
        assertThat(response.header("RateLimit")).startsWith("\"header\";r=9");
    }

    @ParameterizedTest
    @CsvSource({
        "'*/*',                         application/problem+json",
        "'application/json',            application/problem+json",
        "'text/plain',                  text/plain",
        "'image/png',                   text/plain",
        "'application/json;q=0, a/b',   text/plain",
        "'a/b/c',                       application/problem+json",
        "';',                           application/problem+json",
    })
    default void aRejectionIsThatOfAResource(String accept, String type) {
        assertThat(to(server()).get("s/once").asString()).isEqualTo("served");
        Response rejected = to(server()).header("Accept", accept).get("s/once");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.contentType()).startsWith(type);
        String detail = "Limit \"once\" reached; retry in " + rejected.header("Retry-After") + " s.";
        if (type.startsWith("text")) {
            assertThat(rejected.asString()).isEqualTo(detail + '\n');
        } else {
            assertThat(rejected.text("detail")).isEqualTo(detail);
            assertThat(rejected.violatedPolicies()).isEqualTo(List.of("once"));
        }
        assertThat(remaining(rejected, "once")).isZero();
    }

    @Test
    default void headCountsAndHasNoBody() {
        assertThat(to(server()).head("s/once").statusCode()).isEqualTo(200);
        assertThat(Raw.exchange(server(), "HEAD", "s/once", ""))
                .startsWith("HTTP/1.1 429")
                .containsIgnoringCase("\r\nRetry-After: ")
                .endsWith("\r\n\r\n");
    }

    @Test
    default void scriptsOfOtherOriginsMayReadTheFields() {
        Response response =
                to(server()).header("Origin", "https://elsewhere.example").get("s/once");
        assertThat(String.join(", ", response.received().headers().allValues("Access-Control-Expose-Headers")))
                .contains("RateLimit-Policy, RateLimit, Retry-After")
                .contains("X-Of-Servlets");
    }

    @Test
    default void aRejectedUploadIsNotRead() {
        to(server()).get("s/once");
        assertThat(Raw.statusLine(
                        server(),
                        "POST",
                        "s/once",
                        "Content-Type: application/octet-stream\r\nContent-Length: 10000000\r\n"))
                .startsWith("HTTP/1.1 429");
    }

    @Test
    default void onlyWhatCountsIsCounted() {
        for (int status : new int[] {200, 404, 401, 503, 201}) {
            assertThat(to(server()).get("s/failing?status=" + status).statusCode())
                    .isEqualTo(status);
        }
        Policy failing = tenAnHour("failing");
        await().until(() -> charged().units(failing), units -> units == 2);
    }

    @Test
    default void aServletOfAWebXmlIsLimitedByItsClass() {
        assertThat(remaining(to(server()).get("s/declared/x"), "declared")).isEqualTo(9);
        assertThat(remaining(to(server()).get("s/declared"), "declared")).isEqualTo(8);
    }

    /** A filter before the servlet may have made the method of OPTIONS. */
    @ParameterizedTest
    @ValueSource(strings = {"GET", "OPTIONS"})
    default void earlierStagesCountForServletsToo(String onTheWire) {
        Response response = to(server()).header("X-HTTP-Method-Override", "GET").request(onTheWire, "s/early");
        assertThat(response.asString()).isEqualTo("served");
        assertThat(remaining(response, "early")).isEqualTo(9);
        assertThat(remaining(response, "late")).isEqualTo(9);
    }

    /**
     * Whatever authenticates: a filter by path or by the servlet's name, one that was added in
     * code after all others, and one before a servlet that was added in code.
     */
    @ParameterizedTest
    @CsvSource({
        "s/caller,     caller,   user,             ann",
        "s/declared/x, declared, user,             ann",
        "s/early,      late,     user,             ann",
        "s/later,      later,    attribute:tenant, of ann",
    })
    default void aLimitKnowsTheCallerThatAFilterAuthenticated(
            String path, String policy, String placeholder, String value) {
        Response response = to(server()).header("X-Signed-In", "ann").get(path);
        assertThat(remaining(response, policy)).isEqualTo(9);
        assertUnits(policy, PartitionKey.of(placeholder, value), 1);
    }

    @Test
    default void aCallerThatAFilterRefusesIsCountedBeforeAuthenticationOnly() {
        Response wrong = to(server()).header("X-Signed-In", "wrong").get("s/early");
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(remaining(wrong, "early")).isEqualTo(9);
        assertThat(wrong.header("RateLimit")).doesNotContain("late");
    }

    @Test
    default void optionsIsCountedIfTheServletAnswersIt() {
        assertThat(to(server()).options("s/verb").statusCode()).isEqualTo(200);
        assertThat(SharedRedis.keys()).isEmpty();
        assertThat(to(server()).options("s/serving").asString()).isEqualTo("served");
        assertThat(remaining(to(server()).options("s/serving"), "serving")).isEqualTo(8);
    }

    @Test
    default void aForwardByNameIsCountedAndAnIncludedServletIsNot() {
        for (int i = 0; i < 2; i++) {
            assertThat(to(server()).get("s/leading/included").asString()).isEqualTo("served");
        }
        assertThat(SharedRedis.keys()).isEmpty();
        assertThat(to(server()).get("s/leading/named").asString()).isEqualTo("served");
        assertThat(to(server()).get("s/leading/named").statusCode()).isEqualTo(429);
    }

    /** Each policy once: the resource's before it runs, the servlet's before that runs. */
    @Test
    default void aForwardToAServletIsCountedByThatToo() {
        Response response = to(server()).get("forwarding");
        assertThat(response.asString()).isEqualTo("served");
        assertUnits("forwarding", Charged.all(), 1);
        assertThat(charged().units(Policy.of("once", Algorithm.SLIDING_LOG, 1, Duration.ofHours(1))))
                .isEqualTo(1);
        Response rejected = to(server()).get("forwarding");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.violatedPolicies()).isEqualTo(List.of("once"));
        assertUnits("forwarding", Charged.all(), 2);
    }

    @Test
    default void aForwardByNameIsCountedBeforeAuthenticationToo() {
        Response response = to(server()).get("s/leading/early");
        assertThat(remaining(response, "early")).isEqualTo(9);
        assertThat(remaining(response, "late")).isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s/asking", "s/asking?async", "s/leading/dispatched"})
    default void aServletThatAsksByItselfIsAnsweredForAndTheStoreIsNotNamed(String path) {
        Response response = to(server()).get(path);
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.header("Retry-After")).isEqualTo("1");
        assertThat(response.asString()).contains("temporary-reduced-capacity").doesNotContain("192.0.2.7");
    }

    private HttpResponse<String> parts(String query, String parts) {
        return parts("multipart/form-data", query, parts);
    }

    private HttpResponse<String> parts(String type, String query, String parts) {
        return Http.send(HttpRequest.newBuilder(URI.create(server() + "s/parts" + query))
                .header("Content-Type", type + "; boundary=b")
                .POST(HttpRequest.BodyPublishers.ofString(parts + "--b--\r\n"))
                .build());
    }

    private static String part(String name, String value) {
        return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
    }

    private Response form(String body, String query) {
        return to(server())
                .contentType("application/x-www-form-urlencoded; charset=UTF-8")
                .body(body)
                .post("s/form" + query);
    }

    private void assertUnits(String policy, PartitionKey key, long units) {
        assertThat(charged().units(tenAnHour(policy), key)).isEqualTo(units);
    }

    private static Policy tenAnHour(String name) {
        return Policy.of(name, Algorithm.SLIDING_LOG, 10, Duration.ofHours(1));
    }
}
