package dev.limiter.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.commands.ProtocolCommand;

/** Servers that keep every slot at the first of them, and answer as a test says; nothing is sent anywhere. */
final class FakeServers implements Servers {
    static final HostAndPort FIRST = new HostAndPort("first", 1);
    static final HostAndPort SECOND = new HostAndPort("second", 2);

    final List<HostAndPort> asked = new CopyOnWriteArrayList<>();
    final List<Boolean> givenBackBroken = new CopyOnWriteArrayList<>();
    final AtomicInteger looks = new AtomicInteger();
    final AtomicInteger forgotten = new AtomicInteger();
    final List<HostAndPort> toldAsking = new CopyOnWriteArrayList<>();
    volatile HostAndPort keeper = FIRST;
    volatile Runnable connecting = () -> {};

    /** What a server answers; it may throw. */
    volatile Function<HostAndPort, Object> answer = server -> new ArrayList<>(List.of(1L));

    @Override
    public int slot(CommandArguments command) {
        return 0;
    }

    @Override
    public HostAndPort of(int slot) {
        return keeper;
    }

    @Override
    public Connection connection(int slot) {
        return connection(keeper);
    }

    @Override
    public Connection connection(HostAndPort server) {
        connecting.run();
        return new Fake(server);
    }

    @Override
    public String whySentTo(HostAndPort other) {
        return "sent to " + other;
    }

    @Override
    public boolean isAsked(HostAndPort server) {
        return keeper.equals(server);
    }

    @Override
    public void forgetIdle(HostAndPort server) {
        forgotten.incrementAndGet();
    }

    @Override
    public void lookAgain() {
        looks.incrementAndGet();
    }

    @Override
    public void close() {
        // nothing is open
    }

    private final class Fake extends Connection {
        private final HostAndPort server;

        Fake(HostAndPort server) {
            super(server);
            this.server = server;
        }

        @Override
        public Object executeCommand(ProtocolCommand asking) {
            toldAsking.add(server);
            return "OK";
        }

        @Override
        @SuppressWarnings("unchecked")
        public <T> T executeCommand(CommandObject<T> command) {
            asked.add(server);
            return (T) answer.apply(server);
        }

        @Override
        public void close() {
            givenBackBroken.add(isBroken());
        }
    }
}
