package dev.limiter.servers;

import static dev.limiter.servers.Http.meanwhile;
import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.testkit.property.TestSize;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A lying client behind a trusted proxy: every address of this machine is trusted, so all
 * requests come from a proxy.
 */
interface Security extends Topic {
    Policy ADDRESS = Policy.of("address", Algorithm.SLIDING_LOG, 10, Duration.ofHours(1));
    String ATTACKER = "203.0.113.66";
    String VICTIM = "198.51.100.23";

    /**
     * Any four characters of it contain one that no digest has, so none is found there by
     * chance.
     */
    String USER = "qix.vyk.juw";

    String API_KEY = "Kq7.Zx9.Wv3.Jy5";
    String EMAIL = "Fup.Gyz@hux.qov";
    String SESSION = "Pz4.Qj8.Xw2";
    String PHONE = "491.771.338.226";
    String ACCOUNT = "bwq.kzx.yjv";
    String CLAIM = "xot.quv.wyk";
    String TENANT = "zyx.wuv.tqr";
    String SHELF = "jiv.zub.qax";
    List<String> SECRETS = List.of(USER, API_KEY, EMAIL, SESSION, PHONE, ACCOUNT, CLAIM, TENANT, SHELF, VICTIM);

    String FORM = "application/x-www-form-urlencoded";
    String LINES = "7\r\nForged: forged\r\n\r\nWARNING forged";

    @Test
    default void claimsInFrontOfWhatTheProxyWroteAreOneClient() {
        int claims = TestSize.of(10_000);
        List<HttpRequest> requests = new ArrayList<>();
        for (int i = 0; i < claims; i++) {
            String claimed = i % 2 == 0 ? VICTIM : "203.0." + i / 250 + "." + i % 250;
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server() + "keys/address"));
            requests.add(
                    i % 3 == 0
                            ? request.header("X-Forwarded-For", claimed)
                                    .header("X-Forwarded-For", ATTACKER)
                                    .build()
                            : request.header("X-Forwarded-For", claimed + ", " + ATTACKER)
                                    .header("Forwarded", "for=" + claimed)
                                    .build());
        }
        assertThat(Http.statuses(requests)).isEqualTo(Map.of(200, 10L, 429, claims - 10L));
        assertThat(SharedRedis.keys()).hasSize(1);
        assertThat(units(ATTACKER)).isEqualTo(10);
        assertThat(units(VICTIM)).isZero();
        assertThat(remaining(from(VICTIM).get("keys/address"), "address")).isEqualTo(9);
    }

    /** A holder has 2^64 addresses: this test tries up to two thousand, the unit test 2^16. */
    @Test
    default void addressesOfOneIpv6NetworkAreOneClient() {
        int addresses = TestSize.of(2_000);
        List<HttpRequest> requests = new ArrayList<>();
        for (int i = 0; i < addresses; i++) {
            String address = String.format("2001:db8:1:2:%x:%x:%x:%x", i, i * 31, 65_535 - i, i % 7);
            requests.add(HttpRequest.newBuilder(URI.create(server() + "keys/address"))
                    .header("X-Forwarded-For", address)
                    .build());
        }
        assertThat(Http.statuses(requests)).isEqualTo(Map.of(200, 10L, 429, addresses - 10L));
        assertThat(SharedRedis.keys()).hasSize(1);
        assertThat(remaining(from("2001:db8:1:3::1").get("keys/address"), "address"))
                .as("of the next network")
                .isEqualTo(9);
    }

    /**
     * Each is counted on its own address: a client's spent quota does not concern the others.
     */
    @ParameterizedTest
    @CsvSource({
        "GET,  keys/header,            header",
        "GET,  secrets/query,          ofQuery",
        "GET,  secrets/query?q=,       ofQuery",
        "GET,  secrets/cookie,         ofCookie",
        "POST, secrets/form,           ofForm",
        "GET,  expressions/user,       user",
        "GET,  expressions/claim,      claim",
        "GET,  expressions/bean,       bean",
        "GET,  expressions/method,     method",
        "GET,  expressions/property,   property",
        "GET,  expressions/attribute,  attribute",
        "GET,  expressions/folded,     folded",
    })
    default void aMissingKeyIsNeverOneBucketForAll(String method, String path, String policy) {
        for (int i = 1; i <= 3; i++) {
            assertThat(remaining(from("203.0.113." + i).contentType(FORM).request(method, path), policy))
                    .isEqualTo(9);
        }
        assertThat(remaining(from("203.0.113.1").contentType(FORM).request(method, path), policy))
                .isEqualTo(8);
        assertThat(SharedRedis.keys()).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"keys/header, X-Api-Key, header", "expressions/folded, X-Name, folded"})
    default void anEmptyKeyIsAMissingOne(String path, String header, String policy) {
        for (String empty : List.of("", " ")) {
            assertThat(remaining(from("203.0.113.1").header(header, empty).get(path), policy))
                    .isGreaterThan(7);
            assertThat(charged().units(tenAnHour(policy), PartitionKey.of("ip", "203.0.113.1")))
                    .isPositive();
        }
        assertThat(SharedRedis.keys()).hasSize(1);
    }

    @Test
    default void aCookieTellsPartitionsApart() {
        for (String value : List.of("a", "b", "a")) {
            from(ATTACKER).header("Cookie", "c=" + value).get("secrets/cookie");
        }
        assertThat(charged().units(tenAnHour("ofCookie"), PartitionKey.of("cookie:c", "a")))
                .isEqualTo(2);
    }

    @Test
    default void aQueryParameterTellsPartitionsApart() {
        for (String value : List.of("a", "b", "a")) {
            from(ATTACKER).get("secrets/query?q=" + value);
        }
        assertThat(charged().units(tenAnHour("ofQuery"), PartitionKey.of("query:q", "a")))
                .isEqualTo(2);
    }

    /** No caller spends another's quota by writing the other's name into another place. */
    @Test
    default void aValueIsNeverTakenForOneOfAnotherKind() {
        from(ATTACKER).header("X-Api-Key", VICTIM).get("keys/header");
        assertThat(charged().units(tenAnHour("header"), PartitionKey.of("header:X-Api-Key", VICTIM)))
                .isEqualTo(1);
        assertThat(remaining(from(VICTIM).get("keys/header"), "header")).isEqualTo(9);
    }

    @Test
    default void separatorsInValuesMakeNoKeysCollide() {
        List<List<String>> pairs = List.of(
                List.of("a:b", "c"),
                List.of("a", "b:c"),
                List.of("a", ":b:c"),
                List.of("a:", "b:c"),
                List.of("ab", "c"),
                List.of("a", "bc"),
                List.of("1:a", "b"),
                List.of("a1:", "b"),
                List.of("a}", "{b"),
                List.of("a", "}{b"),
                List.of("a8:header:B1:b", "x"),
                List.of("a", "8:header:B1:b"),
                List.of("a:literal:::header:B:b", "c"), // one text, where parts were joined by colons
                List.of("a", "b:literal:::header:B:c"),
                List.of("a,b", "c"),
                List.of("a", "b,c"));
        for (List<String> pair : pairs) {
            Response response = to(server())
                    .header("A", pair.get(0))
                    .header("B", pair.get(1))
                    .get("secrets/pair");
            assertThat(remaining(response, "pair")).as("%s", pair).isEqualTo(9);
        }
        assertThat(SharedRedis.keys()).hasSameSizeAs(pairs);
    }

    /** Neither in keys nor in states, commands, connections or logs. */
    @Test
    default void nothingOfWhatCallersWriteStandsInRedisOrInTheLog() {
        SharedRedis.noteCommands();
        to(server()).put("log");
        try {
            CompletableFuture<Response> running = meanwhile(() -> from(VICTIM)
                    .header("X-User", USER)
                    .header("X-Claim", CLAIM)
                    .header("X-Tenant", TENANT)
                    .header("X-Shelf", SHELF)
                    .header("X-Api-Key", API_KEY)
                    .header("Cookie", "session=" + SESSION)
                    .contentType(FORM)
                    .body("email=" + EMAIL)
                    .post("secrets/all/" + ACCOUNT + "?phone=" + PHONE));
            await().until(() -> SharedRedis.keys().size() == 10);
            String seen = SharedRedis.everything();
            to(server()).put("gate");
            assertThat(running.join().asString()).isEqualTo("done");
            await().until(() -> SharedRedis.keys().size() == 9);
            assertThat(seen).contains("rl:security:", " laddr=", "EVAL");
            assertThat(shown(seen)).isEmpty();
            assertThat(shown(SharedRedis.everything())).isEmpty();
            String log = to(server()).get("log").asString();
            assertThat(log).contains("the log begins");
            assertThat(shown(log)).isEmpty();
        } finally {
            to(server()).delete("log");
            SharedRedis.noteNoCommands();
        }
    }

    /**
     * Parts of four characters of the secrets that can be read there, however they are written.
     */
    private static List<String> shown(String text) {
        String small = text.toLowerCase();
        List<String> shown = new ArrayList<>();
        for (String secret : SECRETS) {
            for (int i = 0; i + 4 <= secret.length(); i++) {
                String part = secret.substring(i, i + 4).toLowerCase();
                if (small.contains(part)) {
                    shown.add(part + " of " + secret);
                }
            }
        }
        return shown;
    }

    /** Otherwise the client could write a log line, or a header of the response. */
    @ParameterizedTest
    @ValueSource(strings = {"keys/header", "keys/path/", "secrets/query?q=", "secrets/number", "secrets/number/"})
    default void linesOfAClientAreNeverThoseOfALogOrAResponse(String path) {
        String encoded = URLEncoder.encode(LINES, StandardCharsets.UTF_8).replace("+", "%20");
        boolean inPath = path.endsWith("/") || path.endsWith("=");
        to(server()).put("log");
        try {
            Response response = (inPath ? from(ATTACKER) : from(ATTACKER).header("Test-Key", encoded))
                    .get(path + (inPath ? encoded : ""));
            assertThat(response.statusCode())
                    .isIn(path.contains("number") ? Set.of(400, 404, 500) : Set.of(200, 400, 404));
            assertThat(response.header("Forged")).isNull();
            assertThat(response.asString()).doesNotContain(LINES);
            String log = to(server()).get("log").asString();
            assertThat(log).contains("the log begins").doesNotContain(LINES).doesNotContain("\nWARNING forged");
        } finally {
            to(server()).delete("log");
        }
    }

    /**
     * A client with a new key each time has a quota each time, of which LIM02 warns; but its
     * memory is bounded.
     */
    @Test
    default void rotatingKeysCostSomeBytesForSomeTime() {
        int keys = TestSize.of(1_000);
        List<HttpRequest> requests = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            boolean huge = i % 10 == 0;
            requests.add(HttpRequest.newBuilder(URI.create(server() + "keys/header"))
                    .header(huge ? "Test-Key" : "X-Api-Key", i + (huge ? "huge" : "k".repeat(3_000)))
                    .header("Test-Times", huge ? "150000" : "1")
                    .build());
        }
        assertThat(Http.statuses(requests)).isEqualTo(Map.of(200, (long) keys));
        assertThat(SharedRedis.keys()).hasSize(keys).allSatisfy(key -> {
            assertThat(key).hasSizeLessThanOrEqualTo(160).matches("[!-~]+");
            assertThat(SharedRedis.bytes(key)).isLessThanOrEqualTo(400);
            assertThat(SharedRedis.millisToLive(key))
                    .isBetween(1L, Duration.ofHours(2).toMillis());
        });
    }

    private Request from(String address) {
        return to(server()).header("X-Forwarded-For", address);
    }

    private long units(String address) {
        return charged().units(ADDRESS, PartitionKey.of("ip", address));
    }

    private static Policy tenAnHour(String name) {
        return Policy.of(name, Algorithm.SLIDING_LOG, 10, Duration.ofHours(1));
    }
}
