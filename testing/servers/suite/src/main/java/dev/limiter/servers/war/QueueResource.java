package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.Decision;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.stream.Stream;

/** Requests that wait for a slot. */
@Path("queue")
@RequestScoped
public class QueueResource {

    @Inject
    private RateLimits limits;

    /**
     * When it was decided, its slot, and when it runs: three instants in µs, of clocks of one
     * machine.
     */
    @GET
    @Path("slot")
    @RateLimited(
            name = "slot",
            key = "'all'",
            algorithm = Algorithm.LEAKY_BUCKET,
            limit = 10,
            window = "3s",
            maxWait = "1m")
    public String slot() {
        long run = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        Decision.Admitted admission = (Decision.Admitted) limits.decisions().get(0);
        long slot = admission.atMicros() + admission.runAfter().toNanos() / 1_000;
        return admission.atMicros() + " " + slot + " " + run;
    }

    @GET
    @Path("slow")
    @RateLimited(
            name = "slow",
            key = "'all'",
            algorithm = Algorithm.LEAKY_BUCKET,
            limit = 1,
            window = "1s",
            maxWait = "1h")
    public String slow() {
        return "slow";
    }

    /** A queue whose second slot is an hour away, and a quota. */
    @GET
    @Path("both")
    @RateLimited(
            name = "queue",
            key = "'all'",
            algorithm = Algorithm.LEAKY_BUCKET,
            limit = 1,
            window = "1h",
            maxWait = "2h")
    @RateLimited(name = "quota", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 100, window = "1h")
    public String both() {
        return "both";
    }

    @GET
    @Path("never-held")
    @RateLimited(name = "quota", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 100, window = "1h")
    public String neverHeld() {
        return "never held";
    }

    /** How many threads of the server hold a request for its slot at this moment. */
    @GET
    @Path("threads")
    public long threads() {
        return Thread.getAllStackTraces().values().stream()
                .filter(QueueResource::isHolding)
                .count();
    }

    private static boolean isHolding(StackTraceElement[] stack) {
        Stream<StackTraceElement> frames = Arrays.stream(stack);
        return frames.anyMatch(frame -> frame.getClassName().equals("dev.limiter.jaxrs.internal.request.SlotWait")
                && frame.getMethodName().equals("waited"));
    }
}
