package dev.limiter.benchmarks;

import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;

/**
 * The least filter that asks the limiter's script: a pooled {@code EVALSHA} whose reply is thrown
 * away. Script and arguments are those of {@link RecordedCall}, in hexadecimal.
 */
@ByHand.Checked
public final class ByHand implements ContainerRequestFilter {
    static final String CALL = "benchmarks.call";
    private static final RedisClient POOL = pool();

    private static final List<byte[]> WORDS = Stream.of(System.getProperty(CALL).split(","))
            .map(HexFormat.of()::parseHex)
            .toList();
    private static final byte[] SCRIPT = WORDS.get(0);
    private static final List<byte[]> ARGUMENTS = WORDS.subList(1, WORDS.size());

    /** Marks the endpoints. */
    @NameBinding
    @Retention(RetentionPolicy.RUNTIME)
    @interface Checked {}

    /** For Jersey. */
    public ByHand() {}

    @Override
    public void filter(ContainerRequestContext request) {
        String caller = request.getUriInfo().getQueryParameters().getFirst("caller");
        byte[] key = ("hand:" + caller).getBytes(StandardCharsets.UTF_8);
        POOL.evalsha(SCRIPT, List.of(key), ARGUMENTS);
    }

    /** As an application makes it: a waiting request has no place in a queue. */
    private static RedisClient pool() {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(Pools.CONNECTIONS);
        pool.setMaxIdle(Pools.CONNECTIONS);
        URI uri = URI.create(System.getProperty(HttpServer.REDIS));
        return RedisClient.builder()
                .hostAndPort(uri.getHost(), uri.getPort())
                .poolConfig(pool)
                .build();
    }
}
