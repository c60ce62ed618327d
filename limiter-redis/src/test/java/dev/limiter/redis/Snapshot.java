package dev.limiter.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.UnifiedJedis;

/**
 * The keys of the limiter in Redis at one instant.
 *
 * @param atMillis the instant, in real time
 * @param changes how often something was written since the server started
 * @param digests of each key's content, as DUMP gives it
 * @param expiries of each key, in ms since 1970; below zero for a key without a time to live
 */
public record Snapshot(long atMillis, String changes, Map<String, String> digests, Map<String, Long> expiries) {
    private static final String SCRIPT = """
            local function millis()
              local time = redis.call('TIME')
              return time[1] * 1000 + math.floor(time[2] / 1000)
            end
            local function expiry(key) -- Redis 6.2 has no PEXPIRETIME
              local at = redis.pcall('PEXPIRETIME', key)
              if type(at) == 'number' then return at end
              local left = redis.call('PTTL', key)
              return left < 0 and left or left + millis()
            end
            local reply = { millis() }
            reply[2] = string.match(redis.call('INFO', 'persistence'), 'rdb_changes_since_last_save:(%d+)')
            for _, key in ipairs(redis.call('KEYS', 'rl:*')) do
              reply[#reply + 1] = key
              reply[#reply + 1] = redis.sha1hex(redis.call('DUMP', key))
              reply[#reply + 1] = expiry(key)
            end
            return reply
            """;

    public static Snapshot of(UnifiedJedis jedis) {
        List<?> reply = (List<?>) jedis.eval(SCRIPT);
        Map<String, String> digests = new HashMap<>();
        Map<String, Long> expiries = new HashMap<>();
        for (int i = 2; i < reply.size(); i += 3) {
            digests.put((String) reply.get(i), (String) reply.get(i + 1));
            expiries.put((String) reply.get(i), (Long) reply.get(i + 2));
        }
        return new Snapshot((Long) reply.get(0), (String) reply.get(1), digests, expiries);
    }

    /** Whether nothing was written in between. A new time to live is a change, too. */
    public boolean sameAs(Snapshot other) {
        return changes.equals(other.changes) && digests.equals(other.digests);
    }
}
