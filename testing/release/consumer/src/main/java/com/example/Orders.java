package com.example;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.outbound.RateLimitClientFeature;
import dev.limiter.queue.BoundedQueues;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.client.ClientBuilder;

/** Names a type of each module. */
@Path("orders")
public class Orders {
    private final RateLimiter limiter = new LocalRateLimiter();
    private final BoundedQueues queues = BoundedQueues.of(limiter);

    @GET
    @RateLimited(key = "{ip}", algorithm = Algorithm.GCRA, limit = 60, window = "1m")
    public String all() {
        return ClientBuilder.newClient().register(RateLimitClientFeature.of("partner")) + " " + queues;
    }
}
