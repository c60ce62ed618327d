package dev.limiter.benchmarks;

import dev.limiter.benchmarks.contest.Competitor;
import dev.limiter.benchmarks.contest.Verdict;
import java.util.List;
import redis.clients.jedis.RedisClient;

/** A script of our own making, for comparison only, asked over a plain pool. */
final class LuaCompetitor implements Competitor {
    private final RedisClient jedis;
    private final String script;
    private final List<String> keys;
    private final List<String> arguments;

    /**
     * @param resource a Lua file beside this class, which replies a list that begins with 1 if
     *     it admits
     */
    LuaCompetitor(RedisClient jedis, String resource, List<String> keys, List<String> arguments) {
        this.jedis = jedis;
        this.script = jedis.scriptLoad(Text.resource(resource));
        this.keys = keys;
        this.arguments = arguments;
    }

    @Override
    public Verdict ask(int key) {
        List<?> reply = (List<?>) jedis.evalsha(script, keys, arguments);
        return Verdict.of(reply.get(0).equals(1L));
    }

    @Override
    public void close() {
        jedis.close();
    }
}
