package dev.limiter.redis;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import org.junit.jupiter.api.Test;

class RedisKeysTest {
    private static final Policy POLICY = Policy.of("p", GCRA, 5, Duration.ofSeconds(10));

    @Property
    void everyKeyIsShortAsciiAndOnlyItsDigestIsTheHashTag(
            @ForAll String application, @ForAll @CharRange(from = '\0', to = '\uffff') String value) {
        String key = key(application, POLICY, value);
        assertThat(key)
                .hasSizeLessThanOrEqualTo(160)
                .matches("rl:[A-Za-z0-9._/~-]*:[A-Za-z0-9_-]{12}:\\{[A-Za-z0-9_-]{22}}");
    }

    @Property
    void differentValuesAndApplicationsGiveDifferentKeys(
            @ForAll @CharRange(from = '\ud700', to = '\ue000') String a,
            @ForAll @CharRange(from = '\ud700', to = '\ue000') String b) {
        assertThat(key("zoo", POLICY, a).equals(key("zoo", POLICY, b))).isEqualTo(a.equals(b));
        assertThat(key(a, POLICY, "x").equals(key(b, POLICY, "x"))).isEqualTo(a.equals(b));
    }

    /** A limit or burst may change under a running state; what gives the state its meaning may not. */
    @Test
    void theFingerprintKnowsNameAlgorithmAndWindowButNotTheNumbers() {
        assertThat(key("zoo", Policy.of("p", GCRA, 6, Duration.ofSeconds(10)).withBurst(9), "x"))
                .isEqualTo(key("zoo", POLICY, "x"));
        Set<String> apart = new HashSet<>();
        for (Policy policy : List.of(
                POLICY,
                Policy.of("q", GCRA, 5, Duration.ofSeconds(10)),
                Policy.of("p", TOKEN_BUCKET, 5, Duration.ofSeconds(10)),
                Policy.of("p", FIXED_WINDOW, 5, Duration.ofSeconds(10)),
                Policy.of("p", GCRA, 5, Duration.ofSeconds(11)))) {
            apart.add(key("zoo", policy, "x"));
        }
        assertThat(apart).hasSize(5);
    }

    private static String key(String application, Policy policy, String value) {
        RedisKeys keys = new RedisKeys(application, "");
        return new String(keys.key(keys.prefix(policy), PartitionKey.of("user", value)), StandardCharsets.US_ASCII);
    }
}
