package dev.limiter.jaxrs.internal.numbers;

import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.LimitNumbers;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import dev.limiter.jaxrs.internal.policy.ReloadablePolicy;

/** The numbers of one policy, by partition. */
public final class PolicyNumbers {
    private final ReloadablePolicy policy;
    private final NumbersBean bean;
    private final NumbersCache cache;
    private final NumbersLoader loader;

    PolicyNumbers(ReloadablePolicy policy, NumbersBean bean, NumbersCache cache, NumbersLoader loader) {
        this.policy = policy;
        this.bean = bean;
        this.cache = cache;
        this.loader = loader;
    }

    /**
     * The numbers that count a partition; null if it is unlimited, or the policy counts no
     * caller. Waits for the bean if no answer is known, or the known answer is too old.
     */
    public EffectivePolicy of(PartitionKey key) {
        if (!policy.numbers().enabled()) {
            return null;
        }
        return cache.of(policy.name(), key, this).now();
    }

    /** The member as written. */
    public String describe() {
        return "{bean:" + bean.name() + '}';
    }

    ReloadablePolicy policy() {
        return policy;
    }

    LimitNumbers bean() {
        return bean.find();
    }

    NumbersLoader loader() {
        return loader;
    }
}
