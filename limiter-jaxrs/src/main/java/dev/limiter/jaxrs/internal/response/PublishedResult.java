package dev.limiter.jaxrs.internal.response;

import dev.limiter.ChargeResult;
import dev.limiter.CheckResult;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;

/**
 * The result of one policy as the client sees it.
 *
 * @param policy the one that held for the caller
 * @param result what the limiter said last
 */
public record PublishedResult(EffectivePolicy policy, CheckResult result) {

    /**
     * The same after a charge, with the policy that held for it: the method may have asked for
     * a key with another quota. Null if the store does not know of the charge.
     */
    public PublishedResult after(ChargeResult charge) {
        boolean same = charge.policy().equals(result.policy());
        return charge.fallback()
                ? null
                : new PublishedResult(
                        same ? policy : EffectivePolicy.of(charge.policy(), true),
                        new CheckResult(
                                charge.policy(),
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
