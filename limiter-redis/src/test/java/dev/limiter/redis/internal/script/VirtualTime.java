package dev.limiter.redis.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimiter;
import dev.limiter.internal.algorithm.Packed;
import dev.limiter.redis.MergingLimiter;
import dev.limiter.redis.internal.combine.MergedDecisions;
import dev.limiter.redis.internal.limiter.RedisRateLimiter;
import dev.limiter.redis.internal.limiter.ScriptExecutor;
import dev.limiter.spi.Signals;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * A clock that stands until it is moved, for Java and for the shipped scripts. Their clock line
 * is replaced, and they get the time behind all other arguments.
 */
public final class VirtualTime implements InstantSource {
    private static final String CLOCK_LINE = "local now = time[1] * 1000000 + time[2] -- the clock line";
    private static final String VIRTUAL_LINE = "local now = tonumber(table.remove(ARGV))";

    private static final Map<Program, Program> VIRTUAL = new ConcurrentHashMap<>();

    private final UnifiedJedis jedis;
    private final String prelude;
    private volatile long micros = 1_700_000_000_000_000L;

    public VirtualTime(UnifiedJedis jedis) {
        this(jedis, "");
    }

    /** @param prelude lines of Lua before each script */
    public VirtualTime(UnifiedJedis jedis, String prelude) {
        this.jedis = jedis;
        this.prelude = prelude;
    }

    /** Runs a script without deadline and breaker. */
    public static Object run(UnifiedJedis jedis, Program script, List<byte[]> keys, List<byte[]> arguments) {
        try {
            return jedis.evalsha(script.sha1(), keys, arguments);
        } catch (JedisNoScriptException absent) {
            return jedis.eval(script.text(), keys, arguments);
        }
    }

    /**
     * Decides and runs scripts without deadline and breaker, and sends the virtual time along.
     */
    private final class Executor extends ScriptExecutor {
        Executor() {
            super(null, System::nanoTime, Signals.NONE);
        }

        @Override
        public Reply decide(DecisionCall call, long began) {
            return ask(List.of(call)).get(0);
        }

        @Override
        public Object run(Program script, List<byte[]> keys, List<byte[]> arguments, ReplyBytes replyBytes) {
            List<byte[]> withTime = new ArrayList<>(arguments);
            withTime.add(Packed.of(micros));
            Program virtual = VIRTUAL.computeIfAbsent(script, VirtualTime::virtual);
            Program whole = prelude.isEmpty() ? virtual : Program.of(prelude + text(virtual));
            return VirtualTime.run(jedis, whole, keys, withTime);
        }

        @Override
        public void delete(byte[] key) {
            jedis.del(key);
        }

        @Override
        public void close() {
            jedis.close();
        }
    }

    /** The shipped text; exactly the marked line differs. */
    static Program virtual(Program shipped) {
        List<String> lines = text(shipped).lines().toList();
        List<String> virtual = lines.stream()
                .map(line -> line.startsWith(CLOCK_LINE) ? VIRTUAL_LINE : line)
                .toList();
        assertThat(lines.stream().filter(line -> line.startsWith(CLOCK_LINE))).hasSize(1);
        return Program.of(String.join("\n", virtual));
    }

    static String text(Program script) {
        return new String(script.text(), StandardCharsets.UTF_8);
    }

    /** The limiter as it is shipped, but for the clock. */
    public RateLimiter limiter(String application) {
        return limiter(application, Signals.NONE);
    }

    /** The same limiter with signals. */
    public RateLimiter limiter(String application, Signals signals) {
        PreparedPolicies policies = new PreparedPolicies(new RedisKeys(application, ""), this);
        return new MergingLimiter(shipped(policies, signals), policies, this);
    }

    /**
     * The limiter as it is shipped, with the store for scripts of extensions, but for the clock.
     */
    public RateLimiter shipped(String application) {
        return shipped(application, this);
    }

    /**
     * The same with a secret for the digests of partitions.
     */
    public RateLimiter shipped(String application, String secret) {
        return shipped(new PreparedPolicies(new RedisKeys(application, secret), this), Signals.NONE);
    }

    /**
     * The same on a node whose own clock shows another time than Redis.
     *
     * @param own the clock of the node
     */
    public RateLimiter shipped(String application, InstantSource own) {
        return shipped(new PreparedPolicies(new RedisKeys(application, ""), own), Signals.NONE);
    }

    private RateLimiter shipped(PreparedPolicies policies, Signals signals) {
        return new RedisRateLimiter(new Executor(), policies, signals, "test", System::nanoTime);
    }

    /** One call for all of them; what it says to each, in their order. */
    public List<Reply> ask(List<DecisionCall> questions) {
        MergedDecisions call = new MergedDecisions(questions);
        return call.replies(new Executor().run(call.script(), call.keys(), call.arguments()));
    }

    public long micros() {
        return micros;
    }

    public void advance(long byMicros) {
        move(micros + byMicros);
    }

    public void move(long toMicros) {
        micros = toMicros;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000);
    }
}
