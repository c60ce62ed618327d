package dev.limiter.redis.recorded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import redis.clients.jedis.UnifiedJedis;

/**
 * The keys of the limiter in Redis, as lines of text. Their times to live go by virtual time: a
 * hash says at which millisecond each key ends.
 */
final class VirtualKeys {

    /** Runs before each script, whose last argument is the virtual time. */
    static final String PRELUDE = """
            local server, arrived = redis, math.floor(ARGV[#ARGV] / 1000)
            local redis = setmetatable({ call = function(...)
              local reply = server.call(...)
              local command, key, first, option, span = ...
              if command == 'PEXPIRE' then
                server.call('HSET', 'ends', key, string.format('%.0f', arrived + first))
              elseif command == 'SET' and option == 'PX' then
                server.call('HSET', 'ends', key, string.format('%.0f', arrived + span))
              elseif command == 'SET' and option ~= 'KEEPTTL' or command == 'DEL' then
                server.call('HDEL', 'ends', key)
              end
              return reply
            end }, { __index = server })
            """;

    private static final String EXPIRE = """
            local ends = redis.call('HGETALL', 'ends')
            for i = 1, #ends, 2 do
              if tonumber(ends[i + 1]) < tonumber(ARGV[1]) or redis.call('EXISTS', ends[i]) == 0 then
                redis.call('DEL', ends[i])
                redis.call('HDEL', 'ends', ends[i])
              end
            end
            """;

    /**
     * A stream is told as its group, what is pending, and its entries. The letters of a queue have
     * numbers of Redis' own, which are left out.
     */
    private static final String CONTENTS = """
            local lines = {}
            local read = {
              string = function(key) return { redis.call('GET', key) } end,
              list = function(key) return redis.call('LRANGE', key, 0, -1) end,
              zset = function(key) return redis.call('ZRANGE', key, 0, -1, 'WITHSCORES') end,
              hash = function(key)
                local content, fields = {}, redis.call('HKEYS', key)
                table.sort(fields)
                for _, field in ipairs(fields) do
                  content[#content + 1] = field
                  content[#content + 1] = redis.call('HGET', key, field)
                end
                return content
              end,
              stream = function(key)
                local content = {}
                local function add(...) for _, each in ipairs({...}) do content[#content + 1] = tostring(each) end end
                for _, group in ipairs(redis.call('XINFO', 'GROUPS', key)) do
                  add('group', group[2], group[8])
                  for _, held in ipairs(redis.call('XPENDING', key, group[2], '-', '+', 1000)) do
                    add('pending', held[1], held[2], held[4])
                  end
                end
                for _, entry in ipairs(redis.call('XRANGE', key, '-', '+')) do
                  add('entry', string.match(key, ':letters$') and '*' or entry[1], #entry[2], unpack(entry[2]))
                end
                return content
              end,
            }
            local keys = redis.call('KEYS', 'rl:*')
            table.sort(keys)
            for _, key in ipairs(keys) do
              local type = redis.call('TYPE', key).ok
              local ends = redis.call('HGET', 'ends', key)
              local line = read[type](key)
              table.insert(line, 1, key)
              table.insert(line, 2, type)
              table.insert(line, 3, ends and string.format('%.0f', ends - ARGV[1]) or 'ever')
              lines[#lines + 1] = line
            end
            return lines
            """;

    private static final String LOAD = """
            local key, type, life, now = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
            local i = 5
            local function next() i = i + 1 return ARGV[i - 1] end
            local write = {
              string = function() redis.call('SET', key, next()) end,
              list = function() redis.call('RPUSH', key, next()) end,
              zset = function() local member = next() redis.call('ZADD', key, next(), member) end,
              hash = function() redis.call('HSET', key, next(), next()) end,
            }
            local group, last, pending = nil, nil, {}
            function write.stream()
              local part = next()
              if part == 'group' then
                group, last = next(), next()
                redis.call('XGROUP', 'CREATE', key, group, '0', 'MKSTREAM')
              elseif part == 'pending' then
                pending[#pending + 1] = { next(), next(), next() }
              else
                local entry = { next() }
                for _ = 1, next() do entry[#entry + 1] = next() end
                redis.call('XADD', key, unpack(entry))
              end
            end
            while i <= #ARGV do write[type]() end
            if group then
              redis.call('XGROUP', 'SETID', key, group, last)
              for _, held in ipairs(pending) do
                redis.call('XCLAIM', key, group, held[2], 0, held[1], 'RETRYCOUNT', held[3], 'FORCE', 'JUSTID')
              end
            end
            if life ~= 'ever' then redis.call('HSET', 'ends', key, string.format('%.0f', now + life)) end
            """;

    private final UnifiedJedis jedis;

    VirtualKeys(UnifiedJedis jedis) {
        this.jedis = jedis;
    }

    /** Deletes what has ended before an instant, as Redis does with its own clock. */
    void expire(long micros) {
        jedis.eval(EXPIRE, List.of(), List.of(millis(micros)));
    }

    /** Each key with its type, the milliseconds that it still lives, and its content. */
    List<String> contents(long micros) {
        List<?> lines = (List<?>) jedis.eval(CONTENTS.getBytes(US_ASCII), List.of(), List.of(bytes(millis(micros))));
        return lines.stream()
                .map(line -> String.join(
                        " ",
                        ((List<?>) line)
                                .stream().map(part -> word((byte[]) part)).toList()))
                .toList();
    }

    /** Writes a key as {@link #contents} tells it. */
    void load(String line, long micros) {
        List<byte[]> parts = new ArrayList<>();
        for (String word : line.split(" ")) {
            parts.add(bytes(word));
        }
        parts.add(3, bytes(millis(micros)));
        jedis.eval(LOAD.getBytes(US_ASCII), List.of(), parts);
    }

    private static String millis(long micros) {
        return Long.toString(micros / 1_000);
    }

    private static String word(byte[] part) {
        String text = new String(part, ISO_8859_1);
        boolean plain = !text.isEmpty() && text.chars().allMatch(c -> c > ' ' && c <= '~') && !text.startsWith("0x");
        return plain ? text : "0x" + HexFormat.of().formatHex(part);
    }

    private static byte[] bytes(String word) {
        return word.startsWith("0x") ? HexFormat.of().parseHex(word.substring(2)) : word.getBytes(US_ASCII);
    }
}
