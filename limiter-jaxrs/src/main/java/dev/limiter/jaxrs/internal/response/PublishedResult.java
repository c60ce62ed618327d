package dev.limiter.jaxrs.internal.response;

import dev.limiter.ChargeResult;
import dev.limiter.CheckResult;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;

/**
 * The result of one policy as the client sees it.
 *
 * @param policy the numbers that held for the caller
 * @param result what the limiter said last
 */
public record PublishedResult(EffectivePolicy policy, CheckResult result) {

    /** The same after a charge; null if the store does not know of it. */
    public PublishedResult after(ChargeResult charge) {
        return charge.fallback()
                ? null
                : new PublishedResult(
                        policy,
                        new CheckResult(
                                result.policy(),
                                result.admitted(),
                                charge.remaining(),
                                charge.used(),
                                result.runAfterMicros(),
                                result.retryAfterMicros(),
                                charge.nextAfterMicros(),
                                charge.resetAfterMicros(),
                                false));
    }
}
