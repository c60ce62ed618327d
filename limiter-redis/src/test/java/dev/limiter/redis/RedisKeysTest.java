package dev.limiter.redis;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import net.jqwik.api.Assume;
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
                .matches("rl:[A-Za-z0-9._/~-]*:[A-Za-z0-9_-]{11}:\\{[A-Za-z0-9_-]{22}}");
    }

    @Property
    void differentValuesAndApplicationsGiveDifferentKeys(
            @ForAll @CharRange(from = '\ud700', to = '\ue000') String a,
            @ForAll @CharRange(from = '\ud700', to = '\ue000') String b) {
        assertThat(key("zoo", POLICY, a).equals(key("zoo", POLICY, b))).isEqualTo(a.equals(b));
        assertThat(key(a, POLICY, "x").equals(key(b, POLICY, "x"))).isEqualTo(a.equals(b));
    }

    /** Whoever looks for a key in Redis computes it so. */
    @Property
    void theDigestIsTheBeginningOfAnHmacInBase64Url(@ForAll String secret, @ForAll String value) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        byte[] phrase = secret.isEmpty() ? "limiter".getBytes(UTF_8) : secret.getBytes(UTF_16BE);
        Assume.that(secret.equals(new String(phrase, secret.isEmpty() ? UTF_8 : UTF_16BE)) || secret.isEmpty());
        mac.init(new SecretKeySpec(phrase, "HmacSHA256"));
        PartitionKey partition = PartitionKey.of("user", value);
        Assume.that(partition.text().equals(new String(partition.text().getBytes(UTF_16BE), UTF_16BE)));
        byte[] digest = Arrays.copyOf(mac.doFinal(partition.text().getBytes(UTF_16BE)), 16);
        RedisKeys keys = new RedisKeys("zoo", secret);
        assertThat(new String(keys.key(keys.prefix(POLICY), partition), UTF_8))
                .endsWith("{" + Base64.getUrlEncoder().withoutPadding().encodeToString(digest) + "}");
    }

    /** Many share a place among those whose digest is kept. */
    @Test
    void aDigestThatIsKeptIsOfThisKeyAndNoOther() {
        RedisKeys kept = new RedisKeys("zoo", "");
        byte[] prefix = kept.prefix(POLICY);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 3 * RedisKeys.RECENT; i++) {
                PartitionKey partition = PartitionKey.of("user", Integer.toString(i));
                kept.key(prefix, partition);
                assertThat(kept.key(prefix, partition)).isEqualTo(new RedisKeys("zoo", "").key(prefix, partition));
            }
        }
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
