package dev.limiter.operations;

import dev.limiter.RateLimitExempt;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/**
 * A resource that tells callers what is left of their limits. It charges nothing, and asks Redis
 * once.
 *
 * <pre>{@code
 * @Path("limits/me")
 * public class MyLimits extends CallerLimits {}
 * }</pre>
 *
 * <p>It lists each policy whose key says who calls, such as <code>{user}</code>, and nothing of
 * what is called, such as <code>{path:show}</code>. An entry has {@code policy}, {@code limit},
 * {@code used}, {@code remaining}, {@code resetAfter} in seconds, rounded up, {@code burst} if the
 * algorithm has one, of which {@code remaining} is left, and {@code tier} if the caller has one.
 *
 * <ul>
 * <li>A key with a part that the caller writes, such as <code>{header:X-Api-Key}</code>, may be
 *     another caller's and is not listed. Nor are policies that are not published, or do not count
 *     this caller.
 * <li>Keys with <code>{attribute:}</code> or <code>{bean:}</code> are listed, so whatever verifies
 *     them must do so for this resource, too.
 * <li>Limits of the application do not count the resource, except those that are decided before
 *     matching. A subclass may have limits of its own.
 * </ul>
 */
@RateLimitExempt
@Produces(MediaType.APPLICATION_JSON)
public abstract class CallerLimits {

    /** For subclasses. */
    protected CallerLimits() {}

    /**
     * {@return never, because a filter of the limiter answers}
     *
     * @throws IllegalStateException if the application has no {@code RateLimitFeature}
     */
    @GET
    public Response limits() {
        throw new IllegalStateException("the application must register RateLimitFeature, which answers this request");
    }
}
