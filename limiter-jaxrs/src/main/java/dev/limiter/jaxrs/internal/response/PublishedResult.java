package dev.limiter.jaxrs.internal.response;

import dev.limiter.ChargeResult;
import dev.limiter.CheckResult;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;

/**
 * What the client is told of one policy.
 *
 * @param quota the numbers that held for the caller
 * @param answer what the limiter said last
 */
public record PublishedResult(EffectivePolicy quota, CheckResult answer) {

    /** The same with what is left after a charge; null if the store does not know of it. */
    public PublishedResult after(ChargeResult charge) {
        return charge.fallback()
                ? null
                : new PublishedResult(
                        quota,
                        new CheckResult(
                                answer.policy(),
                                answer.admitted(),
                                charge.remaining(),
                                answer.runAfterMicros(),
                                answer.retryAfterMicros(),
                                charge.nextAfterMicros(),
                                charge.resetAfterMicros()));
    }
}
