package zoo;

import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NameBinding;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;

/** The same limit, by a filter and a script that somebody writes for one service. */
@Path("limited")
public class Limited {
    @GET
    @Checked
    public String get() {
        return "lion, tiger";
    }

    @NameBinding
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Checked {}

    @Checked
    @Provider
    public static class Check implements ContainerRequestFilter {
        private static final String GCRA =
                """
                local time = redis.call('TIME')
                local now = time[1] * 1000000 + time[2]
                local tat = math.max(now, tonumber(redis.call('GET', KEYS[1]) or now)) + ARGV[1]
                if tat - now > tonumber(ARGV[2]) then return 0 end
                redis.call('SET', KEYS[1], tat, 'PX', math.ceil((tat - now) / 1000) + 1)
                return 1
                """;

        private final RedisClient redis = connect();
        private final String sha = redis.scriptLoad(GCRA);

        @Inject
        RoutingContext routing;

        private static RedisClient connect() {
            ConnectionPoolConfig pool = new ConnectionPoolConfig();
            pool.setMaxTotal(64);
            pool.setMaxIdle(64);
            return RedisClient.builder()
                    .hostAndPort("localhost", Integer.getInteger("redis.port"))
                    .poolConfig(pool)
                    .build();
        }

        @Override
        public void filter(ContainerRequestContext request) {
            String key = "ip:" + routing.request().remoteAddress().hostAddress();
            if (redis.evalsha(sha, List.of(key), List.of("0.01", "1000000")).equals(0L)) {
                request.abortWith(Response.status(429).header("Retry-After", 1).build());
            }
        }
    }
}
