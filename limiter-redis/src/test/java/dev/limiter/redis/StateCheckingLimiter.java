package dev.limiter.redis;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.algorithm.Rate;
import dev.limiter.model.Caller;
import dev.limiter.model.Together;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.script.VirtualTime;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Layer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import redis.clients.jedis.UnifiedJedis;

/**
 * A limiter on Redis that checks the keys in Redis before and after each call. Times to live
 * also go by virtual time.
 */
public final class StateCheckingLimiter extends Layer implements Together {
    /** A second, up to the next whole one, and what is lost by rounding and on the way. */
    private static final long LONGEST_GRACE_MILLIS = 2_003;

    /**
     * Keeps keys without effect, in their second of grace or beyond, for a minute. They must not
     * go between two checks, and the model counts them again when the clock steps back.
     */
    private static final String AGE = """
            for _, key in ipairs(redis.call('KEYS', 'rl:*')) do
              local left = redis.call('PTTL', key) - ARGV[1]
              redis.call('PEXPIRE', key, left > 700 and left or 60000)
            end
            """;

    private final RedisKeys keys;
    private final UnifiedJedis jedis;
    private final VirtualTime time;

    /** The limits with which each key was named. */
    private final Map<String, Set<Long>> named = new HashMap<>();

    /** The longest that each key is needed after the end of its period, in µs. */
    private final Map<String, Long> remembered = new HashMap<>();

    private long latestMicros;
    private long seenMillis;
    private boolean steppedBack;

    public StateCheckingLimiter(RateLimiter limiter, RedisKeys keys, UnifiedJedis jedis, VirtualTime time) {
        super(limiter);
        this.keys = keys;
        this.jedis = jedis;
        this.time = time;
        this.latestMicros = time.micros();
        this.seenMillis = time.micros() / 1_000;
    }

    @Override
    public <A> A answer(Ask<A> ask) {
        if (ask instanceof Ask.Acquire acquire) {
            return ask.is(acquired(List.of(acquire.group())).all().get(0));
        }
        if (ask instanceof Ask.AcquireEach each) {
            return ask.is(acquired(each.groups()));
        }
        if (ask instanceof Ask.Charge charge) {
            return ask.is(charged(charge));
        }
        if (ask instanceof Ask.GiveBack back) {
            return ask.is(given(back));
        }
        if (ask instanceof Ask.Reset reset) {
            next.answer(ask);
            String key = redisKey(reset.check().policy(), reset.check().key());
            if (looked().expiries().containsKey(key)) {
                throw new AssertionError("a reset left " + key);
            }
            return null;
        }
        noteTheTime();
        Snapshot before = Snapshot.of(jedis);
        A answer = next.answer(ask);
        requireEqual(ask.toString(), before, looked());
        return answer;
    }

    private GroupDecisions acquired(List<CheckGroup> groups) {
        noteTheTime();
        groups.forEach(group -> group.checks().forEach(check -> name(check.policy(), check.key())));
        Snapshot before = Snapshot.of(jedis);
        List<Decision> decisions = next.acquireEach(groups);
        Snapshot after = looked();
        if (groups.size() == 1) {
            requireTimesToLive(groups.get(0), decisions.get(0), before, after);
        }
        if (!steppedBack && !varied(groups) && decisions.stream().noneMatch(Decision::admitted)) {
            requireEqual("a rejection", before, after);
        }
        return new GroupDecisions(decisions.stream().map(Optional::of).toList(), null);
    }

    @Override
    public List<List<?>> askTogether(List<Caller> callers) {
        noteTheTime();
        boolean varied = false;
        for (Caller caller : callers) {
            List<CheckGroup> groups =
                    caller instanceof Caller.Asks asks ? asks.groups() : List.of(((Caller.Peeks) caller).group());
            groups.forEach(group -> group.checks().forEach(check -> name(check.policy(), check.key())));
            varied |= varied(groups);
        }
        Snapshot before = Snapshot.of(jedis);
        List<List<?>> said = ((Together) next).askTogether(callers);
        Snapshot after = looked();
        boolean admitted = said.stream()
                .flatMap(List::stream)
                .anyMatch(each -> each instanceof Decision decision && decision.admitted());
        if (!steppedBack && !varied && !admitted) {
            requireEqual("rejections and peeks", before, after);
        }
        return said;
    }

    private ChargeResult charged(Ask.Charge ask) {
        Check check = ask.check();
        noteTheTime();
        name(check.policy(), check.key());
        Snapshot before = Snapshot.of(jedis);
        ChargeResult charge = next.answer(ask);
        Snapshot after = looked();
        if (charge.charged() > 0) {
            requireAlive(redisKey(check.policy(), check.key()), charge.resetAfterMicros(), before, after);
        }
        return charge;
    }

    private Ask.GiveBack.Given given(Ask.GiveBack ask) {
        noteTheTime();
        Snapshot before = Snapshot.of(jedis);
        boolean nothing = ask.receipt().unspent().isEmpty();
        Ask.GiveBack.Given given = next.answer(ask);
        Snapshot after = looked();
        if (nothing) {
            requireEqual("a refund of nothing", before, after);
        }
        List<Check> checks = ask.checks();
        List<CheckResult> left = checks.isEmpty() ? List.of() : next.peek(new CheckGroup(checks));
        for (int i = 0; i < checks.size() && !steppedBack; i++) {
            if (checks.get(i).policy().algorithm() != Algorithm.CONCURRENCY && !varied(checks.get(i))) {
                String key = redisKey(checks.get(i).policy(), checks.get(i).key());
                requireAlive(key, left.get(i).resetAfterMicros(), before, after);
            }
        }
        return given;
    }

    /** Notes a step back of the clock: after it a rejection may repair state. */
    private void noteTheTime() {
        steppedBack |= time.micros() < latestMicros;
        latestMicros = Math.max(latestMicros, time.micros());
        long passed = time.micros() / 1_000 - seenMillis;
        if (passed != 0) {
            jedis.eval(AGE, List.of(), List.of(Long.toString(passed)));
            seenMillis += passed;
        }
    }

    private Snapshot looked() {
        Snapshot after = Snapshot.of(jedis);
        after.expiries().forEach((key, expiry) -> {
            if (!named.containsKey(key)) {
                throw new AssertionError("a key that nobody named: " + key);
            }
            if (expiry <= 0) {
                throw new AssertionError("a key without a time to live: " + key);
            }
        });
        return after;
    }

    /**
     * Checks the times to live: until the state has no effect, and a second more, by the clock
     * before and after the call.
     */
    private void requireTimesToLive(CheckGroup group, Decision decision, Snapshot before, Snapshot after) {
        for (int i = 0; i < group.checks().size(); i++) {
            Check check = group.checks().get(i);
            CheckResult result = decision.results().get(i);
            String key = redisKey(check.policy(), check.key());
            // The length of a lease is known to itself only.
            boolean lease = check.policy().algorithm() == Algorithm.CONCURRENCY;
            boolean charged = decision.admitted() && result.admitted();
            // State that lies ahead after a step back of the clock lasts longer than written,
            // until it is charged again.
            boolean tooLong = varied(check) && result.resetAfterMicros() >= Rate.LONGEST_MICROS; // is not written
            if (!lease && !tooLong && (charged || !steppedBack)) {
                long needed = charged ? rememberedMicros(check.policy()) : 0;
                requireAlive(key, result.resetAfterMicros() + needed, before, after);
            } else if (lease && charged) {
                requireAlive(key, check.policy().windowMicros(), before, after);
            }
            if (charged
                    && !lease
                    && check.policy().algorithm() != Algorithm.GATE // an admission writes nothing
                    && !steppedBack
                    && after.expiries().get(key)
                            > after.atMillis()
                                    + (result.resetAfterMicros() + remembered.get(key)) / 1_000
                                    + LONGEST_GRACE_MILLIS) {
                throw new AssertionError("lives too long: " + check + " is over after " + result.resetAfterMicros()
                        + " µs, and expires at " + after.expiries().get(key) + " ms, read at " + after.atMillis()
                        + " ms");
            }
        }
    }

    /** How long the end of a period is needed that can be moved, or a count that is kept. */
    private static long rememberedMicros(Policy policy) {
        boolean movable = policy.period() != null && policy.period().isMovable();
        return (movable ? policy.period().shortestMicros() : 0) + (policy.keepsPrevious() ? policy.windowMicros() : 0);
    }

    private static void requireAlive(String key, long neededMicros, Snapshot before, Snapshot after) {
        Long expiry = after.expiries().get(key);
        if (neededMicros > 0 && (expiry == null || expiry < before.atMillis() + neededMicros / 1_000)) {
            throw new AssertionError("does not live long enough: " + key + " is needed for " + neededMicros
                    + " µs from " + before.atMillis() + " ms on, and expires at " + expiry + " ms");
        }
    }

    private static void requireEqual(String what, Snapshot before, Snapshot after) {
        if (!before.sameAs(after)) {
            throw new AssertionError(what + " has changed what is in Redis: before " + before + ", after " + after);
        }
    }

    private void name(Policy policy, PartitionKey key) {
        named.computeIfAbsent(redisKey(policy, key), first -> new HashSet<>()).add(policy.limit());
        remembered.merge(redisKey(policy, key), rememberedMicros(policy), Math::max);
    }

    private boolean varied(List<CheckGroup> groups) {
        return groups.stream().flatMap(group -> group.checks().stream()).anyMatch(this::varied);
    }

    /** Whether a rejection may write the state anew, since it was met with another limit. */
    private boolean varied(Check check) {
        Policy policy = check.policy();
        return policy.rules().keepsUnits()
                && named.get(redisKey(policy, check.key())).size() > 1;
    }

    private String redisKey(Policy policy, PartitionKey key) {
        return new String(keys.key(keys.prefix(policy), key), StandardCharsets.US_ASCII);
    }
}
