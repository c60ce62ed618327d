package dev.limiter.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * A slot on its way from one master to another, key by key, as {@code redis-cli --cluster reshard}
 * moves it.
 *
 * <p>In between, keys that are still at the old master are served there, and all others, new ones
 * too, at the new one, by clients that say {@code ASKING} first.
 */
public final class SlotMigration {

    private static final String KEYS_AT_A_TIME = "100";
    private static final String MIGRATE_MILLIS = "5000";

    private final RedisCluster cluster;
    private final String slot;
    private final RedisServer from;
    private final RedisServer to;

    private SlotMigration(RedisCluster cluster, int slot, RedisServer from, RedisServer to) {
        this.cluster = cluster;
        this.slot = Integer.toString(slot);
        this.from = from;
        this.to = to;
    }

    static SlotMigration begin(RedisCluster cluster, int slot, RedisServer from, RedisServer to) {
        SlotMigration migration = new SlotMigration(cluster, slot, from, to);
        // In this order no client is sent to where the slot is not expected yet.
        to.command("CLUSTER", "SETSLOT", migration.slot, "IMPORTING", RedisCluster.idOf(from));
        from.command("CLUSTER", "SETSLOT", migration.slot, "MIGRATING", RedisCluster.idOf(to));
        return migration;
    }

    /** The master that gives the slot away. */
    public RedisServer from() {
        return from;
    }

    /** The master that takes the slot over. */
    public RedisServer to() {
        return to;
    }

    /** Moves what keys there are. */
    public void moveKeys() {
        for (List<?> keys = keysLeft(); !keys.isEmpty(); keys = keysLeft()) {
            List<String> migrate = new ArrayList<>(
                    List.of("MIGRATE", "127.0.0.1", Integer.toString(to.port()), "", "0", MIGRATE_MILLIS, "KEYS"));
            keys.forEach(key -> migrate.add((String) key));
            from.command(migrate.toArray(String[]::new));
        }
    }

    /**
     * Gives the slot to the new master, and waits until every node knows.
     *
     * @throws IllegalStateException if there are keys left at the old one
     */
    public void finish() {
        String owner = RedisCluster.idOf(to);
        if (!keysLeft().isEmpty()) {
            throw new IllegalStateException("slot " + slot + " still has keys on port " + from.port());
        }
        to.command("CLUSTER", "SETSLOT", slot, "NODE", owner);
        from.command("CLUSTER", "SETSLOT", slot, "NODE", owner);
        cluster.awaitOnEachNode(
                "slot " + slot + " belongs to port " + to.port(),
                node -> cluster.masterOf(Integer.parseInt(slot), node) == to);
    }

    private List<?> keysLeft() {
        return (List<?>) from.command("CLUSTER", "GETKEYSINSLOT", slot, KEYS_AT_A_TIME);
    }
}
