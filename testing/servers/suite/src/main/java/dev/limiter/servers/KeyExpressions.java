package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Keys from claims, beans, expressions and forms. Values of a client are only text in all of
 * them.
 */
interface KeyExpressions extends Topic {
    @Test
    default void aClaimOfTheCallersToken() {
        get("claim", Map.of("X-User", "ann", "X-Claim", "blue"));
        get("claim", Map.of("X-User", "bob", "X-Claim", "blue"));
        get("claim", Map.of("X-User", "ann", "X-Claim", "red"));
        assertUnits("claim", PartitionKey.of("claim:tenant", "blue"), 2);
        assertUnits("claim", PartitionKey.of("claim:tenant", "red"), 1);
    }

    @Test
    default void aClaimAsJsonIsTheSameText() {
        assumeTrue(to(server()).get("json").asString().equals("true"), "the server has no jakarta.json");
        get("claim", Map.of("X-User", "ann", "X-Claim", "json:blue"));
        get("claim", Map.of("X-User", "ann", "X-Claim", "blue"));
        assertUnits("claim", PartitionKey.of("claim:tenant", "blue"), 2);
    }

    @Test
    default void aClaimThatIsNullIsMissing() {
        assumeTrue(to(server()).get("json").asString().equals("true"), "the server has no jakarta.json");
        get("claim", Map.of("X-User", "ann", "X-Claim", "json:null"));
        assertUnits("claim", PartitionKey.of("claim:tenant", "null"), 0);
        assertThat(remaining(get("claim", Map.of()), "claim"))
                .as("of its address")
                .isEqualTo(8);
    }

    @Test
    default void aCallerWithoutATokenIsCountedOnItsAddress() {
        assertThat(remaining(get("claim", Map.of("X-User", "ann")), "claim")).isEqualTo(9);
        assertThat(remaining(get("claim", Map.of()), "claim")).isEqualTo(8);
    }

    @Test
    default void aNamedBeanThatKnowsTheKey() {
        get("bean", Map.of("X-Tenant", "www.a.example"));
        get("bean", Map.of("X-Tenant", "a.example"));
        assertUnits("bean", PartitionKey.of("bean:tenantKey", "a.example"), 2);
        assertThat(remaining(get("bean", Map.of()), "bean"))
                .as("on its address")
                .isEqualTo(9);
    }

    @Test
    default void anExpressionCallsTheRequest() {
        get("method", Map.of("X-Tenant", "blue"));
        assertUnits("method", PartitionKey.of("#{request.header('X-Tenant')}", "blue"), 1);
        assertThat(remaining(get("method", Map.of()), "method"))
                .as("on its address")
                .isEqualTo(9);
    }

    @Test
    default void anExpressionAsksTheCaller() {
        get("user", Map.of("X-User", "ann"));
        get("user", Map.of("X-User", "ann", "X-Claim", "blue"));
        assertUnits("user", PartitionKey.of("#{user.name}", "ann"), 2);
        assertThat(remaining(get("user", Map.of()), "user")).as("nobody").isEqualTo(9);
    }

    @Test
    default void anExpressionAsksTheBeanOfThisRequest() {
        get("property", Map.of("X-Group", "blue"));
        get("property", Map.of("X-Group", "red"));
        get("property", Map.of("X-Group", "blue"));
        assertUnits("property", PartitionKey.of("#{visitor.group}", "blue"), 2);
        assertUnits("property", PartitionKey.of("#{visitor.group}", "red"), 1);
    }

    @Test
    default void spellingsOfOneNameAreOneKey() {
        get("folded", Map.of("X-Name", "Alice@Example.ORG"));
        get("folded", Map.of("X-Name", "alice@example.org"));
        assertUnits("folded", PartitionKey.of("header:X-Name~fold", "alice@example.org"), 2);
    }

    /** A service may look the account up without its blanks, and in either case. */
    @Test
    default void noNumberOfBlanksAndNoOtherCaseOfALetterIsAnotherName() {
        List<String> spellings = List.of(
                "%20".repeat(1_024) + "kim",
                "%C2%A0".repeat(1_024) + "kim",
                "%E3%80%80".repeat(1_024) + "kim" + "%20".repeat(1_024),
                "%01kim%1F",
                "K%C4%B1M",
                "k%C4%B0m",
                "%E2%84%AAIM");
        for (String name : spellings) {
            assertThat(to(server())
                            .contentType("application/x-www-form-urlencoded")
                            .body("name=" + name)
                            .post("expressions/form")
                            .statusCode())
                    .isEqualTo(200);
        }
        assertUnits("form", PartitionKey.of("form:name~fold", "kim"), spellings.size());
    }

    @Test
    default void aPropertyThatAFilterHasSet() {
        get("attribute", Map.of("X-Shelf", "top"));
        assertUnits("attribute", PartitionKey.of("attribute:shelf", "top"), 1);
    }

    @Test
    default void partsOfAKeyStandTogether() {
        get("parts", Map.of("X-Shelf", "top", "X-User", "ann"));
        PartitionKey key = PartitionKey.builder()
                .add("attribute:shelf", "top")
                .add("literal", "/")
                .add("#{user.name}", "ann")
                .add("literal", "-")
                .add("literal", "nobody")
                .build();
        assertUnits("parts", key, 1);
    }

    @Test
    default void aFieldOfAFormWhichTheMethodHasTheWholeOf() {
        String rest = "x".repeat(20_000);
        Response response = to(server())
                .contentType("application/x-www-form-urlencoded; charset=UTF-8")
                .body("name=+J%C3%BCrgen&rest=" + rest)
                .post("expressions/form");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.asString()).isEqualTo(" J\u00fcrgen and 20000");
        assertUnits("form", PartitionKey.of("form:name~fold", "j\u00fcrgen"), 1);
    }

    @Test
    default void aFieldBehindALongOneIsFound() {
        Response response = to(server())
                .contentType("application/x-www-form-urlencoded")
                .body("rest=" + "x".repeat(20_000) + "&name=ann")
                .post("expressions/form");
        assertThat(response.asString()).isEqualTo("ann and 20000");
        assertUnits("form", PartitionKey.of("form:name~fold", "ann"), 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"#{request.class}", "${7*7}", "#{visitor.setGroup('x')}", "{ip}", "{user|ip}", "'all'", "%s%n"})
    default void whatAClientSendsIsNeverEvaluated(String payload) {
        get("method", Map.of("X-Tenant", payload));
        assertUnits("method", PartitionKey.of("#{request.header('X-Tenant')}", payload), 1);
        get("bean", Map.of("X-Tenant", payload));
        assertUnits("bean", PartitionKey.of("bean:tenantKey", payload), 1);
        Response response = to(server()).header("X-Api-Key", payload).get("keys/header");
        assertThat(response.statusCode()).isEqualTo(200);
        assertUnits("header", PartitionKey.of("header:X-Api-Key", payload), 1);
    }

    /**
     * An error of the service, as when its method throws: the method does not run, and nothing
     * was reached.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "method",
                "text",
                "index",
                "bean",
                "principal",
                "lambda",
                "constructed",
                "invoked",
                "written",
                "throwing"
            })
    default void anExpressionThatReachesForAClassIsAnErrorOfTheService(String path) {
        Response response = reach(path);
        assertThat(response.statusCode()).as(response.asString()).isEqualTo(500);
    }

    /**
     * The name of a class is the name of a bean that is not there: missing, so the address
     * counts.
     */
    @ParameterizedTest
    @ValueSource(strings = {"named", "imported", "qualified"})
    default void theNameOfAClassMeansNothing(String path) {
        assertThat(remaining(reach(path), "reach-" + path)).isEqualTo(9);
        assertThat(remaining(reach(path), "reach-" + path)).isEqualTo(8);
    }

    /** Otherwise the test would not see what an expression reaches. */
    @Test
    default void aSettingThatIsChangedIsSeen() {
        assertThat(reached()).isEqualTo("not set");
        to(server()).body("17").put("settings/expression.reached");
        assertThat(reached()).isEqualTo("17");
        to(server()).delete("settings/expression.reached");
        assertThat(reached()).isEqualTo("not set");
    }

    private String reached() {
        return to(server()).get("settings/expression.reached").asString();
    }

    private Response reach(String path) {
        Response response = to(server())
                .headers(Map.of("X-User", "ann", "X-Tenant", "blue", "X-Group", "blue"))
                .get("reaching/" + path);
        assertThat(reached()).isEqualTo("not set");
        return response;
    }

    private Response get(String path, Map<String, String> headers) {
        Response response = to(server()).headers(headers).get("expressions/" + path);
        assertThat(response.statusCode()).isEqualTo(200);
        return response;
    }

    private void assertUnits(String policy, PartitionKey key, long units) {
        assertThat(charged().units(Policy.of(policy, Algorithm.SLIDING_LOG, 10, Duration.ofHours(1)), key))
                .isEqualTo(units);
    }
}
