package dev.limiter.redis.internal.combine;

import dev.limiter.redis.internal.topology.ServerTopology;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watch;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.StoreError;
import java.util.List;
import java.util.function.LongSupplier;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Sends batches on a connection to a server and reads the replies. It knows which pending calls
 * were sent.
 *
 * @param watchdog cuts connections off, and wakes parked callers, when they are late
 * @param nanos a clock that does not step, in ns
 */
public record NodeConnection(ServerTopology servers, Watchdog watchdog, Timeouts timeouts, LongSupplier nanos)
        implements AutoCloseable {
    private static final CallFailedException LOST =
            new CallFailedException("the connection was lost", StoreError.BROKEN, true, null);

    /**
     * Is told the outcome of each batch, once for all calls of the batch. It is told once of
     * batches that were lost together.
     */
    public interface CallListener {

        /**
         * @param failed the refusal, or why there is no reply; null if the server has replied
         */
        void learn(Destination destination, JedisException failed);
    }

    /**
     * A connection to the destination of the leader; null if there is none, and then the pending
     * call has failed.
     */
    public Connection open(PendingCall leader, CallListener listener) {
        Destination destination = leader.destination();
        try {
            return destination.redirected()
                    ? servers.connection(destination.server())
                    : servers.connection(destination.slot());
        } catch (RuntimeException failed) {
            if (failed.getCause() instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            CallFailedException notSent =
                    new CallFailedException(failed.getMessage(), RedisErrors.ofConnecting(failed), false, failed);
            listener.learn(destination, notSent);
            leader.fail(notSent);
            return null;
        }
    }

    /**
     * Sends all pending calls, ends them, and gives the connection back. At the deadline of the
     * first pending call, whose thread this is, the watchdog closes the connection. The other
     * callers stop waiting at their own deadlines.
     */
    public void exchange(Connection connection, RoundTrip trip, CallListener listener) {
        boolean isFitForTheNext = false;
        Watch watch = null;
        try {
            watch = watchdog.take(connection);
            batchInTime(trip);
            isFitForTheNext = writeAndRead(connection, trip, listener, watch);
        } finally {
            isFitForTheNext &= watch != null && watch.end();
            // Also after an Error, when there may be no memory: each waiting caller needs an
            // outcome. The next caller must not read half a reply.
            for (int i = 0; i < trip.calls().size() && !isFitForTheNext; i++) {
                trip.calls().get(i).fail(LOST);
            }
            release(connection, isFitForTheNext);
        }
    }

    /** Batches the calls that still have time for a reply. The others are not sent. */
    private void batchInTime(RoundTrip trip) {
        long now = nanos.getAsLong();
        for (int i = 0; i < trip.calls().size(); i++) {
            PendingCall each = trip.calls().get(i);
            if (timeouts.leaveTimeForAnotherCall(now - each.beganNanos())) {
                trip.batch(each);
            } else {
                each.fail(new CallFailedException(
                        "a connection came too late to be used", StoreError.POOL_EXHAUSTED, false, null));
            }
        }
    }

    /**
     * Writes all batches, then reads their replies; returns whether the connection can be used
     * again.
     */
    private boolean writeAndRead(Connection connection, RoundTrip trip, CallListener listener, Watch watch) {
        List<Batch> batches = trip.batches();
        int read = 0;
        boolean isFitForTheNext = true;
        try {
            send(trip, connection, watch);
            for (; read < batches.size(); read++) {
                Batch batch = batches.get(read);
                JedisDataException refusal = read(batch, connection);
                listener.learn(batch.destination(), refusal);
                isFitForTheNext &= refusal == null || !RedisErrors.isOfConnection(RedisErrors.of(refusal));
            }
            return isFitForTheNext;
        } catch (RuntimeException failed) {
            CallFailedException lost = watch.isCut()
                    ? new CallFailedException(
                            "the call was not over within " + timeouts.deadlineMillis() + " ms",
                            StoreError.TIMED_OUT,
                            true,
                            failed)
                    : new CallFailedException(failed.getMessage(), RedisErrors.ofWaiting(failed), true, failed);
            listener.learn(batches.get(0).destination(), lost);
            for (Batch batch : batches.subList(read, batches.size())) {
                batch.fail(lost);
            }
            return false;
        }
    }

    /** The time of the server begins when the first command is made. */
    private void send(RoundTrip trip, Connection connection, Watch watch) {
        for (int i = 0; i < trip.batches().size(); i++) {
            Batch batch = trip.batches().get(i);
            CommandArguments next = batch.command(trip.command());
            if (i == 0) {
                watchdog.begin(watch, batch.first().leftNanos(timeouts, nanos.getAsLong()));
            }
            if (batch.destination().asking()) {
                connection.sendCommand(Protocol.Command.ASKING);
            }
            connection.sendCommand(next);
        }
    }

    /**
     * Reads the reply to a batch; returns what Redis refused to one of its calls, null if
     * nothing.
     */
    private static JedisDataException read(Batch batch, Connection connection) {
        if (batch.destination().asking()) {
            try {
                connection.getOne();
            } catch (JedisDataException refused) {
                // The reply to the command behind ASKING counts.
            }
        }
        try {
            return batch.deliver(connection.getOne());
        } catch (JedisDataException refusal) {
            batch.fail(refusal);
            return refusal;
        }
    }

    /** Closes all connections, and ends the thread that watches them. */
    @Override
    public void close() {
        servers.close();
        watchdog.close();
    }

    /**
     * Gives the connection back. A reply that was read stays valid if the connection or the
     * whole pool was closed meanwhile. A connection that cannot be used again is first closed by
     * force: the pool would send the rest of its buffer, which may block.
     */
    static void release(Connection connection, boolean isFitForTheNext) {
        try {
            if (!isFitForTheNext) {
                connection.setBroken();
                Watch.cut(connection);
            }
            connection.close();
        } catch (RuntimeException closing) {
            // The thread that closed the pool is no waiting caller.
        }
    }
}
