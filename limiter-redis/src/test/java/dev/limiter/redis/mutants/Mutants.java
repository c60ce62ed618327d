package dev.limiter.redis.mutants;

import java.util.List;

/** What articles and naive designs got wrong, and a few more that would be easy to get wrong here. */
final class Mutants {
    private static final String DRIVER = "lua/driver.lua";
    private static final String WINDOW = "lua/algorithm/fixed_window.lua";
    private static final String SLIDING_WINDOW = "lua/algorithm/sliding_window.lua";
    private static final String LOG = "lua/algorithm/sliding_log.lua";
    private static final String GCRA = "lua/algorithm/gcra.lua";
    private static final String INTERVAL = "lua/algorithm/interval.lua";
    private static final String LEASES = "lua/algorithm/concurrency.lua";
    private static final String GCRA_AFTERWARDS = "lua/settlement/gcra.lua";
    private static final String LIMITER = "limiter-redis/src/main/java/dev/limiter/redis/RedisRateLimiter.java";
    private static final String KEYS = "limiter-redis/src/main/java/dev/limiter/redis/RedisKeys.java";
    private static final String RATE = "limiter-api/src/main/java/dev/limiter/spi/Rate.java";

    private static final String CALLS = "limiter-redis/src/main/java/dev/limiter/redis/Calls.java";
    private static final String FALLBACK = "limiter-local/src/main/java/dev/limiter/local/FallbackRateLimiter.java";

    /** Those that only show when the store fails. */
    static final List<Mutant> OF_FAILURES = List.of(
            Mutant.of(
                    "a call is sent again after a time-out",
                    CALLS,
                    "                return once(command, target, began);",
                    "                try {\n"
                            + "                    return once(command, target, began);\n"
                            + "                } catch (CallFailedException failed) {\n"
                            + "                    return once(command, target, nanos.getAsLong());\n"
                            + "                }"),
            Mutant.of(
                    "the fallback is asked when the limit was reached",
                    FALLBACK,
                    "            decision = store.acquire(group);",
                    "            decision = store.acquire(group);\n"
                            + "            if (!decision.admitted()) {\n"
                            + "                return instead(group, reserved, null);\n"
                            + "            }"));

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "check and record in two calls",
                    LIMITER,
                    "        call.decide(group);\n        return answered(() -> {",
                    "        if (peek(group).stream().allMatch(Answer::admitted)) {\n"
                            + "            List<Answer> answers = new ArrayList<>();\n"
                            + "            for (Demand d : group.demands()) {\n"
                            + "                Charge c = charge(d.policy(), d.key(), d.cost());\n"
                            + "                answers.add(new Answer(d.policy(), true, c.remaining(), 0,\n"
                            + "                    c.nextAfterMicros(), c.resetAfterMicros()));\n"
                            + "            }\n"
                            + "            return new Decision.Admitted(answers, 0, null);\n"
                            + "        }\n"
                            + "        call.decide(group);\n        return answered(() -> {"),
            Mutant.of(
                    "member = timestamp: those who come at one instant count once",
                    LOG,
                    "  if cost == 1 then\n    length",
                    "  if cost == 1 and redis.call('LINDEX', key, -1) == string.format('%.0f', instant) then\n"
                            + "    length = redis.call('LLEN', key) + 1\n  elseif cost == 1 then\n    length"),
            Mutant.of(
                    "limit - count before the add, >= 0 means allowed",
                    LOG,
                    "local fits = used + cost <= limit",
                    "local fits = limit - used >= 0"),
            Mutant.of(
                    "client clock: every other caller is 2 s fast",
                    DRIVER,
                    "local reply = { now }",
                    "now = now + redis.call('TIME')[2] % 2 * 2000000\nlocal reply = { now }"),
            Mutant.of(
                    "nanoseconds given to EXPIRE",
                    GCRA,
                    "'PX', math.ceil(backlog / 1000) + 1000)",
                    "'PX', backlog * 1000 + 1000)"),
            Mutant.of(
                    "TTL, in seconds, instead of µs",
                    GCRA,
                    "backlog, part = instant - now, rest",
                    "backlog, part = redis.call('TTL', key) * 1000000, 0"),
            Mutant.of(
                    "t[1]..t[2] without zero padding",
                    DRIVER,
                    "local reply = { now }",
                    "now = tonumber(math.floor(now / 1000000) .. now % 1000000)\nlocal reply = { now }"),
            Mutant.of(
                    "== limit instead of >=",
                    WINDOW,
                    "local fits = used + cost <= limit",
                    "local fits = used ~= limit and (cost == 1 or used + cost <= limit)"),
            Mutant.of(
                    "INCR, then EXPIRE, which fails once",
                    WINDOW,
                    "redis.call('SET', key, struct.pack('>dI4', now + left, used), 'PX', math.ceil(left / 1000) + 1000)",
                    "redis.call('SET', key, struct.pack('>dI4', now + left, used))"),
            Mutant.of(
                    "a second key that is not in KEYS",
                    WINDOW,
                    "  local used, left = reply[r + 1] + tonumber(ARGV[a + 1]), reply[r + 2]\n",
                    "  local used, left = reply[r + 1] + tonumber(ARGV[a + 1]), reply[r + 2]\n"
                            + "  redis.call('SET', key .. ':began', now, 'PX', 60000)\n"),
            Mutant.of("record before the check", DRIVER, "  if admitted then", "  if not peek then"),
            Mutant.of(
                    "one window's state read with another window's length",
                    KEYS,
                    "algorithm + '\\0' + policy.windowMicros() + '\\0'",
                    "algorithm + '\\0' + '\\0'"),
            Mutant.of(
                    "clamp without the debt",
                    GCRA,
                    "  local fits = backlog < slack",
                    "  backlog = math.min(backlog, slack + tonumber(ARGV[a + 4]))\n  local fits = backlog < slack"),
            Mutant.of(
                            "all groups of a call evaluated before any is written",
                            GCRA,
                            "local function gcra_read(",
                            "local gcra_before = {}\nlocal function gcra_read(")
                    .and(
                            GCRA,
                            "  local state = redis.call('GET', key)\n  if state then",
                            "  local state = gcra_before[key] == nil and redis.call('GET', key) or gcra_before[key]\n"
                                    + "  gcra_before[key] = state\n  if state then"),
            Mutant.of(
                    "naive bucket refund",
                    GCRA_AFTERWARDS,
                    "  if ahead < given or ahead == given and reached_part < given_part then",
                    "  if false then"),
            Mutant.of("floor for retryAfter", RATE, "return part > 0 ? micros + 1 : micros;", "return micros;"),
            Mutant.of("< for <= at the window's edge", LOG, "  if instant > edge then", "  if instant >= edge then")
                    .and(LOG, "while instant <= edge and", "while instant < edge and")
                    .and(LOG, "    if found <= edge then", "    if found < edge then"),
            Mutant.of(
                    "integer T",
                    RATE,
                    "return new Span(units * (windowMicros / limit) + remainder / limit, remainder % limit);",
                    "return new Span(units * (windowMicros / limit), 0 * remainder);"),
            Mutant.of(
                    "refill clock moved on rejection",
                    INTERVAL,
                    "  reply[r] = fits and 1 or 0",
                    "  if not fits and used > 0 then\n    interval_write(key, now, now, now + whole, used)\n  end\n"
                            + "  reply[r] = fits and 1 or 0"),
            Mutant.of("no clamp after idle", GCRA, "    if instant >= now then", "    if state then")
                    .and(
                            GCRA,
                            "'PX', math.ceil(backlog / 1000) + 1000)",
                            "'PX', math.ceil(math.max(0, backlog) / 1000) + 1000)"),
            Mutant.of(
                    "tostring(now)",
                    LOG,
                    "    length = redis.call('RPUSH', key, instant)",
                    "    length = redis.call('RPUSH', key, tostring(instant))"),
            Mutant.of(
                    "TTL of half a window",
                    LOG,
                    "redis.call('PEXPIRE', key, math.ceil(lasts / 1000) + 1000)",
                    "redis.call('PEXPIRE', key, math.ceil(lasts / 2000))"),
            Mutant.of(
                            "a multi-limit written before all pass",
                            DRIVER,
                            "    fits, a, r = read(KEYS[i], now, a, reply, r, peek)\n    admitted",
                            "    local b, q = a, r\n    fits, a, r = read(KEYS[i], now, a, reply, r, peek)\n"
                                    + "    if fits and not peek then\n      charge(KEYS[i], now, b, reply, q)\n    end\n"
                                    + "    admitted")
                    .and(DRIVER, "      to_a, to_r = charge(KEYS[i], now, to_a, reply, to_r)\n", ""),
            Mutant.of(
                    "a peek that refreshes the TTL",
                    LOG,
                    "  local fits = used + cost <= limit",
                    "  if peek then\n    redis.call('PEXPIRE', key, 3600000)\n  end\n"
                            + "  local fits = used + cost <= limit"),
            Mutant.of(
                    "all but the last L removed",
                    LOG,
                    "  local expired = length - cost - used",
                    "  redis.call('LTRIM', key, -tonumber(ARGV[a + 2]), -1)\n  local expired = length - cost - used"),
            Mutant.of(
                    "an estimate rounded in the client's favour",
                    SLIDING_WINDOW,
                    "local load, space = previous * left, room * window",
                    "local load, space = math.floor(previous * left / window), room"),
            Mutant.of(
                    "a time to live by the limit at hand, and a decision by the time to live",
                    INTERVAL,
                    "used = full > now and math.max(0, used - refills * limit) or 0",
                    "used = math.max(0, used - refills * limit)"),
            Mutant.of(
                    "a refund that shortens the time to live",
                    "lua/settlement/windows.lua",
                    "struct.pack('>dI4', ends, math.max(0, used - cost)), 'KEEPTTL')",
                    "struct.pack('>dI4', ends, math.max(0, used - cost)), 'PX', 1000)"),
            Mutant.of(
                    "expired leases count",
                    LEASES,
                    "redis.call('ZCOUNT', key, string.format('(%.0f', now), '+inf')",
                    "redis.call('ZCARD', key)"),
            Mutant.of(
                    "a bucket without burst: < for <= at the brim",
                    GCRA,
                    "backlog == slack and part <= slack_part",
                    "backlog == slack and part < slack_part"));

    private Mutants() {}
}
