package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.util.Map;

/** Shows limits and callers to an operator. */
@Path("operated")
@RequestScoped
public class OperatedResource {

    @Inject
    private RateLimiter limiter;

    @Inject
    private RateLimits limits;

    @Inject
    private DeployedLimits deployed;

    @Inject
    private RejectionObserver observer;

    @GET
    @Path("limited/{caller}")
    @RateLimited(name = "wide", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 100, window = "1h")
    @RateLimited(name = "tight", key = "{path:caller}", algorithm = Algorithm.SLIDING_LOG, limit = 2, window = "1h")
    public String limited() {
        return "limited";
    }

    @GET
    @Path("rejected")
    public String rejected() {
        return observer.rejected();
    }

    /** Where the state of a caller is, and what is left of it; no caller is charged. */
    @GET
    @Path("state/{caller}")
    public String state(@PathParam("caller") String caller) {
        Policy tight = limits.policy("tight");
        PartitionKey key = PartitionKey.of("path:caller", caller);
        return limiter.storeKey(tight, key) + ' ' + limiter.peek(tight, key).remaining();
    }

    /** What a job sees on a thread without a request: the units used, and why it has no request. */
    @GET
    @Path("job/{caller}")
    public String job(@PathParam("caller") String caller) throws InterruptedException {
        StringBuilder seen = new StringBuilder();
        Thread job = new Thread(() -> {
            Check check = deployed.check("tight", Map.of("path:caller", caller)).orElseThrow();
            seen.append(deployed.limiter().peek(check.policy(), check.key()).used());
            try {
                limits.deployed();
            } catch (RuntimeException noRequest) {
                seen.append(' ').append(noRequest.getMessage());
            }
        });
        job.start();
        job.join();
        return seen.toString();
    }
}
