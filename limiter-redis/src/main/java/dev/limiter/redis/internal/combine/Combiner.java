package dev.limiter.redis.internal.combine;

import dev.limiter.redis.internal.script.RedisCall;
import dev.limiter.redis.internal.topology.Timeouts;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import redis.clients.jedis.Connection;

/**
 * Combines the pending calls to one server into shared round trips. A caller that finds a free
 * permit becomes the leader and asks at once. The leader takes along the pending calls that wait
 * at that moment, as many as fit, in the same round trip. The other callers park until they have
 * their outcome, or until a permit is free and it is their turn. A caller alone pays only for a
 * few atomic steps. No other thread takes part, but for the watchdog, which wakes callers that are
 * late.
 *
 * <p>No caller holds a lock while it waits. No caller tries to lead without a call to send. Each
 * caller waits for at most its own deadline. So the combiner works the same on virtual threads,
 * and on any number of processors.
 */
public final class Combiner {
    /** The most calls of a round trip: while Redis decides, it does nothing else. */
    public static final int MOST_TOGETHER = 64;

    /** The most of {@link #mostBytes} of any combiner. */
    public static final int MOST_BYTES_TOGETHER = 1 << 20;

    private final NodeConnection nodeConnection;
    private final Breaker breaker;
    private final NodeConnection.CallListener listener;
    private final int mostBytes;
    private final Timeouts timeouts;
    private final LongSupplier nanos;
    private final ConcurrentLinkedQueue<PendingCall> waiting = new ConcurrentLinkedQueue<>();

    /** How many further round trips may begin now. */
    private final Semaphore permits;

    /** Each is used by the leader that takes it. */
    private final ArrayBlockingQueue<RoundTrip> spare;

    /**
     * @param breaker of the server
     * @param listener is told the outcome of each command
     * @param atOnce round trips that may be under way at once; at least 1
     * @param mostBytes the most {@linkplain RedisCall#bytes bytes} of the calls that share a
     *     round trip, so that it is over in time; a call alone may have more
     * @param nanos a clock that does not step, in ns
     */
    public Combiner(
            NodeConnection nodeConnection,
            Breaker breaker,
            NodeConnection.CallListener listener,
            int atOnce,
            int mostBytes,
            Timeouts timeouts,
            LongSupplier nanos) {
        this.nodeConnection = nodeConnection;
        this.breaker = breaker;
        this.listener = listener;
        this.permits = new Semaphore(atOnce);
        this.spare = new ArrayBlockingQueue<>(Math.max(1, atOnce));
        this.mostBytes = mostBytes;
        this.timeouts = timeouts;
        this.nanos = nanos;
    }

    /**
     * Returns when the pending call is done. An interrupted caller waits like others, because
     * the wait is short, and is interrupted again afterwards. Otherwise the socket of a virtual
     * thread would be closed, and with it the round trip of other callers.
     *
     * @throws CallFailedException if the pending call was given up, or the breaker is open
     */
    public void submit(PendingCall pending) {
        String openedBy = breaker.openedBy();
        if (openedBy != null) {
            throw CallFailedException.breakerOpen(openedBy);
        }
        boolean interrupted = Thread.interrupted();
        try {
            if (permits.tryAcquire()) {
                pending.claim(nanos.getAsLong());
                lead(pending);
                return;
            }
            try {
                boolean isWatched = nodeConnection.watchdog().wakesWhenLate(pending);
                waiting.add(pending);
                for (boolean mayBeLate = !isWatched; !pending.isDone(); mayBeLate = true) {
                    wait(pending, isWatched, mayBeLate);
                    interrupted |= Thread.interrupted();
                }
            } finally {
                nodeConnection.watchdog().forget(pending);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * A single step of waiting: leads, sleeps, or gives up.
     *
     * @param mayBeLate whether to look at the clock: not before it parks for the first time, if the
     *     watchdog wakes it
     */
    private void wait(PendingCall pending, boolean isWatched, boolean mayBeLate) {
        boolean waits = pending.isWaiting();
        if (waits && permits.tryAcquire()) {
            if (pending.claim(nanos.getAsLong())) {
                lead(pending);
            } else {
                releasePermit(); // another leader has just claimed it
            }
            return;
        }
        long left = mayBeLate ? pending.leftNanos(timeouts, nanos.getAsLong()) : 1;
        if (left > 0 && isWatched) {
            LockSupport.park(this);
        } else if (left > 0) {
            LockSupport.parkNanos(this, left);
        } else if (waits) {
            withdraw(pending);
        } else {
            pending.leave();
        }
    }

    /**
     * Withdraws a call that no leader has claimed. A claimed call goes on waiting for its reply.
     */
    private void withdraw(PendingCall pending) {
        waiting.remove(pending);
        try {
            pending.withdraw();
        } finally {
            wakeNext(); // it may have been woken to lead
        }
    }

    private void releasePermit() {
        permits.release();
        wakeNext();
    }

    /** Wakes the caller that has waited longest, to lead with the free permit. */
    private void wakeNext() {
        PendingCall next = waiting.peek();
        while (next != null && !next.isWaiting()) {
            waiting.remove(next);
            next = waiting.peek();
        }
        if (next != null && permits.availablePermits() > 0) {
            next.wake();
        }
    }

    private void lead(PendingCall own) {
        RoundTrip trip = null;
        try {
            RoundTrip known = spare.poll();
            trip = (known == null ? new RoundTrip() : known).add(own);
            String openedBy = breaker.openedBy();
            if (openedBy != null) {
                claimWaiting(trip);
                CallFailedException notAsked = CallFailedException.breakerOpen(openedBy);
                trip.calls().forEach(each -> each.fail(notAsked));
                return;
            }
            Connection connection = nodeConnection.open(own, listener);
            if (connection != null) {
                claimInTime(trip, connection);
                nodeConnection.exchange(connection, trip, listener);
            }
        } finally {
            releasePermit();
            if (trip != null) {
                for (int i = 1; i < trip.calls().size(); i++) {
                    trip.calls().get(i).wake();
                }
                if (trip.clear()) {
                    spare.offer(trip);
                }
            }
        }
    }

    /** A leader that is too late has no time to serve others. */
    private void claimInTime(RoundTrip trip, Connection connection) {
        try {
            if (timeouts.leaveTimeForAnotherCall(
                    nanos.getAsLong() - trip.calls().get(0).beganNanos())) {
                claimWaiting(trip);
            }
        } catch (OutOfMemoryError full) {
            NodeConnection.release(connection, true);
            throw full;
        }
    }

    /** Adds the calls that wait to that of the leader, as many as fit. */
    private void claimWaiting(RoundTrip trip) {
        if (waiting.isEmpty()) {
            return;
        }
        long now = nanos.getAsLong();
        int bytes = trip.calls().get(0).call().bytes();
        while (trip.calls().size() < MOST_TOGETHER && hasRoom(bytes)) {
            PendingCall next = waiting.poll(); // another call than hasRoom saw, if two leaders claim at once
            if (next != null && next.claim(now)) {
                trip.add(next);
                bytes += next.call().bytes();
            }
        }
        wakeNext(); // more calls may wait than fit, and another permit may be free
    }

    /** Whether the first waiting call fits beside this number of bytes, or is given up. */
    private boolean hasRoom(int bytes) {
        PendingCall next = waiting.peek();
        return next != null && (bytes + next.call().bytes() <= mostBytes || !next.isWaiting());
    }
}
