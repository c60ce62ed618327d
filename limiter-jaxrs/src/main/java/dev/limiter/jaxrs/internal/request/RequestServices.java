package dev.limiter.jaxrs.internal.request;

import dev.limiter.Decision;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.response.Problems;
import dev.limiter.jaxrs.internal.response.RateLimitHeaders;
import dev.limiter.jaxrs.internal.response.RetryAfterHeader;
import dev.limiter.jaxrs.internal.signals.StoreFailureLog;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * What all requests of an application share.
 *
 * @param evaluator decides what filters and methods ask for
 * @param deployed the limits of the application
 * @param leases hold the leases of a request until its end
 * @param unreserved is told what a method has left unused
 * @param headers show clients the rest of their quotas
 * @param problems are told to clients that are refused
 * @param addresses name clients
 */
public record RequestServices(
        Lazy<RateLimiter> limiter,
        PolicyRegistry policies,
        LimitEvaluator evaluator,
        DeployedLimits deployed,
        LeaseRenewer leases,
        StoreFailureLog failures,
        UnreservedLimits unreserved,
        RetryAfterHeader retryAfter,
        RateLimitHeaders headers,
        Problems problems,
        Lazy<ClientAddress> addresses) {

    /**
     * The state of a request that begins.
     *
     * @param endIsCertain whether the caller certainly reports the end of the request, so that
     *     its leases may be renewed until then
     */
    public RequestState begin(boolean endIsCertain) {
        return begin(endIsCertain, List::of);
    }

    /**
     * The state of a request that begins in a servlet container.
     *
     * @param endIsCertain as above
     * @param exposedAround finds the headers that are exposed to scripts of other origins around
     *     Jakarta REST
     */
    public RequestState begin(boolean endIsCertain, Supplier<Collection<String>> exposedAround) {
        return new RequestState(this, endIsCertain, exposedAround);
    }

    /**
     * The state that a request carries; null if it carries none of this application. A request
     * that another application forwards may carry the state of that application, whose end gives
     * back to another limiter.
     */
    public RequestState known(Object carried) {
        return carried instanceof RequestState state && state.services == this ? state : null;
    }

    /** Gives units back that a response does not count. */
    void giveBack(Decision.Admitted back) {
        try {
            limiter.get().refund(back);
        } catch (StoreUnavailableException unavailable) {
            failures.log(unavailable, "units that a response gave back stay spent");
        }
    }
}
