package dev.limiter.local.internal.fallback;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Enforcement;
import dev.limiter.InvalidPolicyException;
import dev.limiter.OnStoreFailure;
import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.algorithm.PolicyMember;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The part of a policy's limit that one of several processes has when the store fails.
 *
 * <p>Of 100 per 10 s with burst 20, one of four processes has 100 per 40 s with burst 5 if the
 * algorithm keeps a rate, and 25 per 10 s if it counts units. No part is smaller than one unit:
 * of a limit of 1 each process has 1. A soft limit is not divided, since it rejects no request.
 */
public final class InstanceQuota {
    private static final BigInteger FOR_EVER = BigInteger.valueOf(Long.MAX_VALUE / 4);

    private final Policy policy;
    private final Policy own;
    private final OnStoreFailure onStoreFailure;
    private final long recoveryMicros;
    private final AtomicLong recoveredMicros;

    /**
     * @param onStoreFailure of this policy; not {@code CONFIGURED}
     * @param processes into how many parts the limit is divided; at least 1
     * @param recoveredMicros the instant until which both must admit some partition; the same
     *     for all policies of this name, which may be tiers
     */
    public InstanceQuota(Policy policy, OnStoreFailure onStoreFailure, int processes, AtomicLong recoveredMicros) {
        this.policy = policy;
        boolean whole = processes == 1 || policy.enforcement() == Enforcement.SOFT;
        this.own = whole ? policy : divided(policy, processes);
        this.onStoreFailure = onStoreFailure;
        this.recoveryMicros = policy.rules()
                .quotaMicros()
                .max(BigInteger.valueOf(policy.windowMicros()))
                .min(FOR_EVER)
                .longValueExact();
        this.recoveredMicros = recoveredMicros;
    }

    OnStoreFailure onStoreFailure() {
        return onStoreFailure;
    }

    boolean isLocal() {
        return onStoreFailure == OnStoreFailure.LOCAL;
    }

    /** The policy as this process keeps it. */
    public Policy own() {
        return own;
    }

    /**
     * Whether the policy's whole limit counts in another state than this process's part: its
     * window is longer.
     */
    boolean hasOwnState() {
        return own.windowMicros() != policy.windowMicros();
    }

    /** The check as this process keeps it: no cost is more than its part can take. */
    Check own(Check check) {
        return own == policy
                ? check
                : new Check(
                        own, check.key(), Math.min(check.cost(), own.maxCost()), check.lease(), check.maxWaitMicros());
    }

    /** A result of the mirror as a result of the policy. */
    CheckResult fallback(CheckResult result) {
        return new CheckResult(
                policy,
                result.admitted(),
                Math.min(result.remaining(), policy.capacity()),
                result.used(),
                result.runAfterMicros(),
                result.retryAfterMicros(),
                result.nextAfterMicros(),
                result.resetAfterMicros(),
                true);
    }

    /** A charge in the mirror as a charge of the policy. */
    ChargeResult fallback(ChargeResult charge) {
        return new ChargeResult(
                policy,
                charge.charged(),
                charge.dropped(),
                Math.min(charge.remaining(), policy.capacity()),
                charge.used(),
                charge.nextAfterMicros(),
                charge.resetAfterMicros(),
                true);
    }

    /**
     * Whether both must still admit some partition, because the store does not know what was
     * admitted without it.
     */
    boolean bothMustAdmit(long nowMicros) {
        return nowMicros < recoveredMicros.get();
    }

    /**
     * The mirror has admitted units that the store does not know of. Those of a period of the
     * calendar do not count after its end. But if the period can be moved, the store may then
     * begin two of them, since it does not know when the last one ended.
     *
     * @param resetAfterMicros what the mirror says of the partition since, in µs
     * @return the instant from which the store alone decides on the admitted partition again
     */
    long admittedAlone(long nowMicros, long resetAfterMicros) {
        CalendarPeriod period = policy.period();
        long next = period != null && period.isMovable() ? period.shortestMicros() : 0;
        long until = nowMicros + (period == null ? recoveryMicros : resetAfterMicros + next);
        recoveredMicros.accumulateAndGet(until, Math::max);
        return until;
    }

    private static Policy divided(Policy policy, int processes) {
        long limit = Math.max(1, policy.limit() / processes);
        long burst = policy.algorithm().accepts(Algorithm.Member.BURST) ? Math.max(1, policy.burst() / processes) : 0;
        Duration window = policy.window();
        Optional<Policy> slower = policy.rules().dividesByWindow()
                ? possible(policy, policy.limit(), window.multipliedBy(processes), burst)
                : Optional.empty();
        return slower.or(() -> possible(policy, limit, window, burst))
                .orElseGet(() -> with(policy, limit, window, Math.min(burst, 1)));
    }

    /** Empty if no policy may be so. */
    private static Optional<Policy> possible(Policy policy, long limit, Duration window, long burst) {
        try {
            return Optional.of(with(policy, limit, window, burst));
        } catch (InvalidPolicyException tooLong) {
            return Optional.empty();
        }
    }

    private static Policy with(Policy policy, long limit, Duration window, long burst) {
        return new Policy(policy.members()
                .with(PolicyMember.LIMIT, limit)
                .with(PolicyMember.WINDOW, window)
                .with(PolicyMember.BURST, burst));
    }
}
