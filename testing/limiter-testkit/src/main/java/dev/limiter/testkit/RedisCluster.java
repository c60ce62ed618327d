package dev.limiter.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Redis Cluster of several servers on 127.0.0.1, in which every slot has a master.
 *
 * <pre>{@code
 * try (RedisCluster cluster = RedisCluster.start(3, 1)) {
 *     connect(cluster.uri());                        // redis://127.0.0.1:14234,127.0.0.1:20815,...
 *     RedisServer busy = cluster.masterOf(cluster.slotOf("key"));
 *     cluster.kill(busy);
 *     cluster.awaitReplacementOf(busy);              // 2 to 3 s
 * }
 * }</pre>
 *
 * <p>A node counts as failed after 1 s of silence. Passwords are not for clusters: their nodes
 * would not know them of each other.
 */
public final class RedisCluster implements AutoCloseable {

    /** Slots are numbered from 0. */
    public static final int SLOTS = 16_384;

    /** Nothing listens on this port: a proxy has it for target until its server runs. */
    private static final int NOWHERE = 1;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<RedisServer> nodes = new ArrayList<>();
    private final List<FaultProxy> proxies = new ArrayList<>();

    private RedisCluster() {}

    /**
     * Starts masters, each with the same share of the slots, and their replicas; waits until every
     * node says that the cluster is in order, and every replica follows its master.
     *
     * @param masters at least 1; with a replica to be promoted at least 3, since the others vote
     * @param replicasPerMaster at least 0
     * @param extraArguments of each node, such as {@code "--cluster-require-full-coverage", "no"},
     *     with which the rest goes on to answer when a master without a replica has died
     * @throws IllegalStateException if that takes more than 30 seconds
     */
    public static RedisCluster start(int masters, int replicasPerMaster, String... extraArguments) {
        return start(false, masters, replicasPerMaster, extraArguments);
    }

    /**
     * As {@link #start}, with a proxy in front of each node. The nodes tell clients and replicas
     * the ports of the proxies. Redis 6.2 takes such a port only at its start.
     */
    public static RedisCluster startBehindProxies(int masters, int replicasPerMaster, String... extraArguments) {
        return start(true, masters, replicasPerMaster, extraArguments);
    }

    private static RedisCluster start(boolean proxied, int masters, int replicasPerMaster, String... extraArguments) {
        if (masters < 1 || replicasPerMaster < 0) {
            throw new IllegalArgumentException("masters must be at least 1 and replicas at least 0, were " + masters
                    + " and " + replicasPerMaster);
        }
        RedisCluster cluster = new RedisCluster();
        try {
            List<String> arguments = Stream.concat(
                            Stream.of("--cluster-enabled", "yes", "--cluster-node-timeout", "1000"),
                            Stream.of(extraArguments))
                    .toList();
            for (int i = 0; i < masters * (1 + replicasPerMaster); i++) {
                cluster.nodes.add(
                        proxied ? cluster.startBehindProxy(arguments) : RedisServer.start(words(arguments.stream())));
            }
            cluster.form(masters);
            return cluster;
        } catch (RuntimeException failed) {
            cluster.close();
            throw failed;
        }
    }

    /**
     * All nodes, those that were killed included; first the masters of the beginning, in the order
     * of their slots.
     */
    public List<RedisServer> nodes() {
        return List.copyOf(nodes);
    }

    /** The proxy of each node, in the order of {@link #nodes}; empty if the nodes have none. */
    public List<FaultProxy> proxies() {
        return List.copyOf(proxies);
    }

    /**
     * {@code redis://127.0.0.1:a,127.0.0.1:b} with all nodes, or with their proxies if they have
     * some.
     */
    public String uri() {
        return nodes.stream()
                .map(node -> "127.0.0.1:" + announcedPort(node))
                .collect(Collectors.joining(",", "redis://", ""));
    }

    /** The slot of a key, of the part between its first braces if there is one. */
    public int slotOf(String key) {
        return Integer.parseInt((String) anyNode().command("CLUSTER", "KEYSLOT", key));
    }

    /**
     * The node that the first one that runs takes for the master of a slot; it may have died. A
     * paused node runs, and is asked in vain.
     *
     * @param slot 0 to 16383
     */
    public RedisServer masterOf(int slot) {
        return masterOf(slot, anyNode());
    }

    /**
     * Moves a slot with its keys, which may be in use, to another master; waits until every node
     * knows.
     */
    public void migrateSlot(int slot, RedisServer to) {
        SlotMigration migration = beginMigration(slot, to);
        migration.moveKeys();
        migration.finish();
    }

    /**
     * Begins to move a slot: from now on its master sends those that ask for a key that it has not
     * to the other one, with {@code ASK}.
     *
     * @param slot 0 to 16383
     * @param to another master
     */
    public SlotMigration beginMigration(int slot, RedisServer to) {
        return SlotMigration.begin(this, slot, masterOf(slot), to);
    }

    /** Kills a node as by {@code kill -9}. */
    public void kill(RedisServer node) {
        node.kill();
    }

    /**
     * Waits until every node that runs takes a node for failed.
     *
     * @throws IllegalStateException if that takes more than 30 seconds
     */
    public void awaitFailed(RedisServer node) {
        String address = "127.0.0.1:" + announcedPort(node) + "@";
        awaitOnEachNode(
                "port " + node.port() + " has failed",
                asked -> text(asked, "CLUSTER", "NODES")
                        .lines()
                        .anyMatch(line -> line.contains(address) && line.matches("\\S+ \\S+ (\\S+,)?fail(,\\S+)? .*")));
    }

    /**
     * Waits until, as every node that runs sees it, a node has no slots any more, and the cluster
     * is in order: a replica has taken over.
     *
     * @throws IllegalStateException if that takes more than 30 seconds
     */
    public void awaitReplacementOf(RedisServer dead) {
        awaitOnEachNode(
                "port " + dead.port() + " is replaced",
                asked -> slotRanges(asked).stream().noneMatch(range -> range.port() == announcedPort(dead))
                        && isOk(asked));
    }

    /** Ends every node, and its proxy if it has one. */
    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
        nodes.forEach(RedisServer::close);
    }

    private RedisServer startBehindProxy(List<String> arguments) {
        FaultProxy proxy = FaultProxy.to("127.0.0.1", NOWHERE);
        proxies.add(proxy);
        RedisServer node = RedisServer.start(
                words(Stream.concat(arguments.stream(), Stream.of("--cluster-announce-port", "" + proxy.port()))));
        proxy.target(node);
        return node;
    }

    /** The port by which a node is known to clients and to the other nodes. */
    private int announcedPort(RedisServer node) {
        return proxies.isEmpty()
                ? node.port()
                : proxies.get(nodes.indexOf(node)).port();
    }

    private static String[] words(Stream<String> words) {
        return words.toArray(String[]::new);
    }

    void awaitOnEachNode(String what, Predicate<RedisServer> condition) {
        Eventually.await(
                what,
                PATIENCE,
                () -> nodes.stream().filter(RedisServer::isRunning).allMatch(condition));
    }

    RedisServer masterOf(int slot, RedisServer asked) {
        Objects.checkIndex(slot, SLOTS);
        return slotRanges(asked).stream()
                .filter(range -> range.contains(slot))
                .map(range -> nodeOn(range.port()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("slot " + slot + " has no master"));
    }

    private void form(int masters) {
        for (int i = 0; i < masters; i++) {
            nodes.get(i).command(addSlots(i * SLOTS / masters, (i + 1) * SLOTS / masters));
            // Masters of the same epoch would first have to settle whose is the greater one.
            nodes.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        }
        nodes.stream()
                .skip(1)
                .forEach(node -> nodes.get(0).command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(node.port())));
        awaitOnEachNode("all nodes have met", node -> knownNodes(node) == nodes.size());
        for (int i = masters; i < nodes.size(); i++) {
            nodes.get(i).command("CLUSTER", "REPLICATE", idOf(nodes.get(i % masters)));
        }
        awaitOnEachNode("the cluster is in order", node -> isOk(node) && knownReplicas(node) == nodes.size() - masters);
        awaitOnEachNode(
                "each replica follows its master",
                node -> !text(node, "INFO", "replication").contains("master_link_status:down"));
    }

    /** Redis 6.2 takes no ranges. */
    private static String[] addSlots(int first, int end) {
        return Stream.concat(
                        Stream.of("CLUSTER", "ADDSLOTS"),
                        IntStream.range(first, end).mapToObj(Integer::toString))
                .toArray(String[]::new);
    }

    static String idOf(RedisServer node) {
        return text(node, "CLUSTER", "MYID");
    }

    private RedisServer anyNode() {
        return nodes.stream()
                .filter(RedisServer::isRunning)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no node runs"));
    }

    private RedisServer nodeOn(int port) {
        return nodes.stream()
                .filter(node -> announcedPort(node) == port)
                .findFirst()
                .orElseThrow();
    }

    private static boolean isOk(RedisServer node) {
        String info = text(node, "CLUSTER", "INFO");
        return info.contains("cluster_state:ok") && info.contains("cluster_slots_ok:" + SLOTS);
    }

    private static long knownNodes(RedisServer node) {
        return text(node, "CLUSTER", "NODES")
                .lines()
                .filter(line -> !line.contains("handshake"))
                .count();
    }

    private static long knownReplicas(RedisServer node) {
        return text(node, "CLUSTER", "NODES")
                .lines()
                .filter(line -> line.contains("slave"))
                .count();
    }

    private static String text(RedisServer node, String... words) {
        return (String) node.command(words);
    }

    private static List<SlotRange> slotRanges(RedisServer node) {
        return ((List<?>) node.command("CLUSTER", "SLOTS"))
                .stream().map(range -> SlotRange.of((List<?>) range)).toList();
    }

    /** Slots that follow each other, and the port of their master. */
    private record SlotRange(int first, int last, int port) {

        /** @param reply first slot, last slot, master, replicas; the master is address, port, id */
        static SlotRange of(List<?> reply) {
            return new SlotRange(number(reply.get(0)), number(reply.get(1)), number(((List<?>) reply.get(2)).get(1)));
        }

        boolean contains(int slot) {
            return first <= slot && slot <= last;
        }

        private static int number(Object text) {
            return Integer.parseInt((String) text);
        }
    }
}
