package dev.limiter.redis.internal.node;

import dev.limiter.redis.internal.combine.CallFailedException;
import dev.limiter.redis.internal.combine.RedisErrors;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.topology.ServerTopology;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Checks Redis when the limiter is made, and logs what an operator should mend before users
 * notice. The application starts in any case: a Redis that is late is asked until it answers.
 *
 * @param store its name in messages
 * @param signals receive each node
 */
public record StartupDiagnostics(Nodes nodes, ServerTopology servers, Probe probe, String store, Signals signals) {
    private static final System.Logger LOG = System.getLogger("dev.limiter.store");
    private static final Pattern TOO_OLD = Pattern.compile("redis_version:((?:[0-5]|6\\.[01])\\.[^\\r\\n]*)");
    private static final Pattern EVICTION = Pattern.compile("maxmemory_policy:(\\S+)");
    private static final int MOST_TRIES = 3;

    /** Whether the application has queues, which cannot be asked: they are made later. */
    private static final boolean QUEUES =
            StartupDiagnostics.class.getResource("/dev/limiter/queue/BoundedQueue.class") != null;

    private static final Set<StoreError> LATE =
            EnumSet.of(StoreError.TIMED_OUT, StoreError.NOT_CONNECTED, StoreError.POOL_EXHAUSTED);

    /** Returns whether all servers decide. */
    public boolean look() {
        try {
            servers.refresh();
        } catch (RuntimeException silent) {
            reportAway(servers.of(0), words(silent, store));
            return false;
        }
        boolean decides = true;
        for (HostAndPort server : all()) {
            signals.node(server.toString());
            decides &= decides(server);
        }
        if (decides) {
            LOG.log(System.Logger.Level.INFO, "Limits are kept in Redis at {0}", store);
        }
        return decides;
    }

    /** The owners of all slots. */
    private List<HostAndPort> all() {
        return IntStream.range(0, Protocol.CLUSTER_HASHSLOTS)
                .filter(servers::hasOwner)
                .mapToObj(servers::of)
                .distinct()
                .sorted(Comparator.comparing(HostAndPort::toString))
                .toList();
    }

    /** Whether a server decides; looks at it further if it does. */
    private boolean decides(HostAndPort server) {
        try {
            patiently(() -> probe.ask(server));
        } catch (JedisRedirectionException sent) {
            reportAway(server, servers.redirectHint(sent.getTargetNode()));
            return false;
        } catch (RuntimeException failed) {
            reportAway(server, words(failed, server.toString()));
            return false;
        }
        look(server, this::warnOfMissingPermissions); // and leaves nothing of the probe
        look(server, this::warnOfServer);
        if (!servers.hasSlots()) {
            look(server, this::lookForSlots);
        }
        return true;
    }

    /** A look that fails, such as for a lack of permissions, is of no account. */
    private static void look(HostAndPort server, Consumer<HostAndPort> further) {
        try {
            further.accept(server);
        } catch (RuntimeException failed) {
            LOG.log(System.Logger.Level.DEBUG, "{0} could not be looked at further: {1}", server, failed);
        }
    }

    /**
     * Repeats a late call. No request waits yet, and the first replies take longest on both
     * sides. A connection also needs its name resolved and the classes of TLS loaded.
     */
    private static <T> T patiently(Supplier<T> call) {
        for (int tries = 1; ; tries++) {
            try {
                return call.get();
            } catch (CallFailedException failed) {
                if (!LATE.contains(failed.error()) || tries == MOST_TRIES) {
                    throw failed;
                }
            }
        }
    }

    /**
     * The reason of a failure.
     *
     * @param where the server or servers that were asked
     */
    private static String words(RuntimeException failed, String where) {
        if (RedisErrors.isOtherProtocol(failed)) {
            return "the server at " + where + " does not speak Redis' protocol";
        }
        String all = String.valueOf(failed.getMessage());
        return all.endsWith(".") ? all.substring(0, all.length() - 1) : all;
    }

    private void reportAway(HostAndPort server, String reason) {
        LOG.log(
                System.Logger.Level.WARNING,
                "LIM11: Redis at {0} does not decide: {1}. Until it does, each limit follows its onStoreFailure",
                store,
                reason);
        nodes.openBreaker(server, reason);
    }

    /** Several servers may be behind one address. */
    private void lookForSlots(HostAndPort server) {
        try {
            if (!patiently(() -> probe.keepsKeysTogether(server))) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "LIM19: {0} spreads the keys of a call over several servers, so each of them admits every limit"
                                + " once: set limiter.redis.uri to one Redis, or to a cluster",
                        server);
            }
        } catch (JedisDataException refused) {
            if (RedisErrors.of(refused) == StoreError.OTHER) {
                servers.useSlots();
                LOG.log(
                        System.Logger.Level.INFO,
                        "{0} takes a call for one slot only: {1}. If it is a node of a cluster, write redis-cluster://"
                                + " in limiter.redis.uri",
                        server,
                        refused.getMessage());
            }
        }
    }

    private void warnOfMissingPermissions(HostAndPort server) {
        List<String> refused = patiently(() -> probe.refused(server, Program.ofFile("permissions.lua")));
        if (!refused.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "LIM12: the user of limiter.redis.uri may not run {0} on {1}; limits that need them will fail."
                            + " Grant them: ACL SETUSER <user> +{2}",
                    String.join(", ", refused),
                    server,
                    String.join(" +", refused));
        }
    }

    /**
     * Warns of version, eviction and lost entries if the user may ask for them; the limiter
     * itself does not need that permission.
     */
    private void warnOfServer(HostAndPort server) {
        String info = patiently(() -> probe.info(server));
        Matcher version = TOO_OLD.matcher(info);
        if (version.find()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "LIM13: Redis at {0} is version {1}; use 6.2 or newer, since older ones are not tested",
                    server,
                    version.group(1));
        }
        Matcher eviction = EVICTION.matcher(info);
        if (eviction.find() && !eviction.group(1).equals("noeviction")) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "LIM14: Redis at {0} evicts keys when its memory is full (maxmemory-policy {1}), so their limits"
                            + " begin anew: set noeviction, on a Redis that holds nothing but limits",
                    server,
                    eviction.group(1));
        }
        if (QUEUES && info.contains("aof_enabled:0")) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "LIM15: Redis at {0} keeps no append-only file, so when it restarts, accepted entries of queues are"
                            + " lost: set appendonly yes",
                    server);
        }
    }
}
