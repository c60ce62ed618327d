package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.TOKEN_BUCKET;

import dev.limiter.OnStoreFailure;
import dev.limiter.RateLimited;
import io.quarkiverse.mcp.server.Tool;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** The tools of an MCP server. */
public class Tools {
    @Inject
    Forecasts forecasts;

    private static String thread() {
        return Thread.currentThread().getName();
    }

    @Tool
    @RateLimited(name = "weather", key = "{user|'nobody'}", algorithm = TOKEN_BUCKET, limit = 3, window = "1h")
    String weather() {
        return thread();
    }

    @Tool
    @RateLimited(name = "later", key = "{user|'nobody'}", algorithm = TOKEN_BUCKET, limit = 1, window = "1h")
    Uni<String> later() {
        return Uni.createFrom().item(Tools::thread);
    }

    @Tool
    String forecast() {
        return forecasts.tomorrow();
    }

    @Tool
    @RateLimited(
            name = "closed",
            key = "'all'",
            algorithm = TOKEN_BUCKET,
            limit = 100,
            window = "1h",
            onStoreFailure = OnStoreFailure.CLOSED)
    String closed() {
        return thread();
    }

    /** A service that knows nothing of tools. */
    @ApplicationScoped
    public static class Forecasts {
        @RateLimited(name = "forecasts", key = "{user|'nobody'}", algorithm = TOKEN_BUCKET, limit = 1, window = "1h")
        public String tomorrow() {
            return thread();
        }
    }
}
