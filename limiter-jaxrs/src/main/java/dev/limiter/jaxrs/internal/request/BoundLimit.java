package dev.limiter.jaxrs.internal.request;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.ReloadablePolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * A limit of one request.
 *
 * @param tier of its caller; null for none
 * @param effective the policy that held for its caller when it came
 * @param check the partition, and the units that the request takes; 1 if the method reserves them
 */
public record BoundLimit(Limit limit, String tier, EffectivePolicy effective, Check check) {

    /** The limit of a request; null if the policy does not count it. */
    public static BoundLimit of(Limit limit, LimitedRequest request) {
        ReloadablePolicy policy = limit.policy();
        String tier = limit.tier() == null ? null : limit.tier().value(request);
        EffectivePolicy declared = policy.forTier(tier);
        if (policy.spares(declared)) {
            return null;
        }
        PartitionKey key = limit.key().partition(request);
        EffectivePolicy counting = policy.ofPartition(key, declared);
        if (counting == null) {
            return null;
        }
        EffectivePolicy effective = policy.ofCaller(counting, request);
        return new BoundLimit(
                limit, tier, effective, new Check(effective.policy(), key, limit.units(request, effective.policy())));
    }

    /**
     * The limit of a policy for one unit of a key that the method knows; null if the policy does
     * not count it.
     *
     * @param request null if it is not known
     */
    public static BoundLimit of(Limit limit, PartitionKey key, LimitedRequest request) {
        EffectivePolicy counting =
                limit.policy().ofPartition(key, limit.policy().forTier(null));
        if (counting == null) {
            return null;
        }
        EffectivePolicy effective = limit.policy().ofCaller(counting, key, request);
        return new BoundLimit(limit, null, effective, Check.of(effective.policy(), key));
    }

    /** What is asked of the limiter for some limits at once. */
    public static CheckGroup group(List<BoundLimit> asked) {
        List<Check> checks = new ArrayList<>(asked.size());
        boolean refundable = false;
        for (BoundLimit each : asked) {
            checks.add(each.check);
            refundable |= each.limit.isRefundable();
        }
        return new CheckGroup(checks, refundable);
    }

    /** The same for other units, as far as the policy can hold them. */
    public BoundLimit withUnits(long units) {
        return new BoundLimit(limit, tier, effective, new Check(policy(), key(), Math.min(units, policy().maxCost())));
    }

    public String name() {
        return limit.name();
    }

    public Policy policy() {
        return check.policy();
    }

    public PartitionKey key() {
        return check.key();
    }

    /** Whether both are of one policy and partition. */
    public boolean isOfPartition(BoundLimit other) {
        return name().equals(other.name()) && key().equals(other.key());
    }

    /**
     * The policy that holds for the partition now: contract or configuration may have changed
     * since the request came. That of its begin if it is not counted any more.
     */
    public Policy inForce() {
        EffectivePolicy now =
                limit.policy().ofPartition(key(), limit.policy().version().of(tier));
        if (now == null || now == effective) {
            return policy();
        }
        boolean periods = policy().period() != null && now.policy().period() != null;
        return periods ? now.policy().in(policy().period()) : now.policy();
    }
}
