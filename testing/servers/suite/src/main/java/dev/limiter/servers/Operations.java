package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;
import static org.assertj.core.api.InstanceOfAssertFactories.list;

import java.net.URL;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Operators, on every server. */
interface Operations extends Instances {

    private static Request as(String user, URL instance) {
        return to(instance).header("X-User", user).contentType("application/json");
    }

    private static int buy(URL instance, String user) {
        return as(user, instance).get("buying").statusCode();
    }

    @Test
    default void aChangeIsInForceOnBothInstancesAndIsTakenBack() {
        Response changed = as("operator", one())
                .body("{\"limit\": 8, \"for\": \"PT10M\", \"because\": \"festival\"}")
                .put("limits/policies/buying");
        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(changed.text("is")).contains("GCRA 8 per 1h");
        assertThat(changed.json()).extracting("change", MAP).containsEntry("because", "festival");
        await().untilAsserted(() -> assertThat(left(other())).isEqualTo(7));
        await().until(
                        () -> as("anyone", other()).get("changes").asString(),
                        heard -> heard.contains("IN_FORCE buying {limit=8} by operator"));
        assertThat(as("operator", other()).delete("limits/policies/buying").statusCode())
                .isEqualTo(200);
        await().untilAsserted(() -> assertThat(left(one())).isEqualTo(2));
        await().until(() -> as("anyone", one()).get("changes").asString().contains("OVER buying"));
    }

    /** Of a caller that has not asked before. */
    private static int left(URL instance) {
        Response response = as("new-" + System.nanoTime(), instance).get("buying");
        return remaining(response, "buying");
    }

    @Test
    default void aCallerIsForgivenOnBothInstances() {
        for (int i = 0; i < 3; i++) {
            assertThat(buy(one(), "alice")).isEqualTo(200);
        }
        for (URL instance : List.of(one(), other())) {
            assertThat(buy(instance, "alice")).isEqualTo(429);
        }
        Response forgiven = as("operator", one()).delete("limits/callers/buying?user=alice");
        assertThat(forgiven.statusCode()).isEqualTo(200);
        assertThat(forgiven.json()).containsEntry("remaining", 3L);
        await().until(() -> buy(other(), "alice") == 200);
        Response raised = as("operator", one())
                .body("{\"limit\": 50, \"because\": \"ticket 4711\"}")
                .put("limits/callers/buying?user=alice");
        assertThat(raised.statusCode()).isEqualTo(200);
        assertThat(raised.json()).containsEntry("limit", 50L);
        assertThat(remaining(as("alice", one()).get("buying"), "buying")).isGreaterThan(40);
    }

    @Test
    default void aCallerSeesItsOwnLimits() {
        assertThat(buy(one(), "bob")).isEqualTo(200);
        Response own = as("bob", one()).get("limits/me");
        assertThat(own.statusCode()).isEqualTo(200);
        assertThat(own.json())
                .extracting("limits", list(Map.class))
                .filteredOn("policy", "buying")
                .extracting("remaining")
                .containsExactly(2L);
    }

    /** Else it would learn what another caller has used, and which keys there are. */
    @Test
    default void aCallerSeesNoLimitOfAKeyThatItWrites() {
        assertThat(as("bob", one())
                        .header("X-Api-Key", "of bob")
                        .get("buying/keyed")
                        .statusCode())
                .isEqualTo(200);
        assertThat(as("eve", one())
                        .header("X-Api-Key", "of bob")
                        .get("limits/me")
                        .json())
                .extracting("limits", list(Map.class))
                .extracting("policy")
                .contains("buying")
                .doesNotContain("keyed");
    }

    @Test
    default void whoGoesOnAskingIsBanned() {
        assertThat(as("eve", one()).get("buying/login").statusCode()).isEqualTo(200);
        assertThat(as("eve", one()).get("buying/login").statusCode()).isEqualTo(429);
        assertThat(as("eve", other()).get("buying/login").statusCode()).isEqualTo(429);
        for (int i = 0; i < 2; i++) { // until it counts enough of its own, the first one answers by itself
            assertThat(as("eve", one()).get("buying/login").statusCode()).isEqualTo(429);
        }
        Response banned = as("eve", one()).get("buying/login");
        assertThat(banned.statusCode()).isEqualTo(429);
        assertThat(Integer.parseInt(banned.header("Retry-After"))).isBetween(3_000, 3_600);
        Response rejected = as("operator", one()).get("limits/rejected");
        assertThat(rejected.statusCode()).isEqualTo(200);
        assertThat(rejected.json())
                .extracting("lastTenMinutes.login", list(Map.class))
                .extracting("caller.user")
                .contains("eve");
    }

    @Test
    default void othersAreForbiddenAndWrongNumbersRefused() {
        for (String path : List.of("limits", "limits/rejected", "limits/callers/buying?user=alice")) {
            assertThat(as("alice", one()).get(path).statusCode()).isEqualTo(403);
            assertThat(to(one()).get(path).statusCode()).isEqualTo(403);
        }
        assertThat(as("alice", one())
                        .body("{\"limit\": 8, \"because\": \"mine\"}")
                        .put("limits/policies/buying")
                        .statusCode())
                .isEqualTo(403);
        for (String body : List.of("", "[]", "{", "{\"limit\": 0, \"because\": \"x\"}", "[".repeat(2_000))) {
            assertThat(as("operator", one())
                            .body(body)
                            .put("limits/policies/buying")
                            .statusCode())
                    .isEqualTo(400);
        }
        Response misspelt =
                as("operator", one()).body("{\"limit\": 8, \"because\": \"x\"}").put("limits/policies/buyng");
        assertThat(misspelt.statusCode()).isEqualTo(404);
        assertThat(misspelt.text("detail")).contains("did you mean \"buying\"?");
    }
}
