package dev.limiter.jaxrs.internal.response;

import dev.limiter.Decision;
import dev.limiter.NotAdmittedException;
import dev.limiter.RateLimitExceededException;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.signals.RefusedFormLog;

/**
 * Makes the problem details of each refused request.
 *
 * @param policies say which names the client may know
 */
public record Problems(PolicyRegistry policies, RetryAfterHeader retryAfter, RefusedFormLog refusedForms) {
    /** The problem details of a rejection. */
    public ProblemDetails of(Decision.Rejected rejected) {
        return ProblemDetails.rejected(rejected, retryAfter.seconds(rejected), policies::isPublished);
    }

    /**
     * The problem details of a request that was not admitted. They do not name the address of
     * the store.
     */
    public ProblemDetails of(NotAdmittedException refused) {
        if (refused instanceof RateLimitExceededException exceeded) {
            return of(exceeded.rejection());
        }
        return refused.clientDetail()
                .map(detail -> ProblemDetails.rejected(detail, retryAfter.seconds(refused.retryAfter())))
                .orElseGet(ProblemDetails::unavailable);
    }

    /** The problem details of a form that a limit cannot read, which is also logged. */
    public ProblemDetails of(UnreadableFormException refused) {
        refusedForms.log(refused);
        return ProblemDetails.refused(refused.status(), refused.title(), refused.getMessage());
    }
}
