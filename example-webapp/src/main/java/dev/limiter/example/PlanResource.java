package dev.limiter.example;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Enforcement.SOFT;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;

/**
 * A plan by the month: each request uses a unit. Requests beyond the included units are answered,
 * too, and are to be billed. The month begins on the user's billing day.
 */
@Path("plan")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class PlanResource {

    @Inject
    RateLimits limits;

    /**
     * The present month of a caller.
     *
     * @param used units, this request included
     * @param limit the included units
     * @param toBill units beyond the included ones
     * @param billingDay the day on which a month begins; the last day of a shorter month
     * @param secondsLeft until the month ends; 0 if that is not known
     */
    public record Month(long used, long limit, boolean exceeded, long toBill, int billingDay, long secondsLeft) {}

    @GET
    @RateLimited(
            name = "plan",
            key = "{user|ip}",
            algorithm = FIXED_WINDOW,
            limit = 10,
            window = "1 month from {attribute:billing-day|'1'}",
            enforcement = SOFT)
    public Month use(@Context SecurityContext security) {
        long used = limits.used("plan");
        long limit = limits.policy("plan").limit();
        return new Month(
                used,
                limit,
                limits.isExceeded("plan"),
                Math.max(0, used - limit),
                DemoUsers.billingDay(security.getUserPrincipal()),
                secondsLeft());
    }

    /** The headers tell it only while something is left. */
    private long secondsLeft() {
        return limits.decisions().stream()
                .flatMap(decision -> decision.results().stream())
                .filter(result -> result.policy().name().equals("plan"))
                .mapToLong(result -> result.resetAfterMicros() / 1_000_000)
                .findFirst()
                .orElse(0);
    }
}
