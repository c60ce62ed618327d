package dev.limiter.example.helidon;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.SLIDING_LOG;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.concurrent.Semaphore;

/** Requests that stay in flight for as long as the test needs, beside those of the page. */
@Path("held")
@ApplicationScoped
public class HeldResource {
    private final Semaphore arrived = new Semaphore(0);
    private final Semaphore released = new Semaphore(0);

    @Inject
    RateLimits limits;

    @Inject
    DeployedLimits deployed;

    @GET
    @RateLimited(name = "held", key = "'all'", algorithm = CONCURRENCY, limit = 1)
    public String hold() throws InterruptedException {
        arrived.release();
        released.acquire();
        return "virtual: " + Thread.currentThread().isVirtual();
    }

    /** Returns when a request is in flight. */
    @POST
    @Path("arrived")
    public void awaitArrival() throws InterruptedException {
        arrived.acquire();
    }

    @POST
    @Path("released")
    public void release() {
        released.release();
    }

    @GET
    @Path("failing")
    @RateLimited(name = "failing", key = "'all'", algorithm = CONCURRENCY, limit = 1)
    public String fail() {
        throw new IllegalStateException("as the test wants");
    }

    @GET
    @Path("once")
    @RateLimited(name = "once", key = "{ip}", algorithm = SLIDING_LOG, limit = 1, window = "1h")
    public String once() {
        return "once";
    }

    /** Has no limit of its own. */
    @GET
    @Path("asked")
    public String ask() {
        limits.acquire("once", "a key of code");
        return "limit " + deployed.policy("once").limit();
    }
}
