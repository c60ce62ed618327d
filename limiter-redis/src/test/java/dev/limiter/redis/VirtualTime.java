package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimiter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import redis.clients.jedis.UnifiedJedis;

/** A clock that stands until it is moved, for Java and for the shipped script with its one clock line replaced. */
final class VirtualTime implements InstantSource {
    private static final String CLOCK_LINE = "local now = time[1] * 1000000 + time[2] -- the clock line";
    private static final String CLOCK_KEY = "virtual-clock";
    private static final String VIRTUAL_LINE = "local now = tonumber(redis.call('GET', '" + CLOCK_KEY + "'))";

    private final UnifiedJedis jedis;
    private long micros;

    VirtualTime(UnifiedJedis jedis) {
        this.jedis = jedis;
        move(1_700_000_000_000_000L);
    }

    /** The shipped text; exactly the marked line differs. */
    static Script virtual(Script shipped) {
        List<String> lines = text(shipped).lines().toList();
        List<String> virtual = lines.stream()
                .map(line -> line.startsWith(CLOCK_LINE) ? VIRTUAL_LINE : line)
                .toList();
        assertThat(lines.stream().filter(line -> line.startsWith(CLOCK_LINE))).hasSize(1);
        return Script.of(String.join("\n", virtual));
    }

    static String text(Script script) {
        return new String(script.text(), StandardCharsets.UTF_8);
    }

    /** The limiter as it is shipped, but for the clock. */
    RateLimiter limiter(String application) {
        Timeouts patient = Timeouts.within(Duration.ofSeconds(10));
        return new RedisRateLimiter(
                jedis,
                new ScriptRunner(jedis, virtual(Script.decisions()), patient, System::nanoTime),
                new ScriptRunner(jedis, virtual(Script.settlements()), patient, System::nanoTime),
                new PreparedPolicies(new RedisKeys(application, "")),
                "test");
    }

    void advance(long byMicros) {
        move(micros + byMicros);
    }

    void move(long toMicros) {
        micros = toMicros;
        jedis.set(CLOCK_KEY, Long.toString(toMicros));
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000);
    }
}
