package dev.limiter.redis.internal.script;

import dev.limiter.RateLimiter;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.model.History;
import dev.limiter.model.HistoryRun;
import dev.limiter.redis.StateCheckingLimiter;
import java.util.HashMap;
import java.util.Map;
import redis.clients.jedis.UnifiedJedis;

/** Trials of the shipped scripts and of the limiter in memory against the model. */
public final class Proof {

    /** Keys live at least a second of real time longer than they are needed in virtual time. */
    private static final long SURELY_NOTHING_EXPIRED_NANOS = 900_000_000L;

    private static final int TRIES = 10;

    private final UnifiedJedis jedis;
    private final Map<String, Long> steps = new HashMap<>();

    /**
     * @param jedis a Redis for this alone: it is emptied for each history
     */
    public Proof(UnifiedJedis jedis) {
        this.jedis = jedis;
    }

    /** The answers of both have to be those of the model. */
    public void of(History history) {
        liveThrough(history, false);
    }

    /**
     * The answers, and what is left in Redis: only keys that were named, each to expire in time,
     * and nothing of a rejection.
     */
    public void watched(History history) {
        liveThrough(history, true);
    }

    /**
     * @throws AssertionError at the first difference. While virtual time stands, keys expire in
     *     real time: a difference that a machine needed a second to reach is tried again
     */
    private void liveThrough(History history, boolean watched) {
        for (int tries = 1; ; tries++) {
            long began = System.nanoTime();
            jedis.flushAll();
            VirtualTime time = new VirtualTime(jedis);
            RateLimiter shared = time.limiter("proof");
            Map<String, RateLimiter> subjects = Map.of(
                    "redis",
                    watched ? new StateCheckingLimiter(shared, new RedisKeys("proof", ""), jedis, time) : shared,
                    "memory",
                    new LocalRateLimiter(time));
            HistoryRun trial = new HistoryRun(time::move, subjects);
            try {
                trial.liveThrough(history);
                steps.merge(history.name(), (long) trial.steps(), Long::sum);
                return;
            } catch (AssertionError difference) {
                if (System.nanoTime() - began < SURELY_NOTHING_EXPIRED_NANOS || tries == TRIES) {
                    throw difference;
                }
            }
        }
    }

    /** Prints how many steps of histories with this name both lived through. */
    public void print(String name) {
        System.out.printf(
                "%n%s: %,d steps on Redis and in memory, 0 differences from the model in all answers%n",
                name, steps.getOrDefault(name, 0L));
    }
}
