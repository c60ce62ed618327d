package dev.limiter.servers;

import static dev.limiter.servers.Http.remaining;
import static dev.limiter.servers.Http.to;
import static dev.limiter.servers.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.net.URL;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Configuration that changes while requests run. A check whether a change is in force uses a
 * partition of its own.
 */
interface LiveConfiguration extends Instances {

    /** At once, because each change takes up to two seconds to be in force. */
    @Test
    default void changesAreInForceOnBothNodes() {
        Stream.<Runnable>of(
                        this::aChangedLimitIsInForceAndWhatIsUsedStaysUsed,
                        this::aPolicyThatIsSwitchedOffCountsNoRequest,
                        this::aLimitBecomesAShadowAndComesBack,
                        this::whatIsNotPublishedLimitsAllTheSame,
                        this::theNumbersOfATierChangeAndATierIsAdded,
                        this::whatCannotBeReadChangesNothing)
                .map(change -> CompletableFuture.runAsync(change, task -> new Thread(task).start()))
                .toList()
                .forEach(CompletableFuture::join);
    }

    @Test
    default void theLimiterIsSwitchedOffAsAWhole() {
        set("limiter.enabled", "false");
        awaitPolicy("secret", null);
        for (int i = 0; i < 5; i++) {
            assertThat(get(one(), "secret").statusCode()).isEqualTo(200);
        }
        assertThat(spent("secret", 3)).isZero();
        clear("limiter.enabled");
        awaitPolicy("secret", "\"secret\";q=3;w=3600");
    }

    private void aChangedLimitIsInForceAndWhatIsUsedStaysUsed() {
        assertThat(remaining(get(one(), "lowered"), "lowered")).isEqualTo(9);
        assertThat(remaining(get(one(), "lowered"), "lowered")).isEqualTo(8);
        assertThat(remaining(get(other(), "lowered"), "lowered")).isEqualTo(7);

        set("limiter.policy.lowered.limit", "4");
        awaitPolicy("lowered", "\"lowered\";q=4;w=3600");
        assertThat(remaining(get(one(), "lowered"), "lowered"))
                .as("1 left, and this was one")
                .isZero();
        assertThat(get(other(), "lowered").statusCode()).isEqualTo(429);

        set("limiter.policy.lowered.limit", "12");
        awaitPolicy("lowered", "\"lowered\";q=12;w=3600");
        assertThat(remaining(get(other(), "lowered"), "lowered")).isEqualTo(7);

        clear("limiter.policy.lowered.limit");
        awaitPolicy("lowered", "\"lowered\";q=10;w=3600");
        assertThat(remaining(get(one(), "lowered"), "lowered")).isEqualTo(4);
    }

    private void aPolicyThatIsSwitchedOffCountsNoRequest() {
        get(one(), "switched");
        set("limiter.policy.switched.enabled", "false");
        awaitPolicy("switched", null);
        for (int i = 0; i < 20; i++) {
            assertThat(get(other(), "switched").statusCode()).isEqualTo(200);
        }
        assertThat(spent("switched", 10)).as("by whoever came before").isEqualTo(1);

        clear("limiter.policy.switched.enabled");
        awaitPolicy("switched", "\"switched\";q=10;w=3600");
        assertThat(remaining(get(one(), "switched"), "switched")).isEqualTo(8);
    }

    private void aLimitBecomesAShadowAndComesBack() {
        get(one(), "watched");
        get(other(), "watched");
        assertThat(get(one(), "watched").statusCode()).isEqualTo(429);

        set("limiter.policy.watched.enforcement", "shadow");
        awaitPolicy("watched", null);
        assertThat(get(one(), "watched").statusCode()).isEqualTo(200);
        assertThat(get(other(), "watched").statusCode()).isEqualTo(200);
        assertThat(spent("watched", 2)).isEqualTo(2);

        clear("limiter.policy.watched.enforcement");
        awaitPolicy("watched", "\"watched\";q=2;w=3600");
        assertThat(get(other(), "watched").statusCode()).isEqualTo(429);
    }

    private void whatIsNotPublishedLimitsAllTheSame() {
        set("limiter.policy.secret.publish", "false");
        awaitPolicy("secret", null);
        for (int i = 0; i < 3; i++) {
            assertThat(get(one(), "secret").statusCode()).isEqualTo(200);
        }
        Response rejected = get(other(), "secret");
        assertThat(rejected.statusCode()).isEqualTo(429);
        assertThat(rejected.header("RateLimit")).isNull();
        assertThat(Integer.parseInt(rejected.header("Retry-After"))).isBetween(3_400, 3_600);
        assertThat(rejected.violatedPolicies()).isEmpty();
        assertThat(rejected.asString()).doesNotContain("secret");
        clear("limiter.policy.secret.publish");
        awaitPolicy("secret", "\"secret\";q=3;w=3600");
    }

    private void theNumbersOfATierChangeAndATierIsAdded() {
        for (int i = 0; i < 3; i++) {
            get(one(), "tiered", "gold", "test");
        }
        set("limiter.policy.tiered.tier.gold.limit", "7");
        set("limiter.policy.tiered.tier.silver.limit", "6");
        await().atMost(PATIENCE).until(() -> policy(one(), "tiered", "gold"), "\"tiered\";q=7;w=3600"::equals);
        await().atMost(PATIENCE).until(() -> policy(other(), "tiered", "gold"), "\"tiered\";q=7;w=3600"::equals);
        await().atMost(PATIENCE).until(() -> policy(one(), "tiered", "silver"), "\"tiered\";q=6;w=3600"::equals);
        assertThat(policy(one(), "tiered", "none")).isEqualTo("\"tiered\";q=5;w=3600");
        assertThat(remaining(get(other(), "tiered", "gold", "test"), "tiered"))
                .as("4 left, and this was one")
                .isEqualTo(3);
        assertThat(remaining(get(one(), "tiered", "silver", "test"), "tiered")).isEqualTo(1);
    }

    private void whatCannotBeReadChangesNothing() {
        set("limiter.policy.sane.limit", "0");
        set("limiter.policy.sober.limit", "${NOWHERE}");
        set("limiter.enabled", "perhaps");
        set("limiter.policy.marker.limit", "1001");
        awaitPolicy("marker", "\"marker\";q=1001;w=3600");
        // That reading may have begun before the first of these changes; the next one has not.
        set("limiter.policy.marker.limit", "1002");
        awaitPolicy("marker", "\"marker\";q=1002;w=3600");
        for (URL instance : List.of(one(), other())) {
            assertThat(policy(instance, "sane", "none")).isEqualTo("\"sane\";q=10;w=3600");
            assertThat(policy(instance, "sober", "none")).isEqualTo("\"sober\";q=7;w=3600");
        }
        set("limiter.policy.sane.limit", "6");
        awaitPolicy("sane", "\"sane\";q=6;w=3600");
    }

    private void set(String name, String value) {
        settings().set(one(), name, value);
    }

    private void clear(String name) {
        settings().clear(one(), name);
    }

    /**
     * @param field what {@code RateLimit-Policy} is on both instances, within the time that was
     *     promised; null for no such field
     */
    private void awaitPolicy(String path, String field) {
        awaitOnBoth(instance -> policy(instance, path, "none"), field);
    }

    private static String policy(URL instance, String path, String plan) {
        return get(instance, path, plan, "asking").header("RateLimit-Policy");
    }

    private static Response get(URL instance, String path) {
        return get(instance, path, "none", "test");
    }

    private static Response get(URL instance, String path, String plan, String who) {
        return to(instance).header("Test-Plan", plan).get("live/" + path + "?who=" + who);
    }

    private long spent(String policy, long limit) {
        return charged()
                .units(
                        Policy.of(policy, Algorithm.SLIDING_LOG, limit, Duration.ofHours(1)),
                        PartitionKey.of("query:who", "test"));
    }
}
