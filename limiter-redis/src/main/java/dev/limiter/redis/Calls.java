package dev.limiter.redis;

import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.executors.CommandExecutor;

/**
 * Every call of Redis, within its deadline and past its breaker. What Redis has proved not to have run is tried again while
 * there is time: after it sent us elsewhere, was busy moving a slot, or turned out to be a replica. What may have run never is.
 *
 * <p>Jedis' own executor for clusters sends a command again after a time-out; with that turned off it follows no redirection.
 */
final class Calls implements CommandExecutor {
    private static final int MOST_TRIES = 6;
    private static final int SLOT_MOVES_MILLIS = 5;

    private final Servers servers;
    private final Timeouts timeouts;
    private final LongSupplier nanos;
    private final Signals signals;
    private final Probe probe;
    private final RoundTrips roundTrips;
    private final Lookout lookout;
    private final Map<HostAndPort, Breaker> breakers = new ConcurrentHashMap<>();

    /**
     * @param nanos a clock that does not step, in ns
     */
    Calls(Servers servers, Timeouts timeouts, LongSupplier nanos, Signals signals, Probe probe) {
        this.servers = servers;
        this.timeouts = timeouts;
        this.nanos = nanos;
        this.signals = signals;
        this.probe = probe;
        this.roundTrips = new RoundTrips(servers, timeouts, nanos, signals);
        this.lookout = new Lookout(servers::lookAgain, this::askWhetherBack, this::askWhetherPermitted);
    }

    @Override
    public <T> T executeCommand(CommandObject<T> command) {
        try {
            return follow(command);
        } catch (JedisDataException refusal) {
            if (!StoreErrors.isMissingScript(refusal)) {
                signals.storeFailed(StoreErrors.of(refusal), false);
            }
            throw refusal;
        } catch (CallFailedException failed) {
            if (failed.error() != null) {
                signals.storeFailed(failed.error(), failed.mayHaveRun());
            }
            throw failed;
        }
    }

    private <T> T follow(CommandObject<T> command) {
        long began = nanos.getAsLong();
        int slot = servers.slot(command.getArguments());
        Target target = new Target(servers.of(slot), slot);
        for (int tries = 1; ; tries++) {
            try {
                return once(command, target, began);
            } catch (JedisDataException refusal) {
                if (tries == MOST_TRIES || !timeouts.leaveTimeForAnotherCall(nanos.getAsLong() - began)) {
                    throw refusal;
                }
                target = next(refusal, target);
            }
        }
    }

    /**
     * Where to try again what has certainly not run.
     *
     * @throws JedisDataException the refusal, if there is no use
     */
    private Target next(JedisDataException refusal, Target target) {
        if (refusal instanceof JedisRedirectionException redirection) {
            if (redirection instanceof JedisMovedDataException) {
                lookout.lookAgain();
            }
            return target.to(redirection);
        }
        StoreError error = StoreErrors.of(refusal);
        if (error == StoreError.READ_ONLY && !target.afresh()) {
            servers.forgetIdle(target.server());
            lookout.lookAgain();
            return target.again();
        }
        if (error == StoreError.CLUSTER && refusal.getMessage().startsWith("TRYAGAIN") && pause()) {
            return target;
        }
        throw refusal;
    }

    private static boolean pause() {
        try {
            Thread.sleep(SLOT_MOVES_MILLIS);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private <T> T once(CommandObject<T> command, Target target, long began) {
        Breaker breaker = breaker(target.server());
        String openedBy = breaker.openedBy();
        if (openedBy != null) {
            throw CallFailedException.breakerOpen(openedBy);
        }
        try {
            T reply = roundTrips.make(command, target, began);
            breaker.succeeded();
            return reply;
        } catch (JedisDataException refusal) {
            learn(breaker, target, StoreErrors.of(refusal), refusal);
            throw refusal;
        } catch (CallFailedException failed) {
            learn(breaker, target, failed.error(), failed);
            throw failed;
        }
    }

    private void learn(Breaker breaker, Target target, StoreError error, JedisException failed) {
        boolean replied = failed instanceof JedisDataException;
        if (error == StoreError.READ_ONLY && !target.afresh()) {
            return; // of its connections one leads to a replica; where the next one leads is not known yet
        }
        if (error == StoreError.NOT_PERMITTED && replied) {
            lookout.doubt(target.server()); // one algorithm may lack a permission that others do without
            return;
        }
        if (error == StoreError.CLUSTER && !replied) {
            lookout.lookAgain(); // nobody is known to keep the slot
        }
        if (!StoreErrors.isIllness(error)) {
            if (replied && error != StoreError.POOL_EXHAUSTED) {
                breaker.succeeded();
            }
            return;
        }
        if (!replied && Thread.currentThread().isInterrupted()) {
            return; // the sockets of an interrupted virtual thread are closed: that says nothing of the server
        }
        String reason = String.valueOf(failed.getMessage());
        if (breaker.failed(reason) && breakers.get(target.server()) == breaker) {
            signals.breaker(target.server().toString(), true, reason);
            lookout.watch(target.server(), breaker.closedLately());
        }
    }

    /** One round trip, whatever the breaker says; nothing is tried again. */
    <T> T ask(CommandObject<T> command, HostAndPort server, int slot) {
        return roundTrips.make(command, new Target(server, slot), nanos.getAsLong());
    }

    /** Opens the breaker of a server that has been found not to decide. */
    void isAway(HostAndPort server, String reason) {
        if (breaker(server).open(reason)) {
            signals.breaker(server.toString(), true, reason);
        }
        lookout.watch(server, false);
    }

    /**
     * A server is back, or nothing is kept there any more. It is asked on a new connection: those that were open when it failed may
     * be as dead as they were, one after the other.
     */
    private void askWhetherBack(HostAndPort server) {
        boolean asked = servers.isAsked(server);
        if (asked) {
            servers.forgetIdle(server);
            probe.ask(this, server);
        }
        Breaker breaker = asked ? breakers.get(server) : breakers.remove(server);
        if (breaker != null && breaker.close()) {
            signals.breaker(server.toString(), false, asked ? "" : "nothing is kept there any more");
        }
    }

    /** A call was not permitted: if no call is, requests need not find that out one by one. */
    private void askWhetherPermitted(HostAndPort server) {
        try {
            probe.ask(this, server);
        } catch (JedisDataException refusal) {
            if (StoreErrors.of(refusal) == StoreError.NOT_PERMITTED) {
                isAway(server, refusal.getMessage());
            }
        }
    }

    private Breaker breaker(HostAndPort server) {
        Breaker known = breakers.get(server);
        return known != null ? known : breakers.computeIfAbsent(server, none -> new Breaker(nanos));
    }

    @Override
    public void close() {
        lookout.close();
        servers.close();
    }
}
