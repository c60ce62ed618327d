package dev.limiter.redis.internal.combine;

import dev.limiter.redis.internal.script.RedisCall;
import dev.limiter.spi.StoreError;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A Redis call of one caller to one server, and its outcome. The leader that takes it sends it once or never. It has a single
 * outcome. Its caller may go away before.
 */
public final class PendingCall {
    private static final AtomicIntegerFieldUpdater<PendingCall> STATE =
            AtomicIntegerFieldUpdater.newUpdater(PendingCall.class, "state");

    private static final int WAITING = 0;
    private static final int TAKEN = 1;
    private static final int OVER = 2;

    private final RedisCall errand;
    private final Destination target;
    private final boolean bringsText;
    private final long beganNanos;
    private final Thread caller = Thread.currentThread();
    private volatile int state = WAITING;
    private long takenNanos;
    private Object reply;
    private JedisException failure;

    /**
     * A call that names its script by the hash.
     *
     * @param beganNanos when the caller's call began, whose deadline it is
     */
    public PendingCall(RedisCall errand, Destination target, long beganNanos) {
        this(errand, target, false, beganNanos);
    }

    /**
     * @param bringsText whether to send the text of the script, since Redis does not know it
     * @param beganNanos when the caller's call began, whose deadline it is
     */
    public PendingCall(RedisCall errand, Destination target, boolean bringsText, long beganNanos) {
        this.errand = errand;
        this.target = target;
        this.bringsText = bringsText;
        this.beganNanos = beganNanos;
    }

    RedisCall errand() {
        return errand;
    }

    Destination target() {
        return target;
    }

    boolean bringsText() {
        return bringsText;
    }

    public long beganNanos() {
        return beganNanos;
    }

    boolean isWaiting() {
        return state == WAITING;
    }

    boolean isOver() {
        return state == OVER;
    }

    /**
     * The leader that takes it ends it.
     *
     * @return whether it was still waiting
     */
    public boolean take(long nowNanos) {
        boolean taken = STATE.compareAndSet(this, WAITING, TAKEN);
        if (taken) {
            takenNanos = nowNanos;
        }
        return taken;
    }

    /** For who took it: Redis has answered. What is over stays as it is. */
    void answer(Object answer) {
        if (state == TAKEN) {
            reply = answer;
            STATE.compareAndSet(this, TAKEN, OVER);
        }
    }

    /** For who took it: Redis has refused, or not answered. What is over stays as it is. */
    void fail(JedisException why) {
        if (state == TAKEN) {
            failure = why;
            STATE.compareAndSet(this, TAKEN, OVER);
        }
    }

    /**
     * For its caller, which waits no longer for a leader to send it. If a leader has taken it, it stays as it is.
     *
     * @throws CallFailedException if it was still waiting
     */
    void withdraw() {
        if (STATE.compareAndSet(this, WAITING, OVER)) {
            throw new CallFailedException("all connections are in use", StoreError.POOL_EXHAUSTED, false, null);
        }
    }

    /**
     * For its caller, who waits no longer for the answer; if it is over, it stays as it is.
     *
     * @throws CallFailedException if there is no outcome so far
     */
    void leave() {
        if (STATE.compareAndSet(this, TAKEN, OVER)) {
            throw new CallFailedException("no answer came in time", StoreError.TIMED_OUT, true, null);
        }
    }

    void wake() {
        LockSupport.unpark(caller);
    }

    /** How long it waited until a leader took it to send it, in ns. */
    public long waitedNanos(long sinceNanos) {
        return takenNanos - sinceNanos;
    }

    /**
     * The answer, when it is over.
     *
     * @throws JedisException the refusal or the failure
     */
    public Object outcome() {
        if (failure != null) {
            throw failure;
        }
        return reply;
    }
}
