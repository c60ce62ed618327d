package dev.limiter.local.internal.fallback;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.OnStoreFailure;
import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.local.internal.instances.InstancePart;
import java.math.BigInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The part of a policy's limit that one of several processes has when the store fails, and until
 * when both must admit after that.
 */
public final class InstanceQuota {
    private static final BigInteger FOR_EVER = BigInteger.valueOf(Long.MAX_VALUE / 4);

    private final InstancePart part;
    private final Policy policy;
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
        this.part = InstancePart.of(policy, processes);
        this.policy = policy;
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
        return part.own();
    }

    /**
     * Whether the policy's whole limit counts in another state than this process's part: its
     * window is longer.
     */
    boolean hasOwnState() {
        return own().windowMicros() != policy.windowMicros();
    }

    /** The check as this process keeps it: no cost is more than its part can take. */
    Check own(Check check) {
        return part.own(check);
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
}
