package dev.limiter.jaxrs.internal.response;

import dev.limiter.Decision;
import dev.limiter.NotAdmittedException;
import dev.limiter.RateLimitExceededException;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.signals.LogThrottle;

/**
 * Makes the problem details of each refused request.
 *
 * @param policies say which names the client may know
 * @param typed whether a body has a problem type of draft 11
 */
public record Problems(PolicyRegistry policies, RetryAfterHeader retryAfter, boolean typed, LogThrottle refusedForms) {
    private static final System.Logger LOG = System.getLogger("dev.limiter.decision");

    /** The problem details of a rejection. */
    public ProblemDetails of(Decision.Rejected rejected) {
        return ProblemDetails.rejected(rejected, retryAfter.seconds(rejected), policies::isPublished, typed);
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
                .map(detail -> ProblemDetails.rejected(detail, retryAfter.seconds(refused.retryAfter()), typed))
                .orElseGet(() -> ProblemDetails.unavailable(typed));
    }

    /**
     * The problem details of a form that a limit cannot read. A line of the log, at most one a
     * minute, says how many there were. It has no content of a form.
     */
    public ProblemDetails of(UnreadableFormException refused) {
        long times = refusedForms.times();
        if (times > 0) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "{0} forms refused since the last such line; the last one with {1}: {2}",
                    Long.toString(times),
                    refused.status(),
                    refused.getMessage());
        }
        return ProblemDetails.refused(refused.status(), refused.title(), refused.getMessage());
    }
}
