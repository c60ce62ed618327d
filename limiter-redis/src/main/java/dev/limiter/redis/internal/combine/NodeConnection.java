package dev.limiter.redis.internal.combine;

import dev.limiter.redis.internal.script.ScriptCommand;
import dev.limiter.redis.internal.topology.ServerTopology;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.StoreError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Sends batches on a connection to a server and reads the replies. It knows which pending calls were sent. */
public final class NodeConnection {
    private final ServerTopology servers;
    private final Watchdog watchdog;
    private final Timeouts timeouts;
    private final LongSupplier nanos;
    private final AtomicReference<ScriptCommand> spare = new AtomicReference<>();

    /**
     * @param nanos a clock that does not step, in ns
     */
    public NodeConnection(ServerTopology servers, Watchdog watchdog, Timeouts timeouts, LongSupplier nanos) {
        this.servers = servers;
        this.watchdog = watchdog;
        this.timeouts = timeouts;
        this.nanos = nanos;
    }

    /** What a call tells of a server, once for all who share it; of calls that were lost together, once. */
    public interface CallListener {

        /**
         * @param failed what was refused, or why there is no answer; null if it has answered
         */
        void learn(Destination target, JedisException failed);
    }

    /**
     * A connection to the destination of the leader; null if there is none, and the pending call is over.
     */
    public Connection open(PendingCall leader, CallListener lessons) {
        Destination target = leader.target();
        try {
            return target.redirected() ? servers.connection(target.server()) : servers.connection(target.slot());
        } catch (RuntimeException failed) {
            if (failed.getCause() instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            CallFailedException notSent =
                    new CallFailedException(failed.getMessage(), RedisErrors.ofConnecting(failed), false, failed);
            lessons.learn(target, notSent);
            leader.fail(notSent);
            return null;
        }
    }

    /**
     * Sends all pending calls, ends them, and gives the connection back. It takes no longer than the deadline of the first pending
     * call, whose thread this is: then the watchdog closes the connection. The other callers go away by themselves.
     */
    public void serve(Connection connection, List<PendingCall> served, CallListener lessons) {
        boolean isFitForTheNext = false;
        Watchdog.Watch watch = watchdog.watch(
                connection, served.get(0).beganNanos() + TimeUnit.MILLISECONDS.toNanos(timeouts.deadlineMillis()));
        try {
            isFitForTheNext = exchange(connection, inTime(served), lessons, watch);
        } finally {
            isFitForTheNext &= watch.end();
            // Also after an Error: each waiting caller needs an outcome. The next caller must not read half an answer.
            if (!isFitForTheNext) {
                CallFailedException lost =
                        new CallFailedException("the connection was lost", StoreError.BROKEN, true, null);
                served.forEach(each -> each.fail(lost));
            }
            giveBack(connection, isFitForTheNext);
        }
    }

    /** Whose answer could not be awaited any more is not sent. */
    private List<PendingCall> inTime(List<PendingCall> served) {
        long now = nanos.getAsLong();
        List<PendingCall> inTime = served;
        for (int i = 0; i < served.size(); i++) {
            PendingCall each = served.get(i);
            if (!timeouts.leaveTimeForAnotherCall(now - each.beganNanos())) {
                each.fail(new CallFailedException(
                        "a connection came too late to be used", StoreError.POOL_EXHAUSTED, false, null));
                inTime = inTime == served ? new ArrayList<>(served) : inTime;
                inTime.remove(each);
            }
        }
        return inTime;
    }

    /** Whether the connection can serve others. */
    private boolean exchange(
            Connection connection, List<PendingCall> served, CallListener lessons, Watchdog.Watch watch) {
        List<Batch> parcels = Batch.of(served);
        int heard = 0;
        boolean isFitForTheNext = true;
        try {
            send(parcels, connection);
            long sent = nanos.getAsLong();
            for (; heard < parcels.size(); heard++) {
                if (heard > 0) {
                    connection.setSoTimeout(timeouts.leftToRead(nanos.getAsLong() - sent));
                }
                Batch parcel = parcels.get(heard);
                JedisDataException refusal = hear(parcel, connection);
                lessons.learn(parcel.target(), refusal);
                isFitForTheNext &= refusal == null || !RedisErrors.isOfConnection(RedisErrors.of(refusal));
            }
            if (heard > 1) {
                connection.setSoTimeout(timeouts.readMillis());
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
            lessons.learn(served.get(0).target(), lost);
            for (Batch parcel : parcels.subList(heard, parcels.size())) {
                parcel.fail(lost);
            }
            return false;
        }
    }

    private void send(List<Batch> parcels, Connection connection) {
        ScriptCommand mine = spare.getAndSet(null);
        ScriptCommand command = mine == null ? new ScriptCommand() : mine;
        for (Batch parcel : parcels) {
            if (parcel.target().asking()) {
                connection.sendCommand(Protocol.Command.ASKING);
            }
            connection.sendCommand(parcel.command(command));
        }
        spare.set(command);
    }

    /** What Redis refused to one of those whom it concerns; null if nothing. */
    private static JedisDataException hear(Batch parcel, Connection connection) {
        if (parcel.target().asking()) {
            try {
                connection.getOne();
            } catch (JedisDataException refused) {
                // What it was said for is answered all the same, and that answer is what counts.
            }
        }
        try {
            return parcel.deliver(connection.getOne());
        } catch (JedisDataException refusal) {
            parcel.fail(refusal);
            return refusal;
        }
    }

    /**
     * An answer that has come must not be lost because its connection, or the whole pool, is no more. A connection that is of no use is
     * closed by force first: the pool would send what is left in its buffer, and that may block.
     */
    private static void giveBack(Connection connection, boolean isFitForTheNext) {
        try {
            if (!isFitForTheNext) {
                connection.forceDisconnect();
            }
            connection.close();
        } catch (IOException | RuntimeException closing) {
            // The thread that closes the pool meanwhile is no waiting caller.
        }
    }
}
