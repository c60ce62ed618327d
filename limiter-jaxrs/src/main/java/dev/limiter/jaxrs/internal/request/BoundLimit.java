package dev.limiter.jaxrs.internal.request;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.policy.Caller;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.signals.MeterSheet;
import java.util.List;

/**
 * A limit of one request.
 *
 * @param tier of its caller; null for none
 * @param effective the policy that held for its caller when it came
 * @param check the partition, and the units that the request takes; 1 if the method reserves them
 */
public record BoundLimit(Limit limit, String tier, EffectivePolicy effective, Check check) implements Caller {

    /** The limit of a request; null if the policy does not count it. */
    public static BoundLimit of(Limit limit, LimitedRequest request) {
        return new Asking(limit, request, null).bound();
    }

    /**
     * The limit of a policy for one unit of a key that the method knows; null if the policy does
     * not count it.
     *
     * @param request null if it is not known; then the periods are those of a caller without an
     *     anchor or a zone
     */
    public static BoundLimit of(Limit limit, PartitionKey key, LimitedRequest request) {
        return new Asking(limit, request, key).bound();
    }

    /** A request, or a key of its method, which says more of the partition than the request. */
    private static final class Asking implements Caller {
        private final Limit limit;
        private final LimitedRequest request;
        private final String tier;
        private PartitionKey key;

        Asking(Limit limit, LimitedRequest request, PartitionKey key) {
            this.limit = limit;
            this.request = request;
            this.tier =
                    limit.tier() == null || key != null ? null : limit.tier().value(request);
            this.key = key;
        }

        BoundLimit bound() {
            EffectivePolicy effective = limit.policy().of(this);
            if (effective == null) {
                return null;
            }
            Policy policy = effective.policy();
            return new BoundLimit(limit, tier, effective, new Check(policy, key(), limit.units(request, policy)));
        }

        @Override
        public String tier() {
            return tier;
        }

        @Override
        public PartitionKey key() {
            key = key == null ? limit.key().partition(request) : key;
            return key;
        }

        @Override
        public String value(String what, KeyExpression.Segment expression) {
            if (request == null) {
                return null;
            }
            boolean known = limit.isForKeyOfCode();
            return (known ? expression.given(KeyValueSource.unfolded(key)) : expression).value(request);
        }

        @Override
        public void lacks(MeterSheet what) {
            limit.policy().lacks(what);
        }
    }

    /** What is asked of the limiter for some limits at once. */
    public static CheckGroup group(List<BoundLimit> asked) {
        Check[] checks = new Check[asked.size()];
        boolean refundable = false;
        for (int i = 0; i < checks.length; i++) {
            checks[i] = asked.get(i).check;
            refundable |= asked.get(i).limit.isRefundable();
        }
        return new CheckGroup(List.of(checks), refundable);
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

    @Override
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
        EffectivePolicy now = limit.policy().of(this);
        return now == null ? policy() : now.policy();
    }

    @Override
    public CalendarPeriod boundPeriod() {
        return policy().period();
    }

    @Override
    public String value(String what, KeyExpression.Segment expression) {
        return null;
    }
}
