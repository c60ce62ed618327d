package dev.limiter.redis.internal.combine;

import dev.limiter.redis.internal.script.RedisCall;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.StoreError;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A Redis call of one caller to one server, and its outcome. The leader that takes it sends it
 * once or never. It has a single outcome. Its caller may go away before.
 */
public final class PendingCall implements Watchdog.Sleeper {
    private static final AtomicIntegerFieldUpdater<PendingCall> STATE =
            AtomicIntegerFieldUpdater.newUpdater(PendingCall.class, "state");

    private static final int WAITING = 0;
    private static final int CLAIMED = 1;
    private static final int DONE = 2;

    private final RedisCall call;
    private final Destination destination;
    private final long beganNanos;
    private final Thread caller = Thread.currentThread();
    private volatile int state = WAITING;
    private long claimedNanos;

    /** The reply, or a {@link JedisException}. */
    private Object outcome;

    /**
     * @param beganNanos when the caller's call began, whose deadline it is
     */
    public PendingCall(RedisCall call, Destination destination, long beganNanos) {
        this.call = call;
        this.destination = destination;
        this.beganNanos = beganNanos;
    }

    RedisCall call() {
        return call;
    }

    Destination destination() {
        return destination;
    }

    public long beganNanos() {
        return beganNanos;
    }

    boolean isWaiting() {
        return state == WAITING;
    }

    boolean isDone() {
        return state == DONE;
    }

    /**
     * Claims the call for a leader, which then gives it its outcome.
     *
     * @return whether it was still waiting
     */
    public boolean claim(long nowNanos) {
        boolean claimed = STATE.compareAndSet(this, WAITING, CLAIMED);
        if (claimed) {
            claimedNanos = nowNanos;
        }
        return claimed;
    }

    /** For the leader that claimed it: Redis has replied. An earlier outcome stays. */
    void answer(Object answer) {
        if (state == CLAIMED) {
            outcome = answer;
            STATE.compareAndSet(this, CLAIMED, DONE);
        }
    }

    /**
     * For the leader that claimed it: Redis has refused, or not replied. An earlier outcome
     * stays.
     */
    void fail(JedisException why) {
        if (state == CLAIMED) {
            outcome = why;
            STATE.compareAndSet(this, CLAIMED, DONE);
        }
    }

    /**
     * For its caller, which waits no longer for a leader. A call that a leader has claimed stays
     * as it is.
     *
     * @throws CallFailedException if it was still waiting
     */
    void withdraw() {
        if (STATE.compareAndSet(this, WAITING, DONE)) {
            throw new CallFailedException("all connections are in use", StoreError.POOL_EXHAUSTED, false, null);
        }
    }

    /**
     * For its caller, which waits no longer for the reply. An earlier outcome stays.
     *
     * @throws CallFailedException if there is no outcome
     */
    void leave() {
        if (STATE.compareAndSet(this, CLAIMED, DONE)) {
            throw new CallFailedException("no answer came in time", StoreError.TIMED_OUT, true, null);
        }
    }

    /**
     * Until the caller gives up: an unclaimed call soon enough for the time that a reply needs, any
     * other at the deadline. A caller whose leader did not wake it finds its outcome then.
     */
    @Override
    public long leftNanos(Timeouts timeouts, long nowNanos) {
        int allowedMillis = isWaiting() ? timeouts.waitMillis() : timeouts.deadlineMillis();
        return beganNanos + TimeUnit.MILLISECONDS.toNanos(allowedMillis) - nowNanos;
    }

    @Override
    public void wake() {
        LockSupport.unpark(caller);
    }

    /** How long it waited until a leader claimed it, in ns. */
    public long waitedNanos(long sinceNanos) {
        return claimedNanos - sinceNanos;
    }

    /**
     * The reply, when the call is done.
     *
     * @throws JedisException the refusal or the failure
     */
    public Object outcome() {
        if (outcome instanceof JedisException failure) {
            throw failure;
        }
        return outcome;
    }
}
