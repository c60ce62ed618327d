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

    private final UnifiedJedis jedis;
    private long micros;

    VirtualTime(UnifiedJedis jedis) {
        this.jedis = jedis;
        move(1_700_000_000_000_000L);
    }

    /** The shipped text; exactly the marked line differs. */
    static Script script() {
        List<String> shipped = new String(Script.shipped().text(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        List<String> virtual = shipped.stream()
                .map(line -> line.startsWith(CLOCK_LINE)
                        ? "local now = tonumber(redis.call('GET', '" + CLOCK_KEY + "'))"
                        : line)
                .toList();
        assertThat(shipped.stream().filter(line -> !virtual.contains(line))).hasSize(1);
        return Script.of(String.join("\n", virtual));
    }

    /** The limiter as it is shipped, but for the clock. */
    RateLimiter limiter(String application) {
        Timeouts patient = Timeouts.within(Duration.ofSeconds(10));
        ScriptRunner runner = new ScriptRunner(jedis, script(), patient, System::nanoTime);
        return new RedisRateLimiter(jedis, runner, new RedisKeys(application, ""), "test");
    }

    void advance(long byMicros) {
        move(micros + byMicros);
    }

    private void move(long toMicros) {
        micros = toMicros;
        jedis.set(CLOCK_KEY, Long.toString(toMicros));
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000);
    }
}
