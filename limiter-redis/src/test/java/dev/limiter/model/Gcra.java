package dev.limiter.model;

import dev.limiter.Check;
import dev.limiter.Policy;
import java.math.BigInteger;

/**
 * A bucket as a meter: {@code GCRA}, {@code TOKEN_BUCKET} that refills smoothly, and
 * {@code UNIFORM}, whose burst is 1.
 */
final class Gcra extends Bucket {
    static final Gcra FRESH = new Gcra(Tat.LONG_AGO);

    private Gcra(Tat tat) {
        super(tat);
    }

    @Override
    Gcra with(Tat other) {
        return new Gcra(other);
    }

    @Override
    BigInteger content(Policy policy) {
        return span(policy.capacity(), policy);
    }

    @Override
    boolean isRefundable(Tat present, Tat then) {
        return true;
    }

    @Override
    public boolean fits(Check check, long nowMicros) {
        return holds(check.policy().borrow() ? 1 : check.cost(), check, nowMicros);
    }

    @Override
    public boolean holds(long units, Check check, long nowMicros) {
        Policy policy = check.policy();
        return backlog(policy, nowMicros).compareTo(span(policy.capacity() - units, policy)) <= 0;
    }
}
