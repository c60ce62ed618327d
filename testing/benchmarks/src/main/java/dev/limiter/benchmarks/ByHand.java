package dev.limiter.benchmarks;

import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.UriInfo;
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
    static final RedisClient POOL_OF_8 = pool(8);
    static final RedisClient POOL_OF_64 = pool(64);

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
        UriInfo uri = request.getUriInfo();
        byte[] key = ("hand:" + uri.getQueryParameters().getFirst("caller")).getBytes(StandardCharsets.UTF_8);
        RedisClient pool = uri.getPath().endsWith("64") ? POOL_OF_64 : POOL_OF_8;
        pool.evalsha(SCRIPT, List.of(key), ARGUMENTS);
    }

    /** As an application makes it: a waiting request has no place in a queue. */
    private static RedisClient pool(int connections) {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(connections);
        pool.setMaxIdle(connections);
        URI uri = URI.create(System.getProperty(HttpServer.REDIS));
        return RedisClient.builder()
                .hostAndPort(uri.getHost(), uri.getPort())
                .poolConfig(pool)
                .build();
    }
}
