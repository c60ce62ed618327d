package dev.limiter.redis.internal.node;

import dev.limiter.redis.internal.combine.CallFailedException;
import dev.limiter.redis.internal.combine.RedisErrors;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.topology.ServerTopology;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Checks Redis when the limiter is made, and logs what an operator should mend before users
 * notice. The application starts in any case: a Redis that is late is asked until it answers.
 */
public final class StartupDiagnostics {
    private static final System.Logger LOG = System.getLogger("dev.limiter.store");
    private static final Pattern VERSION = Pattern.compile("redis_version:((\\d+)\\.(\\d+)[^\\r\\n]*)");
    private static final Pattern EVICTION = Pattern.compile("maxmemory_policy:(\\S+)");
    private static final int MOST_TRIES = 3;

    /** Whether the application has queues, which cannot be asked: they are made later. */
    private static final boolean QUEUES =
            StartupDiagnostics.class.getResource("/dev/limiter/queue/BoundedQueue.class") != null;

    private static final Set<StoreError> LATE =
            EnumSet.of(StoreError.TIMED_OUT, StoreError.NOT_CONNECTED, StoreError.POOL_EXHAUSTED);
    private static final int SLOTS = 16_384;
    private static final int OLDEST_MAJOR = 6;
    private static final int OLDEST_MINOR = 2;

    private final Nodes nodes;
    private final ServerTopology servers;
    private final Probe probe;
    private final String store;
    private final Signals signals;

    /**
     * @param store its name in messages
     * @param signals receive each node
     */
    public StartupDiagnostics(Nodes nodes, ServerTopology servers, Probe probe, String store, Signals signals) {
        this.nodes = nodes;
        this.servers = servers;
        this.probe = probe;
        this.store = store;
        this.signals = signals;
    }

    public void look() {
        try {
            servers.refresh();
        } catch (RuntimeException silent) {
            reportAway(servers.of(0), words(silent, store));
            return;
        }
        boolean decides = true;
        for (HostAndPort server : all()) {
            signals.node(server.toString());
            decides &= decides(server);
        }
        if (decides) {
            LOG.log(System.Logger.Level.INFO, "Limits are kept in Redis at {0}", store);
        }
    }

    /** The owners of all slots. */
    private List<HostAndPort> all() {
        TreeSet<HostAndPort> all = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
        for (int slot = 0; slot < SLOTS; slot++) {
            if (servers.hasOwner(slot)) {
                all.add(servers.of(slot));
            }
        }
        return List.copyOf(all);
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
        warnOfMissingPermissions(server); // and leaves nothing of the probe
        warnOfServer(server);
        return true;
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
     * The reasons of a failure. Jedis adds the reasons of each of several servers as suppressed
     * exceptions.
     *
     * @param where the server or servers that were asked
     */
    private static String words(RuntimeException failed, String where) {
        if (RedisErrors.isOtherProtocol(failed)) {
            return "the server at " + where + " does not speak Redis' protocol";
        }
        String all = all(failed);
        return all.endsWith(".") ? all.substring(0, all.length() - 1) : all;
    }

    private static String all(Throwable failed) {
        Throwable[] beside = failed.getSuppressed();
        String words = String.valueOf(failed.getMessage());
        return beside.length == 0 ? words : words + " " + all(beside[0]);
    }

    private void reportAway(HostAndPort server, String reason) {
        LOG.log(
                System.Logger.Level.WARNING,
                "LIM11: Redis at {0} does not decide: {1}. Until it does, onStoreFailure says what becomes of limited requests",
                store,
                reason);
        nodes.openBreaker(server, reason);
    }

    private void warnOfMissingPermissions(HostAndPort server) {
        try {
            List<String> refused = patiently(() -> probe.refused(server, Program.permissions()));
            if (!refused.isEmpty()) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "LIM12: the user of limiter.redis.uri may not run {0} on {1}; limits that need them will fail. Grant them:"
                                + " ACL SETUSER <user> +{2}",
                        String.join(", ", refused),
                        server,
                        String.join(" +", refused));
            }
        } catch (RuntimeException failed) {
            LOG.log(System.Logger.Level.DEBUG, "The permissions on {0} could not be looked at: {1}", server, failed);
        }
    }

    /**
     * Warns of version, eviction and lost entries if the user may ask for them; the limiter
     * itself does not need that permission.
     */
    private void warnOfServer(HostAndPort server) {
        try {
            String info = patiently(() -> probe.info(server));
            Matcher version = VERSION.matcher(info);
            if (version.find() && isOlder(version)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "LIM13: Redis at {0} is version {1}; the limiter is made for 6.2 and newer",
                        server,
                        version.group(1));
            }
            Matcher eviction = EVICTION.matcher(info);
            if (eviction.find() && !eviction.group(1).equals("noeviction")) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "LIM14: Redis at {0} evicts keys when its memory is full (maxmemory-policy {1}), and with them what was"
                                + " counted: set noeviction, on a Redis that holds nothing but limits",
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
        } catch (RuntimeException refused) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "Version and settings of {0} could not be looked at: {1}",
                    server,
                    refused);
        }
    }

    private static boolean isOlder(Matcher version) {
        int major = Integer.parseInt(version.group(2));
        int minor = Integer.parseInt(version.group(3));
        return major < OLDEST_MAJOR || major == OLDEST_MAJOR && minor < OLDEST_MINOR;
    }
}
