package dev.limiter.redis.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.Refill;
import dev.limiter.redis.internal.limiter.RedisRateLimiterProvider;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.property.TestSize;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/**
 * Hostile values in keys: each caller has a key of its own, and none costs more than another.
 */
@Tag("proof")
@Tag("store")
class HostileKeysTest {
    private static final int DRAWN = TestSize.of(100_000);
    private static final int SEED = 160;
    private static final int MEGABYTE = 1 << 20;
    private static final int ONE_HUGE_OF = 10_000;
    private static final String TRICKY =
            "0123456789:::{}|'\"\\/*%\0\r\n\t aA\u00e4\u0130\ud800\udbff\udc00\udfff\ufffd\uffff";

    /** Names that could be taken for the end of a value, or the beginning of the next part. */
    private static final List<String> NAMES = List.of("user", "ip", "header:X", "1:a", "a1:", "");

    private record Part(String name, String value) {}

    @Test
    void keysOfRandomBytesAreShortAsciiAndNeverShared() {
        SplittableRandom random = new SplittableRandom(SEED);
        RedisKeys keys = new RedisKeys("\u00e4".repeat(300), "");
        byte[] prefix = keys.prefix(Policy.of("p".repeat(100), Algorithm.GCRA, 5, Duration.ofSeconds(10)));
        Map<String, String> owners = new HashMap<>();
        List<Part> parts = List.of();
        for (int i = 0; i < DRAWN; i++) {
            parts = i % 3 == 2 ? cutElsewhere(parts, random) : draw(i, random);
            String key = new String(keys.key(prefix, key(parts)), StandardCharsets.ISO_8859_1);
            assertThat(key.length()).isLessThanOrEqualTo(160);
            assertThat(key.matches("[!-~]+:\\{[A-Za-z0-9_-]{22}}")).as(key).isTrue();
            String owner = identity(parts);
            String before = owners.put(key, owner);
            assertThat(before == null || before.equals(owner))
                    .as("%s, number %d of seed %d", parts, i, SEED)
                    .isTrue();
        }
        System.out.printf("%n%,d hostile keys, %,d different ones, none shared%n", DRAWN, owners.size());
        assertThat(owners).hasSizeGreaterThan(DRAWN / 2);
    }

    /**
     * For each kind of state 50 callers send a megabyte each. Values that differ only behind the
     * first 1,024 characters are one key.
     */
    @Test
    void rotatingKeysOfAMegabyteCostSomeBytesEachForSomeTime() {
        Duration hour = Duration.ofHours(1);
        List<Policy> policies = List.of(
                Policy.of("fixed", Algorithm.FIXED_WINDOW, 5, hour),
                Policy.of("sliding", Algorithm.SLIDING_WINDOW, 5, hour),
                Policy.of("log", Algorithm.SLIDING_LOG, 5, hour),
                Policy.of("gcra", Algorithm.GCRA, 5, hour),
                Policy.of("bucket", Algorithm.TOKEN_BUCKET, 5, hour).borrowing(),
                Policy.of("interval", Algorithm.TOKEN_BUCKET, 5, hour).withRefill(Refill.INTERVAL),
                Policy.of("gate", Algorithm.UNIFORM, 1, hour),
                Policy.leakyBucket("queue", 5, hour, hour),
                Policy.concurrency("flight", 5));
        assertThat(EnumSet.complementOf(EnumSet.of(Algorithm.GATE)))
                .as("of a gate something is kept when it is closed")
                .isEqualTo(
                        EnumSet.copyOf(policies.stream().map(Policy::algorithm).toList()));
        String huge = "x".repeat(MEGABYTE);
        int callers = 50;
        try (RedisServer redis = RedisServer.start();
                RedisClient jedis = RedisClient.create(redis.uri());
                RateLimiter limiter = limiter(redis)) {
            for (int i = 0; i < callers; i++) {
                PartitionKey key = PartitionKey.of("header:X-Api-Key", i + huge);
                PartitionKey same = PartitionKey.of("header:X-Api-Key", i + huge + i);
                for (Policy policy : policies) {
                    limiter.acquire(CheckGroup.of(Check.of(policy, key)));
                    limiter.acquire(CheckGroup.of(Check.of(policy, same)));
                }
                limiter.closeGate(policies.get(0), key, hour);
                limiter.closeGate(policies.get(0), same, hour);
            }
            Set<String> keys = jedis.keys("*");
            long most = most(keys, jedis::memoryUsage);
            System.out.printf("%n%,d keys of a megabyte each, at most %d bytes in Redis%n", keys.size(), most);
            assertThat(keys).hasSize(callers * (policies.size() + 1));
            assertThat(most).isLessThanOrEqualTo(400);
            assertThat(keys).allSatisfy(key -> assertThat(jedis.pttl(key)).isPositive());
            assertThat(most(keys, jedis::pttl)).isLessThanOrEqualTo(3 * hour.toMillis());
        }
    }

    private static long most(Set<String> keys, ToLongFunction<String> of) {
        return keys.stream().mapToLong(of).max().orElseThrow();
    }

    private static RateLimiter limiter(RedisServer redis) {
        Map<String, String> settings = Map.of("limiter.redis.uri", redis.uri(), "limiter.redis.deadline", "20s");
        return new RedisRateLimiterProvider()
                .create("hostile", name -> Optional.ofNullable(settings.get(name)), Signals.NONE)
                .orElseThrow();
    }

    private static List<Part> draw(int number, SplittableRandom random) {
        List<Part> parts = new ArrayList<>();
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            int length = number % ONE_HUGE_OF == 0 ? MEGABYTE : random.nextInt(random.nextBoolean() ? 4 : 64);
            parts.add(new Part(NAMES.get(random.nextInt(NAMES.size())), text(length, random)));
        }
        return parts;
    }

    /**
     * Bytes as a server hands them on, as code units, which are lone surrogates often, or of an
     * alphabet of separators.
     */
    private static String text(int length, SplittableRandom random) {
        int kind = random.nextInt(3);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(
                    switch (kind) {
                        case 0 -> (char) random.nextInt(1 << 8);
                        case 1 -> (char) random.nextInt(1 << 16);
                        default -> TRICKY.charAt(random.nextInt(TRICKY.length()));
                    });
        }
        return text.toString();
    }

    /**
     * The same characters in the same order under the same names, of which another part has
     * more.
     */
    private static List<Part> cutElsewhere(List<Part> parts, SplittableRandom random) {
        StringBuilder all = new StringBuilder();
        parts.forEach(part -> all.append(part.value()));
        List<Part> cut = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < parts.size(); i++) {
            int to = i == parts.size() - 1 ? all.length() : from + random.nextInt(all.length() - from + 1);
            cut.add(new Part(parts.get(i).name(), all.substring(from, to)));
            from = to;
        }
        return cut;
    }

    private static PartitionKey key(List<Part> parts) {
        PartitionKey.Builder key = PartitionKey.builder();
        parts.forEach(part -> key.add(part.name(), part.value()));
        return key.build();
    }

    /**
     * Equal for equal parts only, in another way than that of the library: each character as
     * digits.
     */
    private static String identity(List<Part> parts) {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            String value = part.value();
            String counted = value.substring(0, Math.min(value.length(), PartitionKey.MAX_VALUE_LENGTH));
            part.name().chars().forEach(c -> text.append(c).append(','));
            counted.chars().forEach(c -> text.append(';').append(c));
            text.append('\n');
        }
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
