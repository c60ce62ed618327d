package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A log-in whose failures alone count, for the user name in its form. */
interface CountOn extends Topic {
    Policy LOGIN = anHour("login", 5);
    Policy SINGLE = anHour("single", 1);
    Policy SERVED = anHour("served", 10);
    Policy UPLOADS = anHour("uploads", 100);
    Policy UPLOADING = Policy.concurrency("uploading", 100);
    int BROKEN_OFF = 6;
    int MANY = 200;
    int LONG = 60_000;
    int TOO_LONG = 70_000;
    String GUESS = "username=alice&password=guess";
    String MULTIPART = String.join(
            "\r\n",
            "--b",
            "Content-Disposition: form-data; name=\"username\"",
            "",
            "alice",
            "--b",
            "Content-Disposition: form-data; name=\"password\"",
            "",
            "guess",
            "--b--",
            "");
    Map<String, String> READ_BEFORE = Map.of("X-Read-Parameters", "yes");
    String FORM = "application/x-www-form-urlencoded";

    @BeforeEach
    default void forget() {
        to(server()).delete("login");
    }

    @Test
    default void of200WrongPasswordsAtOnceFiveReachTheMethod() {
        List<HttpResponse<String>> responses = Http.atOnce(MANY, form("login", "username=alice&password=wrong"));
        assertThat(responses).filteredOn(each -> each.statusCode() == 401).hasSize(5);
        assertThat(responses).filteredOn(each -> each.statusCode() == 429).hasSize(MANY - 5);
        assertThat(reached()).isEqualTo(5);
        assertThat(failuresOf("alice")).isEqualTo(5);
    }

    @Test
    default void rightPasswordsOneAfterTheOtherCostNothing() {
        for (int i = 0; i < MANY; i++) {
            assertThat(Http.send(form("login", "username=alice&password=right")).statusCode())
                    .as("after %d", i)
                    .isEqualTo(200);
        }
        assertThat(reached()).isEqualTo(MANY);
        assertThat(failuresOf("alice")).isZero();
    }

    /**
     * A client that asks again at once finds the unit that was reserved for its last request.
     */
    @Test
    default void aSingleUnitIsEnoughForRightPasswords() {
        for (int i = 0; i < MANY; i++) {
            assertThat(Http.send(form("login/once", "username=alice&password=right"))
                            .statusCode())
                    .as("after %d", i)
                    .isEqualTo(200);
        }
        assertThat(charged().units(SINGLE, user("alice"))).isZero();
        assertThat(Http.send(form("login/once", "username=alice&password=wrong"))
                        .statusCode())
                .isEqualTo(401);
        assertThat(Http.send(form("login/once", "username=alice&password=right"))
                        .statusCode())
                .isEqualTo(429);
        assertThat(Http.send(form("login/once", "username=bob&password=right")).statusCode())
                .isEqualTo(200);
    }

    /** Running requests hold units, so some may be refused. In the end no unit is spent. */
    @Test
    default void of200RightPasswordsAtOnceNothingIsSpentInTheEnd() {
        List<HttpResponse<String>> responses = Http.atOnce(MANY, form("login", "username=alice&password=right"));
        assertThat(responses).extracting(HttpResponse::statusCode).isSubsetOf(200, 429);
        long served =
                responses.stream().filter(each -> each.statusCode() == 200).count();
        assertThat(served).isEqualTo(reached()).isGreaterThanOrEqualTo(5);
        await().until(() -> failuresOf("alice"), spent -> spent == 0);
    }

    @ParameterizedTest
    @CsvSource({"200, 1", "404, 1", "429, 1", "500, 0", "503, 0"})
    default void aNegationCountsAllOtherResponses(int status, int units) {
        assertThat(Http.send(form("login/status/" + status, "")).statusCode()).isEqualTo(status);
        assertThat(charged().units(SERVED)).isEqualTo(units);
    }

    @ParameterizedTest
    @ValueSource(strings = {"parameters", "map"})
    default void theMethodGetsTheFormThatTheLimiterHasRead(String method) {
        assertThat(Http.send(form("login/" + method, "filler=abc&username=alice"))
                        .body())
                .isEqualTo("alice 3");
        assertThat(charged().units(anHour(method, 10), PartitionKey.of("form:username", "alice")))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"parameters", "map"})
    default void aLongFormArrivesWhole(String method) {
        String filler = "f".repeat(LONG);
        assertThat(Http.send(form("login/" + method, "filler=" + filler + "&username=alice"))
                        .body())
                .isEqualTo("alice " + LONG);
        assertThat(charged().units(anHour(method, 10), PartitionKey.of("form:username", "alice")))
                .isEqualTo(1);
    }

    /** Each of these was once read as no name, and counted on the address. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "login?username=alice&password=guess | " + FORM + " | -",
                "login?username=alice                | " + FORM + " | password=guess&username=alice",
                "login | " + FORM + " ; v=1                         | " + GUESS,
                "login | " + FORM + "; xcharset=UTF-16BE            | " + GUESS,
                "login | " + FORM + "; x=\"charset=UTF-16BE\"       | " + GUESS,
                "login | " + FORM + "; charset=ISO-8859-1           | " + GUESS,
                "login | " + FORM + "                               | " + GUESS + "&usern%61me=%61lice",
            })
    default void aGuessIsCountedHoweverItIsSent(String path, String type, String body) {
        spendAllOf("alice");
        HttpResponse<String> guess = Http.send(request(path, type, Map.of(), body == null ? "" : body));
        assertThat(guess.statusCode()).as(guess.body()).isEqualTo(429);
        assertThat(reached()).isEqualTo(5);
        assertThat(SharedRedis.keys()).as("nothing is counted on the address").hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "login                               | " + GUESS,
                "login?x=y                           | " + GUESS,
                "login?username=alice                | " + GUESS,
                "login?username=alice&password=guess | -",
            })
    default void aGuessThatTheContainerHasReadIsCounted(String path, String body) {
        spendAllOf("alice");
        HttpResponse<String> guess = Http.send(request(path, FORM, READ_BEFORE, body == null ? "" : body));
        assertThat(guess.statusCode()).as(guess.body()).isEqualTo(429);
        assertThat(reached()).isEqualTo(5);
        assertThat(SharedRedis.keys()).hasSize(1);
    }

    @Test
    default void aFormThatTheContainerHasReadIsCountedOnItsName() {
        assertThat(Http.send(request("login?x=y", FORM, READ_BEFORE, "username=bob&password=wrong"))
                        .body())
                .isEqualTo("bob");
        assertThat(failuresOf("bob")).isEqualTo(1);
        assertThat(Http.send(request("login?x=y", FORM, READ_BEFORE, "password=wrong"))
                        .body())
                .isEqualTo("null");
        assertThat(SharedRedis.keys()).as("the second on its address").hasSize(2);
    }

    @Test
    default void aGuessThatStandsBehindALongFieldIsCounted() {
        spendAllOf("alice");
        assertThat(Http.send(form("login", "filler=" + "f".repeat(LONG) + '&' + GUESS))
                        .statusCode())
                .isEqualTo(429);
        assertThat(reached()).isEqualTo(5);
    }

    /** Forms that servers or methods read as different names. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400 | login?username=bob&x=y | " + FORM + "   | " + GUESS,
                "400 | login?username=alice   | " + FORM + "   | username=bob&password=guess",
                "400 | login?username=alice&username=bob | " + FORM + " | password=guess",
                "400 | login | " + FORM + "                    | username=bob&" + GUESS,
                "400 | login | " + FORM + "                    | username&" + GUESS,
                "400 | login | " + FORM + "                    | x=%zz&" + GUESS,
                "415 | login | " + FORM + "; charset=UTF-16BE  | " + GUESS,
                "415 | login | " + FORM + "; charset=none      | " + GUESS,
                "415 | login | " + FORM + "-too                | " + GUESS,
                "415 | login | application/*                   | " + GUESS,
                "415 | login | */*; boundary=b                 | " + GUESS,
            })
    default void aFormThatCanBeReadInTwoWaysIsRefused(int status, String path, String type, String body) {
        HttpResponse<String> refused = Http.send(request(path, type, Map.of(), body));
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(status);
        assertThat(refused.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/problem+json");
        assertThat(refused.body()).contains("\"status\":" + status).containsAnyOf("form", "field");
        assertThat(refused.headers().firstValue("Retry-After")).isEmpty();
        assertThat(reached()).isZero();
        assertThat(SharedRedis.keys()).isEmpty();
    }

    /**
     * RESTEasy fills a parameter from multipart/form-data, that of Open Liberty from any
     * multipart.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/form-data; boundary=b",
                "multipart/mixed; boundary=b",
                "multipart/related; boundary=b",
                "multipart/alternative; boundary=b",
                "MultiPart/Mixed; boundary=b",
                "multipart/mixed;\tboundary=\"b\"",
                "multipart/mixed ;v=1; boundary=b",
                "multipart/x-mixed; boundary=b",
            })
    default void aFormOfSeveralPartsIsRefused(String type) {
        HttpResponse<String> refused = Http.send(request("login", type, Map.of(), MULTIPART));
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(415);
        assertThat(reached()).isZero();
        assertThat(SharedRedis.keys()).isEmpty();
    }

    /**
     * Jersey reads an entity of type Form from a body of any type, and from one without.
     * RESTEasy refuses some of them itself.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "login/entity   | -",
                "login/entity   | text/plain",
                "login/entity   | application/json",
                "login/entity   | text/plain;charset=UTF-16LE",
                "login/consumed | -",
                "login/map      | -",
            })
    default void aBodyThatTheMethodMayReadAsAFormIsRefused(String path, String type) {
        HttpResponse<String> refused = Http.send(request(path, type, Map.of(), GUESS));
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(415);
        assertThat(reached()).isZero();
        assertThat(SharedRedis.keys()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"entity", "consumed"})
    default void aMethodThatTakesAFormIsCountedOnItsField(String method) {
        assertThat(Http.send(form("login/" + method, GUESS)).body()).isEqualTo("alice");
        assertThat(charged().units(anHour(method, 10), PartitionKey.of("form:username", "alice")))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {"-", "text/plain", "application/json"})
    default void aBodyThatIsNoFormIsCountedOnTheAddressAndArrivesWhole(String type) {
        assertThat(Http.send(request("login/text", type, Map.of(), GUESS)).body())
                .isEqualTo(GUESS);
        assertThat(SharedRedis.keys()).hasSize(1);
        assertThat(charged().units(anHour("text", 10), PartitionKey.of("form:username", "alice")))
                .isZero();
    }

    @Test
    default void aFormThatIsCompressedIsRefused() {
        HttpResponse<String> refused = Http.send(request("login", FORM, Map.of("Content-Encoding", "gzip"), GUESS));
        assertThat(refused.statusCode()).isEqualTo(415);
        assertThat(reached()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void aFormThatIsTooLongIsRefused(boolean announced) {
        byte[] body = (GUESS + "&filler=" + "f".repeat(TOO_LONG)).getBytes(StandardCharsets.UTF_8);
        HttpResponse<String> refused = Http.send(HttpRequest.newBuilder(URI.create(server() + "login"))
                .header("Content-Type", FORM)
                .POST(
                        announced
                                ? HttpRequest.BodyPublishers.ofByteArray(body)
                                : HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                .build());
        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.body()).contains("64 KiB");
        assertThat(reached()).isZero();
    }

    /** A shadow refuses no form; the method gets it, however long. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void aShadowLimitLetsAFormPassThatItCannotRead(boolean announced) {
        byte[] body = ("username=alice&filler=" + "f".repeat(TOO_LONG)).getBytes(StandardCharsets.UTF_8);
        HttpResponse<String> served = Http.send(HttpRequest.newBuilder(URI.create(server() + "login/shadowed"))
                .header("Content-Type", FORM)
                .POST(
                        announced
                                ? HttpRequest.BodyPublishers.ofByteArray(body)
                                : HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                .build());
        assertThat(served.body()).isEqualTo("alice " + TOO_LONG);
        assertThat(Http.send(form("login/shadowed", "username=alice&username=bob"))
                        .body())
                .isEqualTo("alice null");
        assertThat(SharedRedis.keys()).isEmpty();
        assertThat(Http.send(form("login/shadowed", "username=alice")).body()).isEqualTo("alice null");
        assertThat(SharedRedis.keys()).hasSize(1);
    }

    @Test
    default void aFormWithoutTheFieldIsCountedOnTheAddress() {
        for (String body : List.of("password=wrong", "")) {
            assertThat(Http.send(form("login", body)).body()).isEqualTo("null");
        }
        assertThat(SharedRedis.keys()).hasSize(1);
    }

    @Test
    default void spellingsOfOneNameAreOnePartition() {
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

    /**
     * No server writes a text in such a charset. For a range of types, servers answer 406 or 500
     * after the method.
     */
    @ParameterizedTest
    @ValueSource(strings = {"text/plain;charset=none", "image/*", "text/*"})
    default void anAnswerThatItsClientMakesUnwritableCounts(String accept) {
        for (int i = 0; i < BROKEN_OFF; i++) {
            Http.send(request("login", FORM, Map.of("Accept", accept), GUESS));
            Http.send(request("login/status/200", FORM, Map.of("Accept", accept), ""));
        }
        assertThat(failuresOf("alice")).isEqualTo(5);
        assertThat(reached()).isEqualTo(5);
        assertThat(charged().units(SERVED)).isEqualTo(BROKEN_OFF);
        Http.send(request("login/once", FORM, Map.of("Accept", accept), GUESS));
        assertThat(charged().units(SINGLE, user("alice"))).isEqualTo(1);
    }

    /** The server answers 5xx, if it answers at all, and the client was the cause. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "upload/bytes",
                "upload/text",
                "upload/stream",
                "uploading/stream",
                "uploading/reader",
                "uploading/parts",
                "uploading/form"
            })
    default void anUploadThatItsClientBreaksOffCounts(String path) throws IOException {
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < BROKEN_OFF; i++) {
            clients.add(uploading(path));
        }
        await().until(() -> charged().leases(UPLOADING), leases -> leases == BROKEN_OFF);
        for (Socket client : clients) {
            client.setSoLinger(clients.indexOf(client) % 2 == 0, 0); // every other one is reset
            client.close();
        }
        await().until(() -> charged().leases(UPLOADING), leases -> leases == 0);
        assertThat(charged().units(UPLOADS)).isEqualTo(BROKEN_OFF);
    }

    /** Jetty and Tomcat 11 throw an exception in the servlet, and answer 400 afterwards. */
    @Test
    default void parametersThatTheServerCannotReadCount() {
        for (String malformed : List.of("a=%zz", "a=%", "a=%c3%28")) {
            Http.send(form("uploading/form", malformed));
            Http.send(request("uploading/form?" + "a=1", FORM, Map.of(), malformed));
        }
        assertThat(charged().units(UPLOADS)).isEqualTo(BROKEN_OFF);
    }

    /**
     * With HTTP/2, if the server speaks it on this port: then the client resets a stream, not the
     * connection.
     */
    @Test
    default void aResponseThatItsClientBreaksOffCounts() throws IOException, InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        client.send(asking("login"), HttpResponse.BodyHandlers.discarding()); // changes the protocol
        for (int i = 0; i < BROKEN_OFF; i++) {
            try (InputStream body = client.send(asking("upload/much"), HttpResponse.BodyHandlers.ofInputStream())
                    .body()) {
                assertThat(body.read()).isEqualTo('x');
            }
        }
        await().until(() -> charged().leases(UPLOADING), leases -> leases == 0);
        assertThat(charged().units(UPLOADS)).isEqualTo(BROKEN_OFF);
    }

    private HttpRequest asking(String path) {
        return HttpRequest.newBuilder(URI.create(server() + path)).build();
    }

    /** Announces more than it sends. */
    private Socket uploading(String path) throws IOException {
        Socket client = new Socket(server().getHost(), server().getPort());
        String type = path.endsWith("parts")
                ? "multipart/form-data; boundary=b"
                : path.endsWith("form") ? FORM : "text/plain";
        String request = "POST " + server().getPath() + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + type
                + "\r\nContent-Length: 100000\r\n\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"
                + "x".repeat(10_000);
        client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return client;
    }

    private HttpRequest form(String path, String body) {
        return request(path, FORM, Map.of(), body);
    }

    private HttpRequest request(String path, String type, Map<String, String> fields, String body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server() + path)).POST(HttpRequest.BodyPublishers.ofString(body));
        if (type != null) {
            request.header("Content-Type", type);
        }
        fields.forEach(request::header);
        return request.build();
    }

    private void spendAllOf(String user) {
        for (int i = 0; i < 5; i++) {
            assertThat(Http.send(form("login", "username=" + user + "&password=wrong"))
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    private int reached() {
        return Integer.parseInt(to(server()).get("login").asString());
    }

    private long failuresOf(String user) {
        return charged().units(LOGIN, user(user));
    }

    private static PartitionKey user(String name) {
        return PartitionKey.of("form:username~fold", name);
    }

    private static Policy anHour(String name, long limit) {
        return Policy.of(name, Algorithm.SLIDING_LOG, limit, Duration.ofHours(1));
    }
}
