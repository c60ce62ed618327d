package dev.limiter.redis.internal.script;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Discard;
import dev.limiter.testkit.property.Generator;
import dev.limiter.testkit.property.Property;
import dev.limiter.testkit.property.Texts;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("proof")
class RedisKeysTest {
    private static final int TRIES = 4_000;
    private static final Policy POLICY = Policy.of("p", GCRA, 5, Duration.ofSeconds(10));

    @Test
    void everyKeyIsShortAsciiAndOnlyItsDigestIsTheHashTag() {
        Property.forAll(two(Texts.any(255)))
                .tries(TRIES)
                .check(two -> assertThat(key(two.first, POLICY, two.second))
                        .hasSizeLessThanOrEqualTo(160)
                        .matches("rl:[A-Za-z0-9._/~-]*:[A-Za-z0-9_-]{11}:\\{[A-Za-z0-9_-]{22}}"));
    }

    /**
     * Unpaired surrogates differ in UTF-16 only: other encodings replace all of them by the same
     * bytes.
     */
    @Test
    void differentValuesAndApplicationsGiveDifferentKeys() {
        Generator<String> surrogates = Texts.between('\ud700', '\ue000', 3);
        Generator<String> texts = dice -> dice.oneOf(surrogates, Texts.any(255)).draw(dice);
        Property.forAll(two(texts)).tries(TRIES).check(two -> {
            boolean equal = two.first.equals(two.second);
            assertThat(key("zoo", POLICY, two.first).equals(key("zoo", POLICY, two.second)))
                    .isEqualTo(equal);
            assertThat(key(two.first, POLICY, "x").equals(key(two.second, POLICY, "x")))
                    .isEqualTo(equal);
        });
    }

    /** An operator computes a key in this way. Texts with unpaired surrogates are left out. */
    @Test
    void theDigestIsTheBeginningOfAnHmacInBase64Url() {
        Property.forAll(two(Texts.any(255))).tries(TRIES).check(two -> {
            PartitionKey partition = PartitionKey.of("user", two.second);
            Discard.unless(isWellFormed(two.first) && isWellFormed(partition.text()));
            byte[] phrase = two.first.isEmpty() ? "limiter".getBytes(UTF_8) : two.first.getBytes(UTF_16BE);
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(phrase, "HmacSHA256"));
            byte[] digest = Arrays.copyOf(mac.doFinal(partition.text().getBytes(UTF_16BE)), 16);
            RedisKeys keys = new RedisKeys("zoo", two.first);
            assertThat(new String(keys.key(keys.prefix(POLICY), partition), UTF_8))
                    .endsWith("{" + Base64.getUrlEncoder().withoutPadding().encodeToString(digest) + "}");
        });
    }

    /** Texts, which may be equal. */
    record Two(String first, String second) {}

    private static Generator<Two> two(Generator<String> texts) {
        return dice -> {
            String first = texts.draw(dice);
            return new Two(first, dice.chance(10) ? first : texts.draw(dice));
        };
    }

    private static boolean isWellFormed(String text) {
        return text.equals(new String(text.getBytes(UTF_16BE), UTF_16BE));
    }

    /** Many share a place among those whose key is kept. */
    @Test
    void aDigestThatIsKeptIsOfThisKeyAndNoOther() {
        RedisKeys kept = new RedisKeys("zoo", "");
        byte[] prefix = kept.prefix(POLICY);
        Set<String> different = new HashSet<>();
        for (int i = 0; i < 3 * RedisKeys.RECENT; i++) {
            PartitionKey partition = PartitionKey.of("user", Integer.toString(i));
            byte[] first = kept.key(prefix, partition);
            assertThat(kept.key(prefix, partition)).isEqualTo(first);
            different.add(new String(first, StandardCharsets.US_ASCII));
            if (i % 100 == 0) {
                assertThat(new RedisKeys("zoo", "").key(prefix, partition)).isEqualTo(first);
            }
        }
        assertThat(different).hasSize(3 * RedisKeys.RECENT);
    }

    /**
     * Texts that an attacker makes up: all of one hash code, and many at one place of the
     * keys that are kept.
     */
    @Test
    void keysOfOneHashCodeShareNoDigest() {
        RedisKeys keys = new RedisKeys("zoo", "");
        byte[] prefix = keys.prefix(POLICY);
        Set<String> different = new HashSet<>();
        for (int number = 0; number < 2_000; number++) {
            StringBuilder text = new StringBuilder();
            for (int bit = 0; bit < 11; bit++) {
                text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
            }
            PartitionKey key = PartitionKey.of("user", text.toString());
            different.add(new String(keys.key(prefix, key), StandardCharsets.US_ASCII));
        }
        assertThat(different).hasSize(2_000);
    }

    /**
     * A limit or burst may change under a running state; what gives the state its meaning may
     * not.
     */
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

    /** The name of a policy, and a window in µs. */
    record Named(String name, long micros) {}

    /**
     * Versions of the limiter that run side by side, and an operator, have to find the same
     * state: what a key is made of changes only together with the number of its format.
     */
    @Test
    void aFingerprintIsTheDigestOfNameAlgorithmWindowAndFormat() {
        Property.forAll((Dice dice) -> new Named(
                        dice.oneOf("p", "GCRA", "p:{}", "a b", "queue/LIST"), dice.between(1, 3_600) * 1_000_000))
                .tries(200)
                .check(named -> {
                    Duration window = Duration.of(named.micros, ChronoUnit.MICROS);
                    for (Algorithm algorithm : EnumSet.of(
                            FIXED_WINDOW,
                            Algorithm.SLIDING_WINDOW,
                            Algorithm.SLIDING_LOG,
                            TOKEN_BUCKET,
                            GCRA,
                            UNIFORM)) {
                        Policy policy = Policy.of(named.name, algorithm, 5, window);
                        assertThat(key("zoo", policy, "x"))
                                .startsWith(
                                        "rl:zoo:" + fingerprint(named.name, algorithm.name(), named.micros, 2) + ":{");
                    }
                    Policy whole =
                            Policy.of(named.name, TOKEN_BUCKET, 5, window).withRefill(Refill.INTERVAL);
                    assertThat(key("zoo", whole, "x"))
                            .startsWith("rl:zoo:" + fingerprint(named.name, "TOKEN_BUCKET/INTERVAL", named.micros, 2));
                });
    }

    /** As extensions name their states. */
    @Test
    void theKeyOfAnotherStateHasTheFingerprintOfItsIdentity() {
        byte[] key = new PreparedPolicies(new RedisKeys("zoo", ""))
                .key("mails\0queue/LIST\0" + 1, PartitionKey.of("queue", "mails"));
        assertThat(new String(key, StandardCharsets.US_ASCII))
                .isEqualTo("rl:zoo:" + fingerprint("mails", "queue/LIST", 1) + ":{"
                        + digest(PartitionKey.of("queue", "mails").text(), 16) + "}");
    }

    private static String fingerprint(Object... parts) {
        return digest(Stream.of(parts).map(String::valueOf).collect(Collectors.joining("\0")), 8);
    }

    private static String digest(String text, int bytes) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec("limiter".getBytes(UTF_8), "HmacSHA256"));
            byte[] digest = Arrays.copyOf(mac.doFinal(text.getBytes(UTF_16BE)), bytes);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (GeneralSecurityException missing) {
            throw new AssertionError(missing);
        }
    }

    private static String key(String application, Policy policy, String value) {
        RedisKeys keys = new RedisKeys(application, "");
        return new String(keys.key(keys.prefix(policy), PartitionKey.of("user", value)), StandardCharsets.US_ASCII);
    }

    /**
     * A name that fits and needs no other letters is written as it is; each other one ends with
     * its digest.
     */
    @Test
    void anApplicationIsReadAsItIsUpToSixtyFourCharacters() {
        for (int length : new int[] {0, 1, 50, 51, 52, 63, 64, 65, 66, 200}) {
            for (String letter : List.of("a", "Z", "9", ".", "_", "-", "/", " ", ":", "{", "~", "ä")) {
                String name = letter.repeat(length);
                byte[] prefix = new RedisKeys(name, "").prefix(POLICY);
                String written = new String(prefix, StandardCharsets.US_ASCII).split(":")[1];
                boolean plain = length == 0 || "aZ9._-/".contains(letter) && length <= 64;
                if (plain) {
                    assertThat(written).isEqualTo(name);
                } else {
                    String shown = "aZ9._-/".contains(letter) ? letter : "_";
                    assertThat(written)
                            .matches(Pattern.quote(shown.repeat(Math.min(length, 51))) + "~[A-Za-z0-9_-]{12}");
                }
            }
        }
    }
}
