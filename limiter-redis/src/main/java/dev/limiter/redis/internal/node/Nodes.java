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
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * The servers of a store: the breaker of each, its clock, and the combiners through which calls
 * of Redis go.
 */
public final class Nodes implements AutoCloseable {
    private static final long SLOT_MOVES_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final ServerTopology servers;
    private final NodeConnection connection;
    private final Probe probe;
    private final int atOnce;
    private final Timeouts timeouts;
    private final LongSupplier nanos;
    private final Signals signals;
    private final Runnable doubtReplies;
    private final NodeMonitor monitor;
    private final ClockWatch onlyClock;
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
     * @param atOnce round trips that may be under way at once to each server; at least 1
     * @param nanos a clock that does not step, in ns
     * @param doubtReplies runs when earlier replies may not be true any more: a server that was
     *     away may have lost its state, and so may the server that replaced it; or its clock has
     *     stepped
     */
    public Nodes(
            ServerTopology servers,
            NodeConnection connection,
            Probe probe,
            int atOnce,
            Timeouts timeouts,
            LongSupplier nanos,
            Signals signals,
            Runnable doubtReplies) {
        this.servers = servers;
        this.connection = connection;
        this.probe = probe;
        this.atOnce = atOnce;
        this.timeouts = timeouts;
        this.nanos = nanos;
        this.signals = signals;
        this.doubtReplies = doubtReplies;
        this.monitor = new NodeMonitor(servers);
        this.onlyClock = new ClockWatch(signals, doubtReplies);
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
     * @param began when the caller's call began, whose deadline it is; by the clock of this
     *     class
     * @return the reply
     * @throws JedisDataException if Redis refused the call
     * @throws CallFailedException if there is no reply
     */
    public Object send(RedisCall call, Destination destination, long began) {
        PendingCall pending = new PendingCall(call, destination, began);
        long sent = nanos.getAsLong();
        node(destination.server()).combiner(call).submit(pending);
        Object reply = pending.outcome();
        signals.connected(pending.waitedNanos(sent));
        return reply;
    }

    /**
     * The next destination of a refused call, which has certainly not run: another server was
     * named, a slot was moving, the server turned out to be a replica, or it has slots.
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
        if (refusal.getMessage().startsWith("CROSSSLOT") && !refusedBy.unbatched()) {
            servers.useSlots();
            return refusedBy.withoutBatch();
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

    /** Whether the caller was not interrupted meanwhile. */
    private static boolean pause() {
        LockSupport.parkNanos(SLOT_MOVES_NANOS);
        return !Thread.currentThread().isInterrupted();
    }

    /** When a call begins that begins now. */
    public long now() {
        return nanos.getAsLong();
    }

    /** Whether a call that began then has time for another round trip. */
    public boolean leavesTime(long began) {
        return timeouts.leaveTimeForAnotherCall(nanos.getAsLong() - began);
    }

    /** The watch over the clock of the server that owns a Redis key. */
    public ClockWatch clock(byte[] key) {
        return node(destination(key).server()).clock;
    }

    /** Opens the breaker of a server that has been found not to decide. */
    public void openBreaker(HostAndPort server, String reason) {
        node(server).open(reason);
    }

    private Node node(HostAndPort server) {
        Node known = nodes.get(server);
        return known != null ? known : nodes.computeIfAbsent(server, Node::new);
    }

    /** A server: its breaker, its clock, the combiner of its calls, and another for large calls. */
    private final class Node {
        private final HostAndPort server;
        private final Breaker breaker = new Breaker(nanos);
        private final ReentrantLock telling = new ReentrantLock();
        private boolean toldOpen;
        private final ClockWatch clock;
        private final Combiner small = newCombiner(false, BYTES_BESIDE_DECISIONS);
        private final Combiner large = newCombiner(true, Combiner.MOST_BYTES_TOGETHER);

        Node(HostAndPort server) {
            this.server = server;
            this.clock = servers.hasSlots() ? new ClockWatch(signals, doubtReplies) : onlyClock;
        }

        private Combiner newCombiner(boolean isLarge, int mostBytes) {
            NodeConnection.CallListener listener = (destination, failed) -> recordOutcome(isLarge, destination, failed);
            return new Combiner(connection, breaker, listener, atOnce, mostBytes, timeouts, nanos);
        }

        Combiner combiner(RedisCall call) {
            return call.isLarge() ? large : small;
        }

        /**
         * Records the outcome of a command, once for all callers that share it. A large call
         * without a reply does not count as a failure: the link may be too slow for this number
         * of bytes, while small calls work. The monitor then probes the server.
         *
         * @param failed null if the server has replied
         */
        private void recordOutcome(boolean isLarge, Destination destination, JedisException failed) {
            if (failed == null) {
                breaker.succeeded();
                return;
            }
            StoreError error = failed instanceof CallFailedException lost
                    ? lost.error()
                    : RedisErrors.of((JedisDataException) failed);
            boolean replied = failed instanceof JedisDataException;
            if (error == StoreError.READ_ONLY && !destination.onNewConnection()) {
                return; // one of its connections leads to a replica; where a new one leads is not known yet
            }
            if (error == StoreError.NOT_PERMITTED && replied) {
                doubt(); // a single algorithm may lack a permission that the others do not need
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
            if (isLarge && failed instanceof CallFailedException lost && lost.mayHaveRun()) {
                doubt();
                return;
            }
            String reason = String.valueOf(failed.getMessage());
            if (breaker.failed(reason) && nodes.get(server) == this) {
                watch();
                tell("");
            }
        }

        void open(String reason) {
            boolean opensNow = breaker.open(reason);
            watch();
            if (opensNow) {
                tell("");
            }
        }

        /**
         * Tells the state of the breaker after a change, unless it is what was told last. Of two
         * changes at once, the second is the state that stays told.
         *
         * @param closedBy why it is closed, if it is
         */
        private void tell(String closedBy) {
            doubtReplies.run();
            telling.lock();
            try {
                String openedBy = breaker.openedBy();
                if (toldOpen != (openedBy != null)) {
                    toldOpen = openedBy != null;
                    signals.breaker(server.toString(), toldOpen, toldOpen ? openedBy : closedBy);
                }
            } finally {
                telling.unlock();
            }
        }

        /** A breaker that is open without a watch would never close. */
        private void watch() {
            try {
                monitor.watch(server, breaker.closedLately(), this::closeIfBack);
            } catch (Error notWatched) {
                breaker.close();
                throw notWatched;
            }
        }

        private void doubt() {
            monitor.doubt(server, this::openIfSilent);
        }

        /**
         * Closes the breaker if the server is back, or owns no slot any more. The server is asked
         * on a new connection: those that were open when it failed may be dead.
         */
        private void closeIfBack() {
            boolean asked = servers.isPrimary(server);
            if (asked) {
                servers.forgetIdle(server);
                probe.ask(server);
            } else {
                nodes.remove(server, this);
            }
            breaker.close();
            tell(asked ? "" : "nothing is kept there any more");
        }

        /**
         * Asks after a call that was not permitted, or a large call without a reply. If no call
         * works, the breaker opens, so that requests need not find that out one by one.
         */
        private void openIfSilent() {
            String silence = "";
            for (int i = 0; i < PROBES; i++) {
                try {
                    probe.ask(server);
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
    }

    @Override
    public void close() {
        monitor.close();
        connection.close();
    }
}
