package dev.limiter.redis.internal.node;

import dev.limiter.redis.internal.combine.Breaker;
import dev.limiter.redis.internal.combine.CallFailedException;
import dev.limiter.redis.internal.combine.Combiner;
import dev.limiter.redis.internal.combine.Destination;
import dev.limiter.redis.internal.combine.NodeConnection;
import dev.limiter.redis.internal.combine.PendingCall;
import dev.limiter.redis.internal.combine.RedisErrors;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.RedisCall;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.redis.internal.script.ReplyBytes;
import dev.limiter.redis.internal.topology.ServerTopology;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.executors.CommandExecutor;

/**
 * Every call of Redis, within its deadline and past its breaker. What Redis has proved not to have run is tried again while there is
 * time: it did not know the script, named another server, was moving a slot, or turned out to be a replica. What may have run is
 * never tried again.
 *
 * <p>Jedis' own executor for clusters sends a command again after a time-out; with that turned off it follows no redirection.
 */
public final class Nodes implements CommandExecutor {
    private static final NodeConnection.CallListener NOTHING_LEARNT = (target, failed) -> {};
    private static final int MOST_TRIES = 6;
    private static final int SLOT_MOVES_MILLIS = 5;

    private final ServerTopology servers;
    private final Timeouts timeouts;
    private final LongSupplier nanos;
    private final Signals signals;
    private final Probe probe;
    private final NodeConnection roundTrips;
    private final int atOnce;
    private final Watchdog watchdog;
    private final NodeMonitor lookout;
    private final Map<HostAndPort, Node> nodes = new ConcurrentHashMap<>();

    /** What a decision may share a round trip with, in bytes: more would make it late where the link is slow. */
    public static final int BYTES_BESIDE_DECISIONS = Combiner.MOST_BYTES_TOGETHER / 4;

    /** How often a doubted server is asked before it is given up. */
    private static final int PROBES = 3;

    /** The breaker of a server, the combiner of its Redis calls, and another combiner for large calls. */
    private record Node(Breaker breaker, Combiner line, Combiner large) {
        Combiner line(RedisCall errand) {
            return errand.isLarge() ? large : line;
        }
    }

    /**
     * @param atOnce round trips that may be under way at once to each server; at least 1
     * @param nanos a clock that does not step, in ns
     */
    public Nodes(
            ServerTopology servers,
            int atOnce,
            Watchdog watchdog,
            Timeouts timeouts,
            LongSupplier nanos,
            Signals signals,
            Probe probe) {
        this.servers = servers;
        this.atOnce = atOnce;
        this.watchdog = watchdog;
        this.timeouts = timeouts;
        this.nanos = nanos;
        this.signals = signals;
        this.probe = probe;
        this.roundTrips = new NodeConnection(servers, watchdog, timeouts, nanos);
        this.lookout = new NodeMonitor(servers::lookAgain, this::askWhetherBack, this::askWhetherWell);
    }

    @Override
    public <T> T executeCommand(CommandObject<T> command) {
        CommandArguments arguments = command.getArguments();
        Object answer = told(RedisCall.Command.of(arguments), servers.slot(arguments), nanos.getAsLong());
        return command.getBuilder().build(answer);
    }

    /**
     * Has a decision call answered.
     *
     * @param began when the call began, whose deadline it is; by the clock of this class
     */
    public Reply decide(DecisionCall question, long began) {
        return (Reply) told(question, servers.slot(question.keys()[0]), began);
    }

    /**
     * Runs a script.
     *
     * @param began when the call began, whose deadline it is; by the clock of this class
     */
    public Object run(Program script, List<byte[]> keys, List<byte[]> arguments, ReplyBytes replyBytes, long began) {
        RedisCall call = RedisCall.ScriptCall.of(script, keys, arguments, replyBytes);
        return told(call, servers.slot(keys.get(0)), began);
    }

    private Object told(RedisCall errand, int slot, long began) {
        try {
            return follow(errand, slot, began);
        } catch (JedisDataException refusal) {
            if (!RedisErrors.isMissingScript(refusal)) {
                signals.storeFailed(RedisErrors.of(refusal), false);
            }
            throw refusal;
        } catch (CallFailedException failed) {
            if (failed.error() != null) {
                signals.storeFailed(failed.error(), failed.mayHaveRun());
            }
            throw failed;
        }
    }

    private Object follow(RedisCall errand, int slot, long began) {
        Destination target = new Destination(servers.of(slot), slot);
        boolean withText = false;
        int tries = 1;
        while (true) {
            try {
                return once(errand, target, withText, began);
            } catch (JedisDataException refusal) {
                boolean missing = RedisErrors.isMissingScript(refusal);
                if (missing) {
                    signals.scriptMissing();
                }
                if (tries == MOST_TRIES || !timeouts.leaveTimeForAnotherCall(nanos.getAsLong() - began)) {
                    throw refusal;
                }
                if (missing && !withText) {
                    withText = true;
                } else {
                    target = next(refusal, target);
                    tries++;
                }
            }
        }
    }

    /**
     * Where to try again what has certainly not run.
     *
     * @throws JedisDataException the refusal, if there is no use
     */
    private Destination next(JedisDataException refusal, Destination target) {
        if (refusal instanceof JedisRedirectionException redirection) {
            if (redirection instanceof JedisMovedDataException) {
                lookout.lookAgain();
            }
            return target.to(redirection);
        }
        StoreError error = RedisErrors.of(refusal);
        if (error == StoreError.READ_ONLY && !target.afresh()) {
            servers.forgetIdle(target.server());
            lookout.lookAgain();
            return target.again();
        }
        if (error == StoreError.CLUSTER && refusal.getMessage().startsWith("TRYAGAIN") && pause()) {
            return target.byItself();
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

    private Object once(RedisCall errand, Destination target, boolean withText, long began) {
        PendingCall ticket = new PendingCall(errand, target, withText, began);
        long asked = nanos.getAsLong();
        node(target.server()).line(errand).ask(ticket);
        Object answer = ticket.outcome();
        signals.connected(ticket.waitedNanos(asked));
        return answer;
    }

    /**
     * What a call tells of its server, once for all who share it. A large call that gets no answer is a doubt: the link may be too slow
     * for so many bytes, and small calls may be well. Then the server is asked by a small call.
     *
     * @param failed null if it has answered
     */
    private void learn(Breaker breaker, boolean large, Destination target, JedisException failed) {
        if (failed == null) {
            breaker.succeeded();
            return;
        }
        StoreError error =
                failed instanceof CallFailedException lost ? lost.error() : RedisErrors.of((JedisDataException) failed);
        boolean replied = failed instanceof JedisDataException;
        if (error == StoreError.READ_ONLY && !target.afresh()) {
            return; // of its connections one leads to a replica; where the next one leads is not known yet
        }
        if (error == StoreError.NOT_PERMITTED && replied) {
            lookout.doubt(target.server()); // one algorithm may lack a permission that others do without
            return;
        }
        if (error == StoreError.CLUSTER && !replied) {
            lookout.lookAgain(); // no server is known to keep the slot
        }
        if (!RedisErrors.isIllness(error)) {
            if (replied && error != StoreError.POOL_EXHAUSTED) {
                breaker.succeeded();
            }
            return;
        }
        if (!replied && Thread.currentThread().isInterrupted()) {
            return; // the sockets of an interrupted virtual thread are closed: that says nothing of the server
        }
        if (large && failed instanceof CallFailedException lost && lost.mayHaveRun()) {
            lookout.doubt(target.server());
            return;
        }
        String reason = String.valueOf(failed.getMessage());
        if (breaker.failed(reason) && isKnown(target.server(), breaker)) {
            signals.breaker(target.server().toString(), true, reason);
            lookout.watch(target.server(), breaker.closedLately());
        }
    }

    /** One round trip, whatever the breaker says; nothing is tried again. */
    <T> T ask(CommandObject<T> command, HostAndPort server, int slot) {
        RedisCall errand = RedisCall.Command.of(command.getArguments());
        PendingCall ticket = new PendingCall(errand, new Destination(server, slot), nanos.getAsLong());
        ticket.take(ticket.beganNanos());
        Connection connection = roundTrips.open(ticket, NOTHING_LEARNT);
        if (connection != null) {
            roundTrips.serve(connection, List.of(ticket), NOTHING_LEARNT);
        }
        return command.getBuilder().build(ticket.outcome());
    }

    /** Opens the breaker of a server that has been found not to decide. */
    public void isAway(HostAndPort server, String reason) {
        Breaker breaker = node(server).breaker();
        if (breaker.open(reason)) {
            signals.breaker(server.toString(), true, reason);
        }
        lookout.watch(server, breaker.closedLately());
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
        Node node = asked ? nodes.get(server) : nodes.remove(server);
        if (node != null && node.breaker().close()) {
            signals.breaker(server.toString(), false, asked ? "" : "nothing is kept there any more");
        }
    }

    /** A call was not permitted, or a large one not answered: if no call is, requests need not find that out one by one. */
    private void askWhetherWell(HostAndPort server) {
        String silence = "";
        for (int i = 0; i < PROBES; i++) {
            try {
                probe.ask(this, server);
                return;
            } catch (JedisDataException refusal) {
                if (RedisErrors.of(refusal) == StoreError.NOT_PERMITTED) {
                    isAway(server, refusal.getMessage());
                }
                return;
            } catch (CallFailedException silent) {
                if (!RedisErrors.isIllness(silent.error())) {
                    return;
                }
                silence = String.valueOf(silent.getMessage());
            }
        }
        isAway(server, silence);
    }

    private Node node(HostAndPort server) {
        Node known = nodes.get(server);
        return known != null ? known : nodes.computeIfAbsent(server, none -> newNode());
    }

    private Node newNode() {
        Breaker breaker = new Breaker(nanos);
        return new Node(breaker, newLine(breaker, false), newLine(breaker, true));
    }

    private Combiner newLine(Breaker breaker, boolean large) {
        NodeConnection.CallListener lessons = (target, failed) -> learn(breaker, large, target, failed);
        int mostBytes = large ? Combiner.MOST_BYTES_TOGETHER : BYTES_BESIDE_DECISIONS;
        return new Combiner(roundTrips, breaker, lessons, atOnce, mostBytes, timeouts, nanos);
    }

    private boolean isKnown(HostAndPort server, Breaker breaker) {
        Node known = nodes.get(server);
        return known != null && known.breaker() == breaker;
    }

    @Override
    public void close() {
        lookout.close();
        servers.close();
        watchdog.close();
    }
}
