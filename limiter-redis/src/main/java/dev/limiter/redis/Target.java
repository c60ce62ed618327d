package dev.limiter.redis;

import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Where a try goes: to whoever keeps the slot, or where Redis has sent us.
 *
 * @param afresh whether idle connections were closed just before, since they led to a replica
 * @param alone whether it has been refused before, and is not to share its fate with others again
 */
record Target(HostAndPort server, int slot, boolean redirected, boolean asking, boolean afresh, boolean alone) {
    Target(HostAndPort server, int slot) {
        this(server, slot, false, false, false, false);
    }

    Target to(JedisRedirectionException redirection) {
        boolean asking = redirection instanceof JedisAskDataException;
        return new Target(redirection.getTargetNode(), slot, true, asking, afresh, true);
    }

    /** Once more, on a new connection. */
    Target again() {
        return new Target(server, slot, redirected, asking, true, true);
    }

    /** Once more, by itself. */
    Target byItself() {
        return new Target(server, slot, redirected, asking, afresh, true);
    }
}
