package dev.limiter.redis;

import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.util.function.LongSupplier;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/** One question and its answer, on a connection of whoever is asked; it knows whether the question was sent. */
final class RoundTrips {
    private final Servers servers;
    private final Timeouts timeouts;
    private final LongSupplier nanos;
    private final Signals signals;

    /**
     * @param nanos a clock that does not step, in ns
     */
    RoundTrips(Servers servers, Timeouts timeouts, LongSupplier nanos, Signals signals) {
        this.servers = servers;
        this.timeouts = timeouts;
        this.nanos = nanos;
        this.signals = signals;
    }

    /**
     * @param began when the call began, whose deadline it is; by the clock of this class
     * @throws redis.clients.jedis.exceptions.JedisDataException if Redis refused
     * @throws CallFailedException if it was not asked, or did not answer
     */
    <T> T make(CommandObject<T> command, Target target, long began) {
        Connection connection = connect(target, began);
        boolean isFitForTheNext = false;
        try {
            if (target.asking()) {
                beforehand(connection);
            }
            T reply = connection.executeCommand(command);
            isFitForTheNext = true;
            return reply;
        } catch (JedisDataException refusal) {
            isFitForTheNext = !StoreErrors.isOfConnection(StoreErrors.of(refusal));
            throw refusal;
        } catch (CallFailedException notSent) {
            throw notSent;
        } catch (RuntimeException failed) {
            throw new CallFailedException(failed.getMessage(), StoreErrors.ofWaiting(failed), true, failed);
        } finally {
            // Also after an Error: an answer that was not read to its end would be the next caller's.
            giveBack(connection, isFitForTheNext);
        }
    }

    /** A command that changes nothing, and without whose answer the one that counts is not sent. */
    private static void beforehand(Connection connection) {
        try {
            connection.executeCommand(Protocol.Command.ASKING);
        } catch (RuntimeException failed) {
            throw new CallFailedException(failed.getMessage(), StoreErrors.ofWaiting(failed), false, failed);
        }
    }

    private Connection connect(Target target, long began) {
        long asked = nanos.getAsLong();
        Connection connection = open(target);
        long had = nanos.getAsLong();
        signals.connected(had - asked);
        if (!timeouts.leaveTimeForAnotherCall(had - began)) {
            giveBack(connection, true);
            throw new CallFailedException(
                    "a connection came too late to be used", StoreError.POOL_EXHAUSTED, false, null);
        }
        return connection;
    }

    private Connection open(Target target) {
        try {
            return target.redirected() ? servers.connection(target.server()) : servers.connection(target.slot());
        } catch (RuntimeException failed) {
            if (failed.getCause() instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new CallFailedException(failed.getMessage(), StoreErrors.ofConnecting(failed), false, failed);
        }
    }

    /** An answer that has come must not be lost because its connection, or the whole pool, is no more. */
    private static void giveBack(Connection connection, boolean isFitForTheNext) {
        if (!isFitForTheNext) {
            connection.setBroken();
        }
        try {
            connection.close();
        } catch (RuntimeException closing) {
            // Jedis opens a new connection here in place of a broken one, which may fail as that one did.
        }
    }
}
