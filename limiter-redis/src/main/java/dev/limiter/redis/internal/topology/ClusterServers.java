package dev.limiter.redis.internal.topology;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisClusterOperationException;

/** The masters of a cluster, each with its slots and its connections. */
public final class ClusterServers extends ServerTopology {
    private final RedisUri uri;
    private final JedisClientConfig client;

    /** The owner of each slot; null if none is known. */
    private volatile HostAndPort[] owners = new HostAndPort[Protocol.CLUSTER_HASHSLOTS];

    /** Masters and replicas, as they were named last; none before the first look. */
    private volatile Set<HostAndPort> nodes = Set.of();

    public ClusterServers(RedisUri uri, JedisClientConfig client, NodePools pools) {
        super(pools);
        this.uri = uri;
        this.client = client;
    }

    @Override
    public boolean hasSlots() {
        return true;
    }

    @Override
    public HostAndPort of(int slot) {
        HostAndPort owner = owners[slot];
        return owner == null ? uri.hosts().get(0) : owner;
    }

    @Override
    public boolean hasOwner(int slot) {
        return nodes.isEmpty() || owners[slot] != null;
    }

    @Override
    public String redirectHint(HostAndPort other) {
        return "the slot has moved to " + other;
    }

    @Override
    public Connection connection(int slot) {
        HostAndPort owner = owners[slot];
        if (owner == null) {
            throw new JedisClusterOperationException("no node of the cluster is known to keep slot " + slot);
        }
        return pools.connection(owner);
    }

    @Override
    public Connection connection(HostAndPort server) {
        return pools.connection(server);
    }

    @Override
    public boolean isPrimary(HostAndPort server) {
        return nodes.isEmpty() || Arrays.asList(owners).contains(server);
    }

    @Override
    public synchronized void refresh() {
        Set<HostAndPort> all = new LinkedHashSet<>(uri.hosts());
        all.addAll(nodes);
        pools.askOneOf(all, node -> {
            try (Connection asked = new Connection(pools.sockets(pools.resolved(node)), client)) {
                asked.sendCommand(Protocol.Command.CLUSTER, "SLOTS");
                learn(asked.getObjectMultiBulkReply(), node);
            }
        });
    }

    /** @param ranges each has its first slot, its last slot, its master, then replicas */
    private void learn(List<Object> ranges, HostAndPort asked) {
        if (ranges.isEmpty()) {
            throw new JedisClusterOperationException(asked + " belongs to no cluster"); // as after a reset
        }
        HostAndPort[] found = new HostAndPort[Protocol.CLUSTER_HASHSLOTS];
        Set<HostAndPort> named = new HashSet<>();
        for (Object each : ranges) {
            List<?> range = (List<?>) each;
            int first = ((Long) range.get(0)).intValue();
            int end = ((Long) range.get(1)).intValue() + 1;
            Arrays.fill(found, first, end, address((List<?>) range.get(2), asked));
            range.stream().skip(2).forEach(node -> named.add(address((List<?>) node, asked)));
        }
        owners = found;
        nodes = named;
        pools.keepOnly(named::contains);
    }

    /** A node that tells no host has that of the node that was asked. */
    private static HostAndPort address(List<?> node, HostAndPort asked) {
        byte[] host = (byte[]) node.get(0);
        String name = host == null ? "" : new String(host, StandardCharsets.UTF_8);
        return new HostAndPort(name.isEmpty() ? asked.getHost() : name, ((Long) node.get(1)).intValue());
    }
}
