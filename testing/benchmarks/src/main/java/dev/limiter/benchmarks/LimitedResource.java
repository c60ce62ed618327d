package dev.limiter.benchmarks;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import java.net.URI;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;

/**
 * The same endpoint with a limit that admits, with one that rejects, and with a {@code GET} of a
 * pooled client instead.
 */
@Path("")
public final class LimitedResource {

    /** For Jersey. */
    public LimitedResource() {}

    @GET
    @Path("limited")
    @RateLimited(name = "admits", key = "{query:caller}", algorithm = Algorithm.GCRA, limit = 10_000_000, window = "1s")
    public String limited() {
        return "ok";
    }

    @GET
    @Path("rejected")
    @RateLimited(name = "rejects", key = "{query:caller}", algorithm = Algorithm.GCRA, limit = 1, window = "1d")
    public String rejected() {
        return "ok";
    }

    @GET
    @Path("get")
    public String get(@QueryParam("caller") String caller) {
        String text = Pooled.JEDIS.get("caller:" + caller);
        return text == null ? "ok" : text;
    }

    /** Made with the first request for it. */
    private static final class Pooled {
        private static final int CONNECTIONS = 8;
        static final RedisClient JEDIS = client();

        private static RedisClient client() {
            ConnectionPoolConfig pool = new ConnectionPoolConfig();
            pool.setMaxTotal(CONNECTIONS);
            pool.setMaxIdle(CONNECTIONS);
            URI uri = URI.create(System.getProperty(HttpServer.REDIS));
            return RedisClient.builder()
                    .hostAndPort(uri.getHost(), uri.getPort())
                    .poolConfig(pool)
                    .build();
        }
    }
}
