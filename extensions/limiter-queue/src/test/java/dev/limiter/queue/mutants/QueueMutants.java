package dev.limiter.queue.mutants;

import dev.limiter.redis.mutants.Mutant;
import java.util.List;

/** Likely defects of queues; the first two are those of the article. */
final class QueueMutants {
    private static final String QUEUE =
            "extensions/limiter-queue/src/main/java/dev/limiter/queue/internal/RedisBoundedQueue.java";
    private static final String KEYS = "lua/queue/keys.lua";
    private static final String STREAM = "lua/queue/stream.lua";
    private static final String LIST = "lua/queue/list.lua";
    private static final String OFFER = "lua/queue/offer.lua";
    private static final String TAKE = "lua/queue/take.lua";
    private static final String ACKNOWLEDGE = "lua/queue/acknowledge.lua";
    private static final String STATE = "lua/queue/state.lua";
    private static final String STATS = "lua/queue/stats.lua";

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "the length is compared by ==: a lowered capacity bounds nothing",
                    OFFER,
                    "if length_now >= capacity then",
                    "if length_now == capacity then"),
            Mutant.of(
                    "check and record in two calls",
                    QUEUE,
                    "        byte[] capacity = packed(policy.capacity());",
                    "        QueueStats stats = stats();\n"
                            + "        if (stats.length() >= policy.capacity()) {\n"
                            + "            return OfferResult.Full.of(stats.length(), policy.capacity(),\n"
                            + "                    stats.waiting(), stats.age().toNanos() / 1_000);\n"
                            + "        }\n"
                            + "        byte[] capacity = packed(1_000);"),
            Mutant.of("one more than the capacity fits", OFFER, "length_now >= capacity", "length_now > capacity"),
            Mutant.of(
                    "taking makes room",
                    OFFER,
                    "redis.call('ZCARD', held), length()",
                    "redis.call('ZCARD', held), length() - redis.call('ZCARD', held)"),
            Mutant.of(
                    "those who come at one instant have one number",
                    OFFER,
                    "math.max(now, (redis.call('GET', last) or 0) + 1)",
                    "math.max(now, (redis.call('GET', last) or 0) + 0)"),
            Mutant.of("the last number is forgotten", OFFER, "redis.call('SET', last, id)\n", ""),
            Mutant.of(
                    "a number that is text keeps 14 digits",
                    OFFER,
                    "string.format('%.0f', math.max(now, (redis.call('GET', last) or 0) + 1))",
                    "tostring(math.max(now, (redis.call('GET', last) or 0) + 1))"),
            Mutant.of(
                    "a refused offer tells how long the last has waited",
                    OFFER,
                    "math.max(0, now - first) or 0",
                    "0 or 0"),
            Mutant.of("a hold lasts a microsecond longer", TAKE, "'-inf', now - hold,", "'-inf', now - hold - 1,"),
            Mutant.of("a hold ends a microsecond early", TAKE, "'-inf', now - hold,", "'-inf', now - hold + 1,"),
            Mutant.of("one delivery more than there may be", TAKE, "deliveries < most then", "deliveries <= most then"),
            Mutant.of("who is given again is not held anew", TAKE, "  redis.call('ZADD', held, now, id)\n", "")
                    .and(
                            TAKE,
                            "    return given(id, 1, payload)",
                            "    redis.call('ZADD', held, now, id)\n    return given(id, 1, payload)"),
            Mutant.of(
                    "a hold of a clock that was ahead lasts until then",
                    TAKE,
                    "  redis.call('ZADD', held, now, ahead)\n",
                    ""),
            Mutant.of(
                    "all holds of a clock that was ahead are mended at once",
                    TAKE,
                    "'LIMIT', 0, 16",
                    "'LIMIT', 0, 1600"),
            Mutant.of("the dead are not written down", TAKE, "    remember(dead, id, remembered)\n", ""),
            Mutant.of("the dead leave no letter", TAKE, "    write_letter(id, deliveries, payload, remembered)\n", ""),
            Mutant.of("the dead stay in the queue", TAKE, "  drop(id)\n", ""),
            Mutant.of("the dead are held for ever", TAKE, "  redis.call('ZREM', held, id)\n", ""),
            Mutant.of("all who are held too long go at once", TAKE, "for _ = 1, 16 do", "for _ = 1, 1600 do"),
            Mutant.of("what waits comes before what was held too long", TAKE, "for _ = 1, 16 do", "for _ = 1, 0 do"),
            Mutant.of(
                    "acknowledged as often as a consumer asks",
                    ACKNOWLEDGE,
                    "if redis.call('ZREM', held, ARGV[2]) == 0 then",
                    "if redis.call('ZREM', held, ARGV[2]) == 0 and not redis.call('ZSCORE', done, ARGV[2]) then"),
            Mutant.of("acknowledged, and not deleted", ACKNOWLEDGE, "drop(ARGV[2])\n", ""),
            Mutant.of(
                    "what is done is not known",
                    ACKNOWLEDGE,
                    "remember(done, ARGV[2], struct.unpack('>d', ARGV[1]))\n",
                    ""),
            Mutant.of("one more is remembered", KEYS, "left, 0, -1 - remembered)", "left, 0, -2 - remembered)"),
            Mutant.of(
                    "those who left are remembered by their age",
                    KEYS,
                    "redis.call('ZADD', left, (latest[2] or 0) + 1, id)",
                    "redis.call('ZADD', left, id, id)"),
            Mutant.of("a stream that is acknowledged keeps its entry", STREAM, "  redis.call('XDEL', queue, id)\n", ""),
            Mutant.of(
                    "a stream that is deleted from keeps it pending",
                    STREAM,
                    "  redis.call('XACK', queue, GROUP, id)\n",
                    ""),
            Mutant.of(
                    "a claim counts as no delivery",
                    STREAM,
                    "GROUP, consumer, 0, id)",
                    "GROUP, consumer, 0, id, 'JUSTID')"),
            Mutant.of(
                    "consumers are kept for ever",
                    STREAM,
                    "    redis.call('XGROUP', 'DELCONSUMER', queue, GROUP, consumer)\n",
                    ""),
            Mutant.of("a stream begins with the first take", STREAM, "GROUP, '0', 'MKSTREAM'", "GROUP, '$', 'MKSTREAM'")
                    .and(STREAM, "  redis.call('XADD', queue, id, 'payload', payload)\n", "")
                    .and(
                            STREAM,
                            "  if redis.call('EXISTS', queue) == 0 then\n",
                            "  local is_new = redis.call('EXISTS', queue) == 0\n"
                                    + "  redis.call('XADD', queue, id, 'payload', payload)\n"
                                    + "  if is_new then\n"),
            Mutant.of("the last waits first", LIST, "redis.call('RPUSH', queue, id)", "redis.call('LPUSH', queue, id)"),
            Mutant.of("a list counts what waits only", LIST, " + redis.call('ZCARD', held)", ""),
            Mutant.of("a list forgets how often", LIST, "  write(id, deliveries + 1, payload)\n", ""),
            Mutant.of("a list keeps what is done", LIST, "  redis.call('HDEL', entries, id)\n", ""),
            Mutant.of(
                    "letters of a list are for ever",
                    LIST,
                    "  redis.call('LTRIM', letters, -2 * remembered, -1)\n",
                    ""),
            Mutant.of("the dead are done", STATE, "  state = 3\n", "  state = 2\n"),
            Mutant.of("who is taken waits", STATE, "  state = 1\n", "  state = 0\n"),
            Mutant.of("what is taken waits, too", STATS, "math.max(0, length() - taken)", "math.max(0, length())"));

    private QueueMutants() {}
}
