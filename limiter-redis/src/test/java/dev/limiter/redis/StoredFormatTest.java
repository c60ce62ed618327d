package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.Refill;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/**
 * Keys and states in Redis are those of stored-format.txt, byte for byte. An instance of another
 * version finds them during an update: a difference would lose what was counted.
 */
class StoredFormatTest {
    private static final PartitionKey KEY = PartitionKey.of("user", "ada/a b/é");
    private static final String CONTENTS = """
            local lines = {}
            local function hex(text) return (string.gsub(text, '.', function(c) return string.format('%02x', string.byte(c)) end)) end
            local keys = redis.call('KEYS', 'rl:*')
            table.sort(keys)
            for _, key in ipairs(keys) do
              local type = redis.call('TYPE', key).ok
              local content
              if type == 'string' then content = { redis.call('GET', key) }
              elseif type == 'list' then content = redis.call('LRANGE', key, 0, -1)
              else content = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES') end
              for i = 1, #content do content[i] = hex(content[i]) end
              lines[#lines + 1] = key .. ' ' .. type .. ' ' .. table.concat(content, ' ')
            end
            return lines
            """;

    @Test
    void keysAndStatesAreThoseOfTheFile() throws IOException {
        List<String> written = new ArrayList<>();
        try (Stores stores = new Stores()) {
            for (Policy policy : policies()) {
                Stores.Fresh fresh = stores.fresh(Stores.Store.REDIS);
                use(fresh, policy);
                written.add(policy.name());
                written.addAll(contents(stores.jedis()));
            }
        }
        assertThat(written)
                .as("what is written now:%n%s", String.join("\n", written))
                .containsExactlyElementsOf(golden());
    }

    private static List<Policy> policies() {
        Duration window = Duration.ofSeconds(7);
        List<Policy> policies = new ArrayList<>();
        for (Algorithm algorithm : Algorithm.values()) {
            if (algorithm != Algorithm.GATE) {
                policies.add(of(algorithm, window));
            }
        }
        policies.add(Policy.of("interval", Algorithm.TOKEN_BUCKET, 10, window).withRefill(Refill.INTERVAL));
        policies.add(
                Policy.of("parts", Algorithm.GCRA, 9_007_199, Duration.ofDays(365))); // its instants have fractions
        policies.add(Policy.of("burst", Algorithm.GCRA, 10, window).withBurst(4));
        policies.add(Policy.of("varying", Algorithm.GCRA, 10, window).withVaryingLimit());
        return policies;
    }

    private static Policy of(Algorithm algorithm, Duration window) {
        return algorithm == Algorithm.LEAKY_BUCKET
                ? Policy.leakyBucket(algorithm.name(), 10, window, Duration.ofSeconds(2))
                : Policy.of(algorithm.name(), algorithm, 10, window);
    }

    /** Admissions, one of two units, debt, a refund, and a closed gate. */
    private static void use(Stores.Fresh fresh, Policy policy) {
        RateLimiter limiter = fresh.limiter();
        boolean isConcurrency = policy.algorithm() == Algorithm.CONCURRENCY;
        boolean takesCosts = !isConcurrency && policy.algorithm() != Algorithm.UNIFORM;
        for (int i = 0; i < 3; i++) {
            long cost = i == 1 && takesCosts ? 2 : 1;
            String lease = isConcurrency ? "lease" + i : "";
            Decision decision = limiter.acquire(CheckGroup.of(new Check(policy, KEY, cost, lease, 0)));
            if (i == 0
                    && decision instanceof Decision.Admitted admitted
                    && policy.algorithm() != Algorithm.LEAKY_BUCKET) {
                fresh.time().advance(123_457);
                limiter.refund(admitted);
            }
            fresh.time().advance(1_234_567);
        }
        if (takesCosts && policy.algorithm() != Algorithm.LEAKY_BUCKET) {
            limiter.charge(policy, KEY, 3);
        }
        limiter.closeGate(policy, KEY, Duration.ofMillis(1_500));
    }

    private static List<String> contents(RedisClient jedis) {
        return ((List<?>) jedis.eval(CONTENTS)).stream().map(String.class::cast).toList();
    }

    private static List<String> golden() throws IOException {
        try (InputStream file = StoredFormatTest.class.getResourceAsStream("/dev/limiter/redis/stored-format.txt")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }
}
