package dev.limiter.model;

import static java.math.BigInteger.valueOf;

import dev.limiter.Check;
import dev.limiter.Policy;
import java.math.BigInteger;

/** A bucket as a queue: an admitted request waits until the backlog before it is worked off. */
final class LeakyBucket extends Bucket {
    static final LeakyBucket FRESH = new LeakyBucket(Tat.LONG_AGO);

    private LeakyBucket(Tat tat) {
        super(tat);
    }

    @Override
    LeakyBucket with(Tat other) {
        return new LeakyBucket(other);
    }

    @Override
    BigInteger content(Policy policy) {
        return scaled(policy.maxWaitMicros(), policy).add(span(1, policy));
    }

    /**
     * A slot before another one cannot be given back: the requests behind it already know their
     * slots.
     */
    @Override
    boolean isRefundable(Tat present, Tat then) {
        return present.isSameInstant(then);
    }

    @Override
    public boolean fits(Check check, long nowMicros) {
        Policy policy = check.policy();
        return backlog(policy, nowMicros).compareTo(scaled(check.maxWaitMicros(), policy)) <= 0;
    }

    /**
     * Whether these units would be held. The wait of the check does not count: each unit may be
     * held as long as the policy permits.
     */
    @Override
    public boolean holds(long units, Check check, long nowMicros) {
        Policy policy = check.policy();
        BigInteger last = backlog(policy, nowMicros).add(span(units - 1, policy));
        return last.compareTo(scaled(policy.maxWaitMicros(), policy)) <= 0;
    }

    @Override
    public long waitMicros(Check check, long nowMicros) {
        return backlogMicros(check.policy(), nowMicros);
    }

    private static BigInteger scaled(long micros, Policy policy) {
        return valueOf(micros).multiply(valueOf(policy.limit()));
    }
}
