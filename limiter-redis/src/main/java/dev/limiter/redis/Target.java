package dev.limiter.redis;

import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Where a try goes: to whoever keeps the slot, or where Redis has sent us.
 *
 * @param afresh whether idle connections were closed just before, since they led to a replica
 */
record Target(HostAndPort server, int slot, boolean redirected, boolean asking, boolean afresh) {
    Target(HostAndPort server, int slot) {
        this(server, slot, false, false, false);
    }

    Target to(JedisRedirectionException redirection) {
        boolean asking = redirection instanceof JedisAskDataException;
        return new Target(redirection.getTargetNode(), slot, true, asking, afresh);
    }

    Target again() {
        return new Target(server, slot, redirected, asking, true);
    }
}
