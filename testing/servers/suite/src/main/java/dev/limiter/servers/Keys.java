package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.testkit.property.TestSize;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The partitions of requests. No test names the client's address, because servers see it
 * differently.
 */
interface Keys extends Topic {
    List<String> CLAIMING = List.of(
            "X-Forwarded-For",
            "Forwarded",
            "X-Real-IP",
            "X-Client-IP",
            "True-Client-IP",
            "CF-Connecting-IP",
            "X-Cluster-Client-IP",
            "Proxy-Client-IP",
            "WL-Proxy-Client-IP",
            "$WSRA");

    @Test
    default void aPathParameterTellsPartitionsApart() {
        to(server()).get("keys/path/circus");
        to(server()).get("keys/path/ballet");
        assertThat(remaining(to(server()).get("keys/path/circus"), "path")).isEqualTo(8);
        assertThat(charged().units(tenAnHour("path"), PartitionKey.of("path:show", "circus")))
                .isEqualTo(2);
        assertThat(charged().units(tenAnHour("path"), PartitionKey.of("path:show", "ballet")))
                .isEqualTo(1);
    }

    @Test
    default void aHeaderTellsPartitionsApart() {
        assertThat(remaining(withKey("a"), "header")).isEqualTo(9);
        assertThat(remaining(withKey("b"), "header")).isEqualTo(9);
        assertThat(remaining(withKey("a"), "header")).isEqualTo(8);
        assertThat(charged().units(tenAnHour("header"), PartitionKey.of("header:X-Api-Key", "a")))
                .isEqualTo(2);
    }

    @Test
    default void withoutItsKeyARequestIsCountedOnItsAddress() {
        assertThat(remaining(to(server()).get("keys/header"), "header")).isEqualTo(9);
        assertThat(remaining(withKey("a"), "header")).isEqualTo(9);
        assertThat(remaining(to(server()).get("keys/header"), "header")).isEqualTo(8);
    }

    @Test
    default void theAddressIsThePeersWhateverTheClientClaims() {
        assertThat(remaining(to(server()).get("keys/address"), "address")).isEqualTo(9);
        assertThat(remaining(
                        to(server()).header("X-Forwarded-For", "203.0.113.7").get("keys/address"), "address"))
                .isEqualTo(8);
    }

    /**
     * No proxy is trusted here, so the limiter believes no header, whatever a server or proxy
     * believes.
     */
    @Test
    default void claimsOfAnotherAddressAreOneClient() {
        int claims = TestSize.of(10_000);
        List<HttpRequest> requests = new ArrayList<>();
        for (int i = 0; i < claims; i++) {
            String claimed = "203.0." + i / 250 + "." + i % 250;
            String header = CLAIMING.get(i % CLAIMING.size());
            requests.add(HttpRequest.newBuilder(URI.create(server() + "keys/address"))
                    .header(header, header.equals("Forwarded") ? "for=" + claimed : claimed)
                    .build());
        }
        assertThat(Http.statuses(requests)).isEqualTo(Map.of(200, 10L, 429, claims - 10L));
        assertThat(charged().units(tenAnHour("address"), PartitionKey.of("ip", "203.0.0.7")))
                .as("of whom that address is")
                .isZero();
        assertThat(SharedRedis.keys()).hasSize(1);
    }

    @Test
    default void aSubResourceIsLimitedFromItsFirstRequestOn() {
        assertThat(remaining(to(server()).get("shop/wood"), "shelf")).isEqualTo(9);
        assertThat(remaining(to(server()).get("shop/iron"), "shelf")).isEqualTo(9);
        assertThat(remaining(to(server()).get("shop/wood"), "shelf")).isEqualTo(8);
        assertThat(charged().units(tenAnHour("shelf"), PartitionKey.of("path:shelf", "wood")))
                .isEqualTo(2);
    }

    /** The limit of a class counts what the class answers, and not what its locators return. */
    @Test
    default void whatTheLocatorOfALimitedClassReturnsIsNotCounted() {
        for (int i = 0; i < 8; i++) {
            assertThat(to(server()).get("shop/till/drawer").asString()).isEqualTo("drawer");
        }
        assertThat(SharedRedis.keys()).isEmpty();
        assertThat(remaining(to(server()).get("shop/till"), "till")).isEqualTo(2);
    }

    private Response withKey(String value) {
        return to(server()).header("X-Api-Key", value).get("keys/header");
    }

    private static Policy tenAnHour(String name) {
        return Policy.of(name, Algorithm.SLIDING_LOG, 10, Duration.ofHours(1));
    }
}
