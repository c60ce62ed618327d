package dev.limiter.jaxrs.internal.request;

import dev.limiter.Decision;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.signals.StoreFailureLog;

/**
 * Gives back at the end of a request: leases, and units that its response does not count.
 *
 * @param unacquired is told what the method has left unused
 */
public record RequestEnd(
        Lazy<RateLimiter> limiter, LeaseRenewer leases, StoreFailureLog failures, UnacquiredLimits unacquired) {
    /**
     * Holds the leases of a request until its end.
     *
     * @param admission what was admitted, of its policies only those that lease
     * @param endIsCertain whether the end of the request is certainly reported
     */
    LeaseRenewer.HeldLease hold(Decision.Admitted admission, boolean endIsCertain) {
        return leases.hold(admission, endIsCertain);
    }

    /** Gives units back that a response does not count. */
    void giveBack(Decision.Admitted back) {
        try {
            limiter.get().refund(back);
        } catch (StoreUnavailableException unavailable) {
            failures.log(unavailable, "what a response did not count stays spent");
        }
    }
}
