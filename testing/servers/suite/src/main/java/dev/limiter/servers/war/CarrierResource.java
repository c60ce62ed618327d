package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.CheckResult;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.util.stream.Collectors;

/**
 * Asks for keys and costs that only the method knows: the account in a body, the rows of a
 * result.
 */
@Path("carrier")
@RequestScoped
public class CarrierResource {
    @Inject
    private RateLimits limits;

    /** One for the account that the body names; "carrier" is declared in configuration alone. */
    @POST
    @RateLimited(name = "bookings", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 100, window = "1h")
    public String book(String account) {
        limits.acquire("carrier", account);
        return decided();
    }

    /** The filter asks for the account that a header names. */
    @GET
    @Path("filtered")
    public String filtered() {
        return decided();
    }

    /** Costs a unit, and one for each row. */
    @GET
    @Path("rows/{count}")
    @RateLimited(name = "rows", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String rows(@PathParam("count") long count) {
        long before = limits.remaining("rows");
        ChargeResult charge = limits.charge("rows", count);
        return before + " " + charge.charged() + " " + charge.remaining();
    }

    /** Answers in spite of a rejection. */
    @GET
    @Path("lenient")
    public String lenient() {
        try {
            limits.acquire("carrier", "lenient");
            return "now";
        } catch (RateLimitExceededException exceeded) {
            return "later";
        }
    }

    @GET
    @Path("wrong")
    public String wrong() {
        try {
            limits.acquire("carier", "somebody");
            return "no such policy, and admitted";
        } catch (IllegalArgumentException wrong) {
            return wrong.getMessage();
        }
    }

    private String decided() {
        return limits.decisions().stream()
                .flatMap(decision -> decision.results().stream())
                .map(CarrierResource::written)
                .collect(Collectors.joining(", "));
    }

    private static String written(CheckResult result) {
        return result.policy().name() + " " + result.remaining();
    }
}
