package dev.limiter.redis.internal.topology;

import java.util.concurrent.TimeUnit;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;

/**
 * The servers of the store, and which of them keeps what. What it knows may be old: Redis says so when it is asked, and
 * {@link #lookAgain} finds out. Only that asks the network besides opening connections, and no request waits for it.
 */
public interface ServerTopology extends AutoCloseable {
    /** How long {@link #lookAgain} waits for the addresses of a name. */
    long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The slot of a key; 0 where there is but one server. */
    int slot(byte[] key);

    /** Who keeps a slot, as far as is known; never null, for messages need a name. */
    HostAndPort of(int slot);

    /** Whether a server is known to keep a slot. */
    default boolean isKept(int slot) {
        return true;
    }

    /** What is wrong when a server sends us to another. */
    String whySentTo(HostAndPort other);

    /**
     * A connection to the server that keeps a slot.
     *
     * @throws RuntimeException if none can be had
     */
    Connection connection(int slot);

    /**
     * A connection to a server of which another has spoken.
     *
     * @throws RuntimeException if none can be had
     */
    Connection connection(HostAndPort server);

    /** Whether anything is kept there at present, so that it is worth asking whether it is back. */
    boolean isAsked(HostAndPort server);

    /** Closes what is open and not in use: it may lead to a server that has become a replica, or nowhere any more. */
    void forgetIdle(HostAndPort server);

    /**
     * Finds out who keeps what.
     *
     * @throws RuntimeException if it cannot find that out
     */
    void lookAgain();

    @Override
    void close();
}
