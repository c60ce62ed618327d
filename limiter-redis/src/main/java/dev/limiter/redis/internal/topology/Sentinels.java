package dev.limiter.redis.internal.topology;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Asks sentinels for the master, and knows the one that they named last. */
final class Sentinels {
    private final RedisUri uri;
    private final NodePools pools;
    private final JedisClientConfig client;
    private final Map<HostAndPort, Long> epochs = new HashMap<>();
    private volatile HostAndPort master;

    /** @param pools open the connections, with their time-outs and their TLS */
    Sentinels(RedisUri uri, NodePools pools) {
        this.uri = uri;
        this.pools = pools;
        this.client = DefaultJedisClientConfig.builder()
                .serverDefaultProtocol()
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .user(uri.sentinelUser())
                .password(uri.sentinelPassword())
                .build();
    }

    /** The master; null if none has been named yet. */
    HostAndPort master() {
        return master;
    }

    /**
     * A connection to a sentinel.
     *
     * @throws JedisException if there is none; it names the sentinel and the reason
     */
    Connection open(HostAndPort sentinel) {
        try {
            return new Connection(pools.sockets(pools.resolved(sentinel)), client);
        } catch (JedisDataException refused) {
            throw refusal(sentinel, refused);
        }
    }

    /**
     * Asks a sentinel for the master, and believes it unless another one knows a newer
     * configuration.
     *
     * @throws JedisException if it names none
     */
    void ask(HostAndPort sentinel) {
        try (Connection asked = open(sentinel)) {
            long epoch = epoch(asked); // first: an address that is older than its epoch would be believed
            asked.sendCommand(Protocol.Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", uri.master());
            if (!(asked.getOne() instanceof List<?> address)) {
                throw new JedisException("the sentinel at " + sentinel + " does not know it");
            }
            HostAndPort named = new HostAndPort(text(address.get(0)), Integer.parseInt(text(address.get(1))));
            synchronized (epochs) {
                epochs.put(sentinel, epoch);
                if (epochs.values().stream().noneMatch(other -> other > epoch)) {
                    master = named;
                }
            }
        } catch (JedisDataException refused) {
            throw refusal(sentinel, refused);
        }
    }

    /** How often the master has changed, as the sentinel knows; 0 if it does not tell. */
    private long epoch(Connection asked) {
        asked.sendCommand(Protocol.Command.SENTINEL, "MASTER", uri.master());
        try {
            List<String> fields =
                    ((List<?>) asked.getOne()).stream().map(Sentinels::text).toList();
            return Long.parseLong(fields.get(fields.indexOf("config-epoch") + 1));
        } catch (JedisDataException unknown) {
            return 0; // it does not know the master, or its user may not ask
        }
    }

    private static JedisException refusal(HostAndPort sentinel, JedisDataException refused) {
        return new JedisException("the sentinel at " + sentinel + " says " + refused.getMessage(), refused);
    }

    private static String text(Object word) {
        return new String((byte[]) word, StandardCharsets.UTF_8);
    }
}
