package dev.limiter.local.internal.instances;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.Enforcement;
import dev.limiter.InvalidPolicyException;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.Gate;
import dev.limiter.internal.algorithm.PolicyMember;
import java.time.Duration;
import java.util.Optional;

/**
 * The part of a policy's limit that one of several processes has.
 *
 * <p>Of 100 per 10 s with burst 20, one of four processes has 100 per 40 s with burst 5 if the
 * algorithm keeps a rate, and 25 per 10 s if it counts units. No part is smaller than one unit:
 * of a limit of 1 each process has 1. A soft limit is not divided, since it rejects no request.
 * A gate is not divided either, since it counts nothing.
 *
 * @param whole the policy
 * @param own the policy as this process keeps it
 * @param processes into how many parts it is divided; at least 1
 */
public record InstancePart(Policy whole, Policy own, int processes) {

    /** The part of one of these processes. */
    public static InstancePart of(Policy policy, int processes) {
        boolean all = processes == 1 || policy.enforcement() == Enforcement.SOFT || policy.rules() instanceof Gate;
        return new InstancePart(policy, all ? policy : divided(policy, processes), processes);
    }

    /** The check as this process keeps it: no cost is more than its part can take. */
    public Check own(Check check) {
        return own == whole
                ? check
                : new Check(
                        own, check.key(), Math.min(check.cost(), own.maxCost()), check.lease(), check.maxWaitMicros());
    }

    /**
     * Whether all parts together admit more than the whole: a number is smaller than that of the
     * processes. Each part of a pace, as of {@code UNIFORM}, admits a unit at once.
     */
    boolean isMoreThanItsShare() {
        boolean sameWindow = own.windowMicros() == whole.windowMicros();
        return own != whole
                && (isMore(own.capacity(), whole.capacity()) || sameWindow && isMore(own.limit(), whole.limit()));
    }

    private boolean isMore(long part, long all) {
        return part > all / processes;
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
