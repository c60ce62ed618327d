package dev.limiter.redis.internal.combine;

import dev.limiter.redis.internal.script.RedisCall;
import dev.limiter.redis.internal.topology.Timeouts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import redis.clients.jedis.Connection;

/**
 * Combines the pending calls to one server into shared round trips. A caller that finds the combiner free becomes the leader and
 * asks at once. The leader takes along the pending calls that wait at that moment, as many as fit, in the same round trip. The
 * other callers park until they have their outcome, or until the combiner is free and it is their turn. A caller alone pays only
 * for a few atomic steps. The combiner uses no thread but those of the callers.
 *
 * <p>No caller holds a lock while it waits. No caller tries to lead without a call to send. Each caller waits for at most its own
 * deadline. So the combiner works the same on virtual threads, and on any number of processors.
 */
public final class Combiner {
    /** Who share a round trip at most: while Redis decides, it does nothing else. */
    public static final int MOST_TOGETHER = 64;

    /** The most of {@link #mostBytes} of any combiner. */
    public static final int MOST_BYTES_TOGETHER = 1 << 20;

    private final NodeConnection roundTrips;
    private final Breaker breaker;
    private final NodeConnection.CallListener lessons;
    private final int mostBytes;
    private final Timeouts timeouts;
    private final LongSupplier nanos;
    private final ConcurrentLinkedQueue<PendingCall> waiting = new ConcurrentLinkedQueue<>();

    /** How many more round trips may be under way at once. */
    private final AtomicInteger free;

    /**
     * @param breaker of the server
     * @param lessons is told what each call tells of the server
     * @param atOnce round trips that may be under way at once; at least 1
     * @param mostBytes the {@linkplain RedisCall#bytes bytes} of all who share a round trip at most, unless one alone takes more: it has to be
     *     over in time
     * @param nanos a clock that does not step, in ns
     */
    public Combiner(
            NodeConnection roundTrips,
            Breaker breaker,
            NodeConnection.CallListener lessons,
            int atOnce,
            int mostBytes,
            Timeouts timeouts,
            LongSupplier nanos) {
        this.roundTrips = roundTrips;
        this.breaker = breaker;
        this.lessons = lessons;
        this.free = new AtomicInteger(atOnce);
        this.mostBytes = mostBytes;
        this.timeouts = timeouts;
        this.nanos = nanos;
    }

    /**
     * Returns when the pending call is over. An interrupted caller waits like others, for it is not long, and is interrupted again
     * afterwards: the socket of a virtual thread would be closed, and with it what others are waiting for.
     *
     * @throws CallFailedException if the pending call was given up, or the breaker is open
     */
    public void ask(PendingCall ticket) {
        String openedBy = breaker.openedBy();
        if (openedBy != null) {
            throw CallFailedException.breakerOpen(openedBy);
        }
        boolean interrupted = Thread.interrupted();
        try {
            if (begin()) {
                ticket.take(nanos.getAsLong());
                lead(ticket);
                return;
            }
            waiting.add(ticket);
            while (!ticket.isOver()) {
                wait(ticket);
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** One step of waiting: leads, sleeps, or gives up. */
    private void wait(PendingCall ticket) {
        boolean waits = ticket.isWaiting();
        if (waits && begin()) {
            if (ticket.take(nanos.getAsLong())) {
                lead(ticket);
            } else {
                end(); // another leader has just taken it along
            }
            return;
        }
        long left = left(ticket, waits ? timeouts.waitMillis() : timeouts.deadlineMillis());
        if (left > 0) {
            LockSupport.parkNanos(this, left);
        } else if (waits) {
            withdraw(ticket);
        } else {
            ticket.leave();
        }
    }

    /** Who has just been taken along has not waited in vain, and goes on waiting for the answer. */
    private void withdraw(PendingCall ticket) {
        waiting.remove(ticket);
        try {
            ticket.withdraw();
        } finally {
            passOn(); // it may have been woken to lead
        }
    }

    private long left(PendingCall ticket, int allowedMillis) {
        return ticket.beganNanos() + TimeUnit.MILLISECONDS.toNanos(allowedMillis) - nanos.getAsLong();
    }

    private boolean begin() {
        int now = free.get();
        while (now > 0) {
            if (free.compareAndSet(now, now - 1)) {
                return true;
            }
            now = free.get();
        }
        return false;
    }

    private void end() {
        free.incrementAndGet();
        passOn();
    }

    /** The combiner is free: the caller that has waited longest is to lead. */
    private void passOn() {
        PendingCall next = waiting.peek();
        while (next != null && !next.isWaiting()) {
            waiting.remove(next);
            next = waiting.peek();
        }
        if (next != null && free.get() > 0) {
            next.wake();
        }
    }

    private void lead(PendingCall own) {
        List<PendingCall> served = List.of(own);
        try {
            String openedBy = breaker.openedBy();
            if (openedBy != null) {
                served = board(own);
                CallFailedException notAsked = CallFailedException.breakerOpen(openedBy);
                served.forEach(each -> each.fail(notAsked));
                return;
            }
            Connection connection = roundTrips.open(own, lessons);
            if (connection != null) {
                boolean inTime = timeouts.leaveTimeForAnotherCall(nanos.getAsLong() - own.beganNanos());
                served = inTime ? board(own) : served; // a leader that is too late has no time to serve others
                roundTrips.serve(connection, served, lessons);
            }
        } finally {
            end();
            for (int i = 1; i < served.size(); i++) {
                served.get(i).wake();
            }
        }
    }

    /** The one who leads, and all who wait, as many as may come along. */
    private List<PendingCall> board(PendingCall own) {
        if (waiting.isEmpty()) {
            return List.of(own);
        }
        List<PendingCall> served =
                new ArrayList<>(MOST_TOGETHER); // allocated first: each call that the leader takes needs an outcome
        served.add(own);
        long now = nanos.getAsLong();
        int bytes = own.errand().bytes();
        while (served.size() < MOST_TOGETHER && hasRoom(bytes)) {
            PendingCall next = waiting.poll(); // another call than hasRoom saw, if two leaders board at once
            if (next != null && next.take(now)) {
                served.add(next);
                bytes += next.errand().bytes();
            }
        }
        passOn(); // more may wait than fit, and another connection be free
        return served;
    }

    /** Whether the first pending call that waits fits in beside so many bytes, or is given up. */
    private boolean hasRoom(int bytes) {
        PendingCall next = waiting.peek();
        return next != null && (bytes + next.errand().bytes() <= mostBytes || !next.isWaiting());
    }
}
