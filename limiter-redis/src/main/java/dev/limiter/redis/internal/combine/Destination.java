package dev.limiter.redis.internal.combine;

import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * The server of an attempt: the owner of the slot, or the server that Redis has named.
 *
 * @param withText whether to send the text of a script, since the server does not know it
 * @param onNewConnection whether idle connections were closed before, since they led to a replica
 * @param unbatched whether the call was refused before, and must not share a script call again
 */
public record Destination(
        HostAndPort server,
        int slot,
        boolean withText,
        boolean redirected,
        boolean asking,
        boolean onNewConnection,
        boolean unbatched) {
    public Destination(HostAndPort server, int slot) {
        this(server, slot, false, false, false, false, false);
    }

    public Destination to(JedisRedirectionException redirection) {
        boolean asking = redirection instanceof JedisAskDataException;
        HostAndPort target = redirection.getTargetNode();
        // A node that tells no host has that of this one.
        HostAndPort next = target.getHost().isEmpty() ? new HostAndPort(server.getHost(), target.getPort()) : target;
        return new Destination(next, slot, withText, true, asking, onNewConnection, true);
    }

    /** The same, with the text of the script. */
    public Destination sendingText() {
        return new Destination(server, slot, true, redirected, asking, onNewConnection, unbatched);
    }

    /** Another attempt, on a new connection. */
    public Destination withNewConnection() {
        return new Destination(server, slot, withText, redirected, asking, true, true);
    }

    /** Another attempt, not merged with other calls. */
    public Destination withoutBatch() {
        return new Destination(server, slot, withText, redirected, asking, onNewConnection, true);
    }
}
