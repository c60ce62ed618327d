package dev.limiter.jaxrs.internal.numbers;

import dev.limiter.InvalidPolicyException;
import dev.limiter.jaxrs.LimitNumbers;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import dev.limiter.jaxrs.internal.policy.PolicyVersion;
import dev.limiter.jaxrs.internal.policy.ReloadablePolicy;

/**
 * The numbers of a partition as they were loaded last, and how long they hold. It keeps the
 * policy that they make of the declaration, which configuration can change.
 */
final class CachedNumbers {
    private final LimitNumbers.Numbers numbers;
    private final long untilNanos;
    private volatile Made made;

    /** The policy under one version of the declaration; null if the partition is unlimited. */
    private record Made(PolicyVersion version, EffectivePolicy policy) {}

    /** @param numbers null for those of the annotation */
    CachedNumbers(LimitNumbers.Numbers numbers, long untilNanos) {
        this.numbers = numbers;
        this.untilNanos = untilNanos;
    }

    boolean holdsAt(long nanos) {
        return nanos - untilNanos < 0;
    }

    /** The same numbers, until another instant. */
    CachedNumbers until(long nanos) {
        return new CachedNumbers(numbers, nanos);
    }

    /**
     * The policy in force; null if the partition is unlimited. Numbers that a changed
     * configuration has made impossible give way to those of the declaration.
     */
    EffectivePolicy in(ReloadablePolicy policy) {
        PolicyVersion version = policy.numbers();
        Made last = made;
        if (last == null || last.version() != version) {
            last = new Made(version, orBase(policy, version));
            made = last;
        }
        return last.policy();
    }

    private EffectivePolicy orBase(ReloadablePolicy policy, PolicyVersion version) {
        try {
            return made(policy, version);
        } catch (InvalidPolicyException changed) {
            return version.base();
        }
    }

    /**
     * Checks the numbers.
     *
     * @throws InvalidPolicyException naming the member, the value and the rule it breaks
     */
    void check(ReloadablePolicy policy) {
        PolicyVersion version = policy.numbers();
        made = new Made(version, made(policy, version));
    }

    private EffectivePolicy made(ReloadablePolicy policy, PolicyVersion version) {
        if (numbers == null) {
            return version.base();
        }
        return numbers.unlimited() ? null : policy.with(version, numbers.limit(), numbers.burst());
    }
}
