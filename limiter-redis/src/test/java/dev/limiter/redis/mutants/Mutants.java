package dev.limiter.redis.mutants;

import java.util.List;

/** Defects of articles and naive designs, and a few more likely ones. */
final class Mutants {
    private static final String DRIVER = "lua/driver.lua";
    private static final String BATCH = "lua/batch.lua";
    private static final String WINDOW = "lua/algorithm/fixed_window.lua";
    private static final String PERIOD = "limiter-api/src/main/java/dev/limiter/calendar/CalendarPeriod.java";
    private static final String TABLE =
            "limiter-redis/src/main/java/dev/limiter/redis/internal/script/PeriodTable.java";
    private static final String RULES = "limiter-api/src/main/java/dev/limiter/internal/algorithm/FixedWindow.java";
    private static final String COUNT = "limiter-api/src/main/java/dev/limiter/internal/algorithm/PeriodCount.java";
    private static final String SLIDING_WINDOW = "lua/algorithm/sliding_window.lua";
    private static final String LOG = "lua/algorithm/sliding_log.lua";
    private static final String GCRA = "lua/algorithm/gcra.lua";
    private static final String INTERVAL = "lua/algorithm/interval.lua";
    private static final String LEASES = "lua/algorithm/concurrency.lua";
    private static final String GATE = "lua/algorithm/gate.lua";
    private static final String LIMITER =
            "limiter-redis/src/main/java/dev/limiter/redis/internal/limiter/RedisRateLimiter.java";
    private static final String QUESTION =
            "limiter-redis/src/main/java/dev/limiter/redis/internal/script/DecisionCall.java";
    private static final String KEYS = "limiter-redis/src/main/java/dev/limiter/redis/internal/script/RedisKeys.java";
    private static final String SETTLEMENT = "limiter-api/src/main/java/dev/limiter/internal/store/Settlement.java";
    private static final String RECEIPT = "limiter-api/src/main/java/dev/limiter/internal/store/Receipt.java";
    private static final String RATE = "limiter-api/src/main/java/dev/limiter/internal/algorithm/Rate.java";

    private static final String CALLS =
            "limiter-redis/src/main/java/dev/limiter/redis/internal/limiter/ScriptExecutor.java";
    private static final String FALLBACK =
            "limiter-local/src/main/java/dev/limiter/local/internal/fallback/FallbackRateLimiter.java";

    /** Defects that only show when the store fails. */
    static final List<Mutant> OF_FAILURES = List.of(
            Mutant.of(
                    "a call is sent again after a time-out",
                    CALLS,
                    "                return nodes.send(call, destination, began);",
                    "                try {\n"
                            + "                    return nodes.send(call, destination, began);\n"
                            + "                } catch (CallFailedException failed) {\n"
                            + "                    return nodes.send(call, destination, nanos.getAsLong());\n"
                            + "                }"),
            Mutant.of(
                    "the fallback is asked when the limit was reached",
                    FALLBACK,
                    "                answer = reserved.rejects() ? null : next.answer(acquire);",
                    "                answer = reserved.rejects() ? null : next.answer(acquire);\n"
                            + "            if (answer != null && !answer.admitted()) {\n"
                            + "                return ask.is(reserved.decidedAlone());\n"
                            + "            }"));

    static final List<Mutant> ALL = List.of(
            Mutant.of(
                    "check and record in two calls",
                    LIMITER,
                    "        DecisionCall call = DecisionCall.decide(policies, group);\n",
                    "        if (peek(group).stream().allMatch(CheckResult::admitted)) {\n"
                            + "            List<CheckResult> answers = new ArrayList<>();\n"
                            + "            for (Check d : group.checks()) {\n"
                            + "                ChargeResult c = charge(d.policy(), d.key(), d.cost());\n"
                            + "                answers.add(new CheckResult(d.policy(), true, c.remaining(), 0,\n"
                            + "                    c.nextAfterMicros(), c.resetAfterMicros()));\n"
                            + "            }\n"
                            + "            return new Decision.Admitted(answers, 0, null);\n"
                            + "        }\n"
                            + "        DecisionCall call = DecisionCall.decide(policies, group);\n"),
            Mutant.of(
                    "member = timestamp: those who come at one instant count once",
                    LOG,
                    "  if cost == 1 then\n",
                    "  if cost == 1 and redis.call('LINDEX', key, '-1') == string.format('%.0f', instant) then\n"
                            + "    used = used + 1\n  elseif cost == 1 then\n"),
            Mutant.of(
                    "limit - count before the add, >= 0 means allowed",
                    LOG,
                    "local fits = used + cost <= limit",
                    "local fits = limit - used >= 0"),
            Mutant.of(
                    "client clock: every other caller is 2 s fast",
                    DRIVER,
                    "if #ARGV == 2 then -- one policy",
                    "now = now + redis.call('TIME')[2] % 2 * 2000000\nif #ARGV == 2 then -- one policy"),
            Mutant.of(
                    "nanoseconds given to EXPIRE",
                    GCRA,
                    "'PX', string.format('%d', (second + 1) * 1000 - math.floor(now / 1000)))",
                    "'PX', backlog * 1000 + 1000)"),
            Mutant.of(
                    "a time to live that is kept while the state lasts longer and longer",
                    GCRA,
                    "if known and math.ceil(known / 1000000) == second then",
                    "if known then"),
            Mutant.of(
                    "the time to live of a bucket kept when it is full later",
                    INTERVAL,
                    "if full == now + whole then",
                    "if used > charged * cost then"),
            Mutant.of(
                    "the time to live of the window before",
                    SLIDING_WINDOW,
                    "if current > 0 then",
                    "if current > 0 or previous > 0 then"),
            Mutant.of(
                    "TTL, in seconds, instead of µs",
                    GCRA,
                    "backlog, part = instant - now, rest",
                    "backlog, part = redis.call('TTL', key) * 1000000, 0"),
            Mutant.of(
                    "t[1]..t[2] without zero padding",
                    DRIVER,
                    "if #ARGV == 2 then -- one policy",
                    "now = tonumber(math.floor(now / 1000000) .. now % 1000000)\nif #ARGV == 2 then -- one policy"),
            Mutant.of(
                    "== limit instead of >=",
                    WINDOW,
                    "local fits = used + cost <= limit",
                    "local fits = used ~= limit and (cost == 1 or used + cost <= limit)"),
            Mutant.of(
                    "INCR, then EXPIRE, which fails once",
                    WINDOW,
                    "redis.call('SET', key, state, 'PX', string.format('%d', (ends + needed - now) / 1000 + 1001))",
                    "redis.call('SET', key, state)"),
            Mutant.of(
                    "a period that ends one µs too early",
                    WINDOW,
                    "present = struct.unpack('>d', ARGV[a + 1], at)",
                    "present = struct.unpack('>d', ARGV[a + 1], at) - 1"),
            Mutant.of(
                    "the end of the next period",
                    WINDOW,
                    "if at == 41 or present <= now or present < earliest then",
                    "if at < last then present = struct.unpack('>d', ARGV[a + 1], at) end\n"
                            + "      if at == 41 or present <= now or present < earliest then"),
            Mutant.of("a moved period that ends at the next boundary", WINDOW, "math.max(now, ends + least)", "now"),
            Mutant.of(
                    "a movable period that is forgotten when it ends",
                    WINDOW,
                    "(ends + needed - now) / 1000 + 1001",
                    "(ends - now) / 1000 + 1001"),
            Mutant.of(
                    "a period in the zone of the server",
                    PERIOD,
                    "unit.first(number, anchor).atStartOfDay(zone)",
                    "unit.first(number, anchor).atStartOfDay(ZoneOffset.UTC)"),
            Mutant.of(
                    "a month of 31 days",
                    TABLE,
                    "Packed.packed(boundaries)",
                    "Packed.packed(boundaries[0], boundaries[1], boundaries[1] + 2_678_400_000_000L, boundaries[3] + 2_678_400_000_000L)"),
            Mutant.of(
                    "a second key that is not in KEYS",
                    WINDOW,
                    "  if used > 0 and before ~= '' then -- the first",
                    "  redis.call('SET', key .. ':began', now, 'PX', 60000)\n"
                            + "  if used > 0 and before ~= '' then -- the first"),
            Mutant.of(
                    "record before the check",
                    DRIVER,
                    "  if fits then\n    charge(KEYS[1], now, 1, 1, cost, found1, found2, found3)\n",
                    "  if cost then\n    charge(KEYS[1], now, 1, 1, cost, found1, found2, found3)\n"),
            Mutant.of(
                    "one window's state read with another window's length",
                    KEYS,
                    "algorithm + '\\0' + policy.windowMicros() + '\\0'",
                    "algorithm + '\\0' + '\\0'"),
            Mutant.of(
                    "clamp without the debt",
                    GCRA,
                    "  local fits = backlog < tolerance",
                    "  backlog = math.min(backlog, tolerance + increment)\n  local fits = backlog < tolerance"),
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
                    "units of another limit, the wrong way round",
                    GCRA,
                    "      local left, high = backlog % limit,",
                    "      local limit, own = own, limit\n      local left, high = backlog % limit,"),
            Mutant.of(
                    "a rejection leaves the state to the limit before",
                    GCRA,
                    "    if not known and not peek and backlog < 2 ^ 52 then",
                    "    if not known and not varied and not peek then"),
            Mutant.of(
                    "a refund that takes no account of a raise since",
                    GCRA,
                    "    ahead = ahead - (math.ceil",
                    "    ahead = ahead - 0 * (math.ceil"),
            Mutant.of(
                    "naive bucket refund",
                    GCRA,
                    "  if ahead < given or ahead == given and reached_part < given_part then",
                    "  if false then"),
            Mutant.of("floor for retryAfter", RATE, "return part > 0 ? micros + 1 : micros;", "return micros;"),
            Mutant.of("< for <= at the window's edge", LOG, "    if instant > edge then", "    if instant >= edge then")
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
                    "  local fits = used + need <= burst",
                    "  local fits = used + need <= burst\n"
                            + "  if not fits and used > 0 then\n    interval_write(key, now, now, now + whole, used)\n  end"),
            Mutant.of("no clamp after idle", GCRA, "    if instant >= now then", "    if state then")
                    .and(
                            GCRA,
                            "(second + 1) * 1000 - math.floor(now / 1000)",
                            "math.max(0, (second + 1) * 1000 - math.floor(now / 1000)) + 1"),
            Mutant.of(
                    "tostring(now)",
                    LOG,
                    "    redis.call('RPUSH', key, instant)",
                    "    redis.call('RPUSH', key, tostring(instant))"),
            Mutant.of(
                    "TTL of half a window",
                    LOG,
                    "redis.call('PEXPIRE', key, string.format('%d', lasts / 1000 + 1001))",
                    "redis.call('PEXPIRE', key, math.ceil(lasts / 2000))"),
            Mutant.of(
                            "a multi-limit written before all pass",
                            DRIVER,
                            "  admitted = admitted and (fits or i > deciding)\n",
                            "  admitted = admitted and (fits or i > deciding)\n"
                                    + "  if fits then\n    charge(KEYS[i], now, a, 1, cost, found1, found2, found3)\n  end\n")
                    .and(
                            DRIVER,
                            "  if admitted and fits then\n    charge(KEYS[i], now, a, 1, cost, found1, found2, found3)\n  end\n",
                            ""),
            Mutant.of(
                    "a peek that refreshes the TTL",
                    LOG,
                    "  local fits = used + cost <= limit",
                    "  if peek then\n    redis.call('PEXPIRE', key, 3600000)\n  end\n"
                            + "  local fits = used + cost <= limit"),
            Mutant.of(
                    "all but the last L removed",
                    LOG,
                    "  if expired > 1 then -- two at least",
                    "  redis.call('LTRIM', key, -limit, -1)\n  if false then -- two at least"),
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
                    WINDOW,
                    "left .. string.sub(state, at + 12), 'KEEPTTL')",
                    "left .. string.sub(state, at + 12), 'PX', 1000)"),
            Mutant.of(
                    "expired leases count",
                    LEASES,
                    "redis.call('ZCOUNT', key, string.format('(%.0f', now), '+inf')",
                    "redis.call('ZCARD', key)"),
            Mutant.of(
                    "a bucket without burst: < for <= at the brim",
                    GCRA,
                    "backlog < tolerance or backlog == tolerance and (part",
                    "backlog < tolerance or tolerance > 0 and backlog == tolerance and (part"));

    /** Defects of estimates that are settled. */
    static final List<Mutant> OF_SETTLEMENTS = List.of(
            Mutant.of(
                    "settle twice: a second settlement charges again",
                    SETTLEMENT,
                    "            if (beyond != null) {",
                    "            if (check != null) {"),
            Mutant.of(
                    "settle twice: a second settlement gives back again",
                    RECEIPT,
                    ".equals(policy) && item.spent.compareAndSet(false, true)) {",
                    ".equals(policy) && (item.spent.compareAndSet(false, true) || true)) {"),
            Mutant.of(
                    "estimate returned twice: a refund after the settlement gives it back again",
                    RECEIPT,
                    ".equals(policy) && item.spent.compareAndSet(false, true)) {",
                    ".equals(policy) && !item.spent.get()) {"),
            Mutant.of(
                    "estimate returned twice: the whole of it, not what was not used",
                    RECEIPT,
                    "                    unused.add(item.beyond(used));",
                    "                    unused.add(item.beyond(0));"),
            Mutant.of(
                            "settle after the window: a counter gives back in the next window",
                            WINDOW,
                            "      if ends == counted and used > 0 then\n",
                            "      if used > 0 then\n")
                    .and(
                            WINDOW,
                            "  if state and struct.unpack('>d', ARGV[a + 1], #ARGV[a + 1] - 7) > now",
                            "  if state"),
            Mutant.of(
                    "settle after the window: two counters give back in the next window",
                    SLIDING_WINDOW,
                    "    if ends == counted and current > 0 then\n",
                    "    if current > 0 then\n"),
            Mutant.of(
                    "settle after the window: tokens that a refill brought come back again",
                    INTERVAL,
                    "  if last ~= phase or last > now or now - last >= window then\n",
                    "  if last == phase and now - last >= window then\n"
                            + "    redis.call('DEL', key)\n"
                            + "    return true\n"
                            + "  end\n"
                            + "  if last ~= phase or last > now then\n"),
            Mutant.of(
                    "settle after the leak: a bucket gives back what has leaked",
                    RECEIPT,
                    "            StateSnapshot then = snapshot == null ? null : snapshot.after(part, 1);",
                    "            StateSnapshot then = snapshot == null ? null : snapshot.after(check, 1);"));

    /** Defects of the period that ended. */
    static final List<Mutant> OF_KEPT_PERIODS = List.of(
            Mutant.of(
                    "the count of the period that ended is lost",
                    WINDOW,
                    "string.sub(state, 1, 12) or",
                    "string.rep('\\0', 12) or"),
            Mutant.of(
                    "an older period in the place of the one before",
                    WINDOW,
                    "state and began < ends + math.max(least, 1) and",
                    "state and"),
            Mutant.of(
                    "a period that was moved is not the one before",
                    WINDOW,
                    "began < ends + math.max(least, 1)",
                    "began < ends + 1"),
            Mutant.of(
                    "a period that has just ended is still the present one",
                    COUNT,
                    "boolean isOver = last.endsMicros <= nowMicros;",
                    "boolean isOver = last.endsMicros < nowMicros;"),
            Mutant.of(
                    "the one before, though another one has just ended",
                    COUNT,
                    "period.endMicros(endsMicros, endsMicros) > nowMicros",
                    "period.endMicros(endsMicros, endsMicros) >= nowMicros"),
            Mutant.of(
                    "a kept count that is gone before the next period has ended",
                    WINDOW,
                    "needed = -struct.unpack('>d', ARGV[a + 1], 25)",
                    "needed = 0"),
            Mutant.of(
                    "the time to live of a state that kept nothing",
                    WINDOW,
                    "if used > 0 and before ~= '' then",
                    "if used > 0 then"),
            Mutant.of("a refund that forgets the period before", WINDOW, "left .. string.sub(state, at + 12)", "left"),
            Mutant.of(
                    "a period that ended gives nothing back",
                    RULES,
                    "Packed.packed(check.cost(), ends, ends + keptMicros())",
                    "Packed.packed(check.cost(), ends, ends)"));

    /** Defects of gates. */
    static final List<Mutant> OF_GATES = List.of(
            Mutant.of("a later, shorter closing opens the gate", GATE, "if span > closed then", "if true then"),
            Mutant.of(
                    "closings add up",
                    GATE,
                    "    gate_close(key, now, span)",
                    "    gate_close(key, now, closed + span)"),
            Mutant.of("a gate that never closes", GATE, "local fits = closed == 0", "local fits = true"),
            Mutant.of(
                    "a gate stays closed until a clock that has stepped back is there again",
                    GATE,
                    "      closed = window\n",
                    ""));

    static final List<Mutant> OF_SHARED_CALLS = List.of(
            Mutant.of(
                    "all who ask the same pass if the first does",
                    WINDOW,
                    "charged = math.min(times, math.floor((limit - used) / cost))",
                    "charged = times"),
            Mutant.of("one who asks the same pays for all", LOG, "  cost = charged * cost\n", ""),
            Mutant.of(
                    "one too many of a bucket",
                    GCRA,
                    "while charged < times and fits_after(charged) do",
                    "while charged < times and fits_after(charged - 1) do"),
            Mutant.of(
                    "all who ask the same are told what the first is told",
                    QUESTION,
                    "return read.after(check(), reply.place());",
                    "return read;"),
            Mutant.of(
                    "who is rejected is told what the first was told",
                    QUESTION,
                    "return admitted == 0 ? read : only.rules().read(reply);",
                    "return read;"),
            Mutant.of(
                    "who asks for another cost asks for the same",
                    QUESTION,
                    "                && mine.cost() == its.cost()\n",
                    ""),
            Mutant.of(
                    "who waits for longer asks for the same",
                    QUESTION,
                    "                && mine.maxWaitMicros() == its.maxWaitMicros()\n",
                    ""),
            Mutant.of(
                    "one of those who ask the same pays and is rejected",
                    BATCH,
                    "  reports = reports .. struct.pack('>d', charged)",
                    "  charged = math.max(0, charged - 1)\n  reports = reports .. struct.pack('>d', charged)"));

    private Mutants() {}
}
