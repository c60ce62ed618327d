package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Enforcement;
import dev.limiter.Policy;
import dev.limiter.Stage;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.key.CostExpression;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.StatusSet;
import java.util.List;

/**
 * One limit of an endpoint: a policy, and what chooses partition, cost and tier of each request.
 *
 * @param tier names the caller's tier; null for a limit without tiers
 * @param countOn the responses that count
 */
public record Limit(
        ReloadablePolicy policy,
        KeyExpression key,
        CostExpression cost,
        KeyExpression.Segment tier,
        StatusSet countOn,
        Stage stage) {

    /**
     * A limit for a policy that the service asks by name, for one unit of a key that the service
     * knows. It has no key expression.
     */
    public static Limit of(ReloadablePolicy policy) {
        return of(policy, null, null);
    }

    /** A limit for one unit of a caller, wherever it calls; an annotation chooses its partition. */
    public static Limit ofCaller(ReloadablePolicy policy) {
        return of(policy, policy.choice().key(), policy.choice().tier());
    }

    private static Limit of(ReloadablePolicy policy, KeyExpression key, KeyExpression.Segment tier) {
        return new Limit(policy, key, CostExpression.ONE, tier, StatusSet.ALL, Stage.AFTER_AUTHENTICATION);
    }

    public String name() {
        return policy.name();
    }

    /** Whether code of the service asks it for a key that the code knows. */
    public boolean isForKeyOfCode() {
        return key == null;
    }

    /** Whether its units may come back before their time, here or on another endpoint. */
    public boolean isRefundable() {
        return policy.isRefundable();
    }

    /** Whether the filter charges nothing, because the method reserves the units. */
    public boolean isOfMethod() {
        return cost == CostExpression.BY_METHOD;
    }

    /** Whether it is only decided and reported. */
    public boolean isShadow() {
        return policy.version().policy().enforcement() == Enforcement.SHADOW;
    }

    /** Whether it can reject a request: it enforces, and is not switched off. */
    public boolean rejects() {
        return policy.version().enabled() && policy.version().policy().rejects();
    }

    /** The units that a request takes, as far as the policy can hold them. */
    public long units(LimitedRequest request, Policy inForce) {
        return cost == CostExpression.ONE ? 1 : cost.of(request, inForce);
    }

    /**
     * Whether its units come back after responses of these statuses.
     *
     * @param statuses none while they are not known: then whether some status gives units back
     */
    public boolean mayComeBack(List<Integer> statuses) {
        return countOn != StatusSet.ALL && !countOn.containsAny(statuses);
    }

    /**
     * A description that is equal for a class limit on each of its methods, though its key was
     * compiled anew.
     */
    public String description() {
        return policy.declaration() + " " + key.describe() + " " + cost.describe() + " " + countOn.text() + " " + stage
                + (policy.quota() == null ? "" : " " + policy.quota().describe());
    }
}
