package dev.limiter.redis.internal.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.commands.ProtocolCommand;

/**
 * Servers of which the first owns every slot. The test sets their replies; no bytes are sent.
 */
public final class FakeServers extends ServerTopology {
    public static final HostAndPort FIRST = new HostAndPort("first", 1);
    public static final HostAndPort SECOND = new HostAndPort("second", 2);

    public final List<HostAndPort> asked = new CopyOnWriteArrayList<>();
    public final List<Boolean> givenBackBroken = new CopyOnWriteArrayList<>();
    public final AtomicInteger looks = new AtomicInteger();
    public final AtomicInteger forgotten = new AtomicInteger();
    public final List<HostAndPort> toldAsking = new CopyOnWriteArrayList<>();
    public final List<Integer> leftUnheard = new CopyOnWriteArrayList<>();

    /** How many commands each round trip had, when it is over. */
    public final List<Integer> sentTogether = new CopyOnWriteArrayList<>();

    public volatile HostAndPort owner = FIRST;

    /**
     * The owner of a slot, if not all slots have the same; null for a slot without a known
     * owner.
     */
    public volatile IntFunction<HostAndPort> owners = slot -> owner;

    /** The slot of a key. */
    public volatile ToIntFunction<byte[]> slots = key -> 0;

    /** Runs at a refresh of the topology; it may throw. */
    public volatile Runnable looking = () -> {};

    /** Runs at ASKING; it may throw. */
    public volatile Runnable whenToldAsking = () -> {};

    public volatile Runnable connecting = () -> {};

    /** Runs when another thread closes a connection. */
    public volatile Runnable cutOff = () -> {};

    /** The reply of a server; it may throw. */
    public volatile Function<HostAndPort, Object> answer = server -> new ArrayList<>(List.of(1L));

    /** The reply of a server to a command; it may throw. */
    public volatile BiFunction<HostAndPort, CommandArguments, Object> reply = (server, command) -> answer.apply(server);

    public volatile boolean usesSlots;

    public FakeServers() {
        super(null);
    }

    @Override
    public void useSlots() {
        usesSlots = true;
    }

    @Override
    public int slot(byte[] key) {
        return slots.applyAsInt(key);
    }

    @Override
    public HostAndPort of(int slot) {
        HostAndPort found = owners.apply(slot);
        return found == null ? owner : found;
    }

    @Override
    public boolean hasOwner(int slot) {
        return owners.apply(slot) != null;
    }

    @Override
    public Connection connection(int slot) {
        return connection(of(slot));
    }

    @Override
    public Connection connection(HostAndPort server) {
        connecting.run();
        return new Fake(server);
    }

    @Override
    public String redirectHint(HostAndPort other) {
        return "sent to " + other;
    }

    @Override
    public boolean isPrimary(HostAndPort server) {
        return owner.equals(server);
    }

    @Override
    public void forgetIdle(HostAndPort server) {
        forgotten.incrementAndGet();
    }

    @Override
    public void refresh() {
        looks.incrementAndGet();
        looking.run();
    }

    @Override
    public void close() {
        // nothing is open
    }

    private final class Fake extends Connection {
        private final HostAndPort server;
        private final Queue<Object> unanswered = new ArrayDeque<>();
        private int sent;

        Fake(HostAndPort server) {
            super(server);
            this.server = server;
        }

        @Override
        public void sendCommand(ProtocolCommand asking) {
            toldAsking.add(server);
            unanswered.add(whenToldAsking);
        }

        @Override
        public void sendCommand(CommandArguments command) {
            asked.add(server);
            unanswered.add(command);
            sent++;
        }

        @Override
        public Object getOne() {
            Object next = unanswered.remove();
            if (next instanceof CommandArguments command) {
                return reply.apply(server, command);
            }
            ((Runnable) next).run();
            return "OK";
        }

        @Override
        public void forceDisconnect() {
            setBroken();
            cutOff.run();
        }

        @Override
        public void close() {
            sentTogether.add(sent);
            givenBackBroken.add(isBroken());
            leftUnheard.add(unanswered.size());
        }
    }
}
