package dev.limiter.example;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.LEAKY_BUCKET;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.SLIDING_WINDOW;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;
import static dev.limiter.Refill.INTERVAL;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;

/** One endpoint for each algorithm, to compare them. It is no bean: a limit needs none. */
@Path("strategies")
@Produces(MediaType.APPLICATION_JSON)
public class StrategyResource {

    @GET
    @Path("fixed-window")
    @RateLimited(name = "fixed-window", key = "{user|ip}", algorithm = FIXED_WINDOW, limit = 10, window = "10s")
    public Map<String, String> fixedWindow() {
        return admittedBy(FIXED_WINDOW);
    }

    @GET
    @Path("sliding-log")
    @RateLimited(name = "sliding-log", key = "{user|ip}", algorithm = SLIDING_LOG, limit = 10, window = "10s")
    public Map<String, String> slidingLog() {
        return admittedBy(SLIDING_LOG);
    }

    @GET
    @Path("gcra")
    @RateLimited(name = "gcra", key = "{user|ip}", algorithm = GCRA, limit = 10, window = "10s")
    public Map<String, String> gcra() {
        return admittedBy(GCRA);
    }

    @GET
    @Path("token-bucket")
    @RateLimited(name = "token-bucket", key = "{user|ip}", algorithm = TOKEN_BUCKET, limit = 10, window = "10s")
    public Map<String, String> tokenBucket() {
        return admittedBy(TOKEN_BUCKET);
    }

    @GET
    @Path("uniform")
    @RateLimited(name = "uniform", key = "{user|ip}", algorithm = UNIFORM, limit = 1, window = "1s")
    public Map<String, String> uniform() {
        return admittedBy(UNIFORM);
    }

    @GET
    @Path("sliding-window")
    @RateLimited(name = "sliding-window", key = "{user|ip}", algorithm = SLIDING_WINDOW, limit = 10, window = "10s")
    public Map<String, String> slidingWindow() {
        return admittedBy(SLIDING_WINDOW);
    }

    @GET
    @Path("token-bucket-interval")
    @RateLimited(
            name = "token-bucket-interval",
            key = "{user|ip}",
            algorithm = TOKEN_BUCKET,
            refill = INTERVAL,
            limit = 10,
            window = "10s",
            burst = 20)
    public Map<String, String> tokenBucketInterval() {
        return admittedBy(TOKEN_BUCKET);
    }

    @GET
    @Path("leaky-bucket")
    @RateLimited(
            name = "leaky-bucket",
            key = "{user|ip}",
            algorithm = LEAKY_BUCKET,
            limit = 10,
            window = "10s",
            maxWait = "2s")
    public Map<String, String> leakyBucket() {
        return admittedBy(LEAKY_BUCKET);
    }

    /** Takes a second, as a request that such a limit protects. */
    @GET
    @Path("concurrency")
    @RateLimited(name = "concurrency", key = "{user|ip}", algorithm = CONCURRENCY, limit = 3)
    public Map<String, String> concurrency() throws InterruptedException {
        Thread.sleep(1_000);
        return admittedBy(CONCURRENCY);
    }

    private static Map<String, String> admittedBy(Algorithm algorithm) {
        return Map.of("admittedBy", algorithm.name());
    }
}
