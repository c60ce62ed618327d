package dev.limiter.redis.internal.node;

import dev.limiter.redis.internal.combine.Breaker;
import dev.limiter.redis.internal.combine.CallFailedException;
import dev.limiter.redis.internal.combine.Combiner;
import dev.limiter.redis.internal.combine.Destination;
import dev.limiter.redis.internal.combine.NodeConnection;
import dev.limiter.redis.internal.combine.PendingCall;
import dev.limiter.redis.internal.combine.RedisErrors;
import dev.limiter.redis.internal.script.RedisCall;
import dev.limiter.redis.internal.topology.ServerTopology;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * The servers of a store: the breaker of each, and the combiners through which calls of Redis
 * go.
 */
public final class Nodes implements AutoCloseable {
    private static final NodeConnection.CallListener NOTHING_LEARNT = (destination, failed) -> {};
    private static final int SLOT_MOVES_MILLIS = 5;

    private final ServerTopology servers;
    private final Timeouts timeouts;
    private final LongSupplier nanos;
    private final Signals signals;
    private final Probe probe;
    private final NodeConnection nodeConnection;
    private final int atOnce;
    private final Watchdog watchdog;
    private final NodeMonitor monitor;
    private final Map<HostAndPort, Node> nodes = new ConcurrentHashMap<>();

    /** The last destination; most calls go where the call before went. */
    private volatile Destination latest = new Destination(null, -1);

    /**
     * The most bytes of a round trip with decisions: more would make them late where the link is
     * slow.
     */
    public static final int BYTES_BESIDE_DECISIONS = Combiner.MOST_BYTES_TOGETHER / 4;

    /** How often a doubted server is asked before it is given up. */
    private static final int PROBES = 3;

    /**
     * The breaker of a server, the combiner of its Redis calls, and another combiner for large
     * calls.
     */
    private record Node(Breaker breaker, Combiner small, Combiner large) {
        Combiner combiner(RedisCall call) {
            return call.isLarge() ? large : small;
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
        this.nodeConnection = new NodeConnection(servers, watchdog, timeouts, nanos);
        this.monitor = new NodeMonitor(servers::refresh, this::closeIfBack, this::openIfSilent);
    }

    /** The first destination of a call for a key. */
    public Destination destination(byte[] key) {
        int slot = servers.slot(key);
        HostAndPort server = servers.of(slot);
        Destination known = latest;
        if (known.slot() != slot || known.server() != server) {
            known = new Destination(server, slot);
            latest = known;
        }
        return known;
    }

    /**
     * Sends a call once, in a round trip that calls of other callers may share.
     *
     * @param withText whether to send the text of the script, since Redis does not know it
     * @param began when the caller's call began, whose deadline it is; by the clock of this
     *     class
     * @return the reply
     * @throws JedisDataException if Redis refused the call
     * @throws CallFailedException if there is no reply
     */
    public Object send(RedisCall call, Destination destination, boolean withText, long began) {
        PendingCall pending = new PendingCall(call, destination, withText, began);
        long sent = nanos.getAsLong();
        node(destination.server()).combiner(call).submit(pending);
        Object reply = pending.outcome();
        signals.connected(pending.waitedNanos(sent));
        return reply;
    }

    /**
     * The next destination of a refused call, which has certainly not run: another server was
     * named, a slot was moving, or the server turned out to be a replica.
     *
     * @throws JedisDataException the refusal, if sending again is of no use
     */
    public Destination next(JedisDataException refusal, Destination refusedBy) {
        if (refusal instanceof JedisRedirectionException redirection) {
            if (redirection instanceof JedisMovedDataException) {
                monitor.refresh();
            }
            return refusedBy.to(redirection);
        }
        StoreError error = RedisErrors.of(refusal);
        if (error == StoreError.READ_ONLY && !refusedBy.onNewConnection()) {
            servers.forgetIdle(refusedBy.server());
            monitor.refresh();
            return refusedBy.withNewConnection();
        }
        if (error == StoreError.CLUSTER && refusal.getMessage().startsWith("TRYAGAIN") && pause()) {
            return refusedBy.withoutBatch();
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

    /** Whether a call that began then has time for another round trip. */
    public boolean leavesTime(long began) {
        return timeouts.leaveTimeForAnotherCall(nanos.getAsLong() - began);
    }

    /**
     * Records the outcome of a command for its server, once for all callers that share it. A
     * large call without a reply does not count as a failure: the link may be too slow for this
     * number of bytes, while small calls work. The monitor then probes the server.
     *
     * @param failed null if the server has replied
     */
    private void recordOutcome(Breaker breaker, boolean large, Destination destination, JedisException failed) {
        if (failed == null) {
            breaker.succeeded();
            return;
        }
        StoreError error =
                failed instanceof CallFailedException lost ? lost.error() : RedisErrors.of((JedisDataException) failed);
        boolean replied = failed instanceof JedisDataException;
        if (error == StoreError.READ_ONLY && !destination.onNewConnection()) {
            return; // one of its connections leads to a replica; where a new one leads is not known yet
        }
        if (error == StoreError.NOT_PERMITTED && replied) {
            monitor.doubt(destination.server()); // a single algorithm may lack a permission that the others do not need
            return;
        }
        if (error == StoreError.CLUSTER && !replied) {
            monitor.refresh(); // no server is known to keep the slot
        }
        if (!RedisErrors.isIllness(error)) {
            if (replied) {
                breaker.succeeded();
            }
            return;
        }
        if (!replied && Thread.currentThread().isInterrupted()) {
            return; // the sockets of an interrupted virtual thread are closed, which says nothing about the server
        }
        if (large && failed instanceof CallFailedException lost && lost.mayHaveRun()) {
            monitor.doubt(destination.server());
            return;
        }
        String reason = String.valueOf(failed.getMessage());
        if (breaker.failed(reason) && isKnown(destination.server(), breaker)) {
            signals.breaker(destination.server().toString(), true, reason);
            monitor.watch(destination.server(), breaker.closedLately());
        }
    }

    /** A single round trip, whatever the state of the breaker; the call is not sent again. */
    Object ask(RedisCall call, boolean withText, HostAndPort server, int slot) {
        PendingCall pending = new PendingCall(call, new Destination(server, slot), withText, nanos.getAsLong());
        pending.claim(pending.beganNanos());
        Connection connection = nodeConnection.open(pending, NOTHING_LEARNT);
        if (connection != null) {
            nodeConnection.exchange(connection, List.of(pending), NOTHING_LEARNT);
        }
        return pending.outcome();
    }

    /** Opens the breaker of a server that has been found not to decide. */
    public void openBreaker(HostAndPort server, String reason) {
        Breaker breaker = node(server).breaker();
        if (breaker.open(reason)) {
            signals.breaker(server.toString(), true, reason);
        }
        monitor.watch(server, breaker.closedLately());
    }

    /**
     * Closes the breaker of a server that is back, or that owns no slot any more. The server is
     * asked on a new connection: those that were open when it failed may be dead.
     */
    private void closeIfBack(HostAndPort server) {
        boolean asked = servers.isPrimary(server);
        if (asked) {
            servers.forgetIdle(server);
            probe.ask(this, server);
        }
        Node node = asked ? nodes.get(server) : nodes.remove(server);
        if (node != null && node.breaker().close()) {
            signals.breaker(server.toString(), false, asked ? "" : "nothing is kept there any more");
        }
    }

    /**
     * Asks a server after a call that was not permitted, or a large call without a reply. If no
     * call works, the breaker opens, so that requests need not find that out one by one.
     */
    private void openIfSilent(HostAndPort server) {
        String silence = "";
        for (int i = 0; i < PROBES; i++) {
            try {
                probe.ask(this, server);
                return;
            } catch (JedisDataException refusal) {
                if (RedisErrors.of(refusal) == StoreError.NOT_PERMITTED) {
                    openBreaker(server, refusal.getMessage());
                }
                return;
            } catch (CallFailedException silent) {
                if (!RedisErrors.isIllness(silent.error())) {
                    return;
                }
                silence = String.valueOf(silent.getMessage());
            }
        }
        openBreaker(server, silence);
    }

    private Node node(HostAndPort server) {
        Node known = nodes.get(server);
        return known != null ? known : nodes.computeIfAbsent(server, none -> newNode());
    }

    private Node newNode() {
        Breaker breaker = new Breaker(nanos);
        return new Node(breaker, newCombiner(breaker, false), newCombiner(breaker, true));
    }

    private Combiner newCombiner(Breaker breaker, boolean large) {
        NodeConnection.CallListener listener =
                (destination, failed) -> recordOutcome(breaker, large, destination, failed);
        int mostBytes = large ? Combiner.MOST_BYTES_TOGETHER : BYTES_BESIDE_DECISIONS;
        return new Combiner(nodeConnection, breaker, listener, atOnce, mostBytes, timeouts, nanos);
    }

    private boolean isKnown(HostAndPort server, Breaker breaker) {
        Node known = nodes.get(server);
        return known != null && known.breaker() == breaker;
    }

    @Override
    public void close() {
        monitor.close();
        servers.close();
        watchdog.close();
    }
}
