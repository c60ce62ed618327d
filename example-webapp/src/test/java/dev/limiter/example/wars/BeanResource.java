package dev.limiter.example.wars;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.time.Duration;

/** Uses the limiter as a bean, and is limited by it. */
@Path("bean")
@RequestScoped
public class BeanResource {
    private static final Policy MAILS = Policy.of("mails", Algorithm.SLIDING_LOG, 3, Duration.ofHours(1));

    @Inject
    RateLimiter limiter;

    @GET
    @Path("injected")
    public long injected() {
        return limiter.acquire(MAILS, PartitionKey.of("tenant", "acme"))
                .results()
                .get(0)
                .remaining();
    }

    @GET
    @Path("limited")
    @RateLimited(name = "limited", key = "{ip}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String limited() {
        return "limited";
    }
}
