package dev.limiter.operations;

import dev.limiter.RateLimitExempt;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/**
 * A resource that tells a caller what is left of its limits. Nothing is spent, and Redis is asked
 * once.
 *
 * <pre>{@code
 * @Path("limits/me")
 * public class MyLimits extends CallerLimits {}
 * }</pre>
 *
 * <p>It lists each policy whose key says who calls, such as <code>{user}</code>, and nothing of
 * what is called, such as <code>{path:show}</code>. A key with a part that the caller writes, such
 * as <code>{header:X-Api-Key}</code>, may be another caller's and is not listed. One with
 * <code>{attribute:}</code> or <code>{bean:}</code> is: what verifies it must do so for this
 * resource, too. A policy that is not published is not listed, nor is one that does not count
 * this caller. An entry has {@code policy}, {@code limit}, {@code used}, {@code remaining},
 * {@code resetAfter} in seconds, rounded up, {@code burst} if the algorithm has one, of which
 * {@code remaining} is left, and {@code tier} where the caller has one.
 *
 * <p>Limits of the application do not count it, except those that are decided before matching. A
 * subclass may have limits of its own.
 */
@RateLimitExempt
@Produces(MediaType.APPLICATION_JSON)
public abstract class CallerLimits {

    /** For subclasses. */
    protected CallerLimits() {}

    /**
     * {@return never: a filter of the limiter answers}
     *
     * @throws IllegalStateException if the application has no {@code RateLimitFeature}
     */
    @GET
    public Response limits() {
        throw new IllegalStateException("the application has no RateLimitFeature, which answers this request");
    }
}
