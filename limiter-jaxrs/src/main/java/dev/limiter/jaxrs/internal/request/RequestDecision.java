package dev.limiter.jaxrs.internal.request;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.key.FailedExpressionException;
import dev.limiter.jaxrs.internal.plan.Limit;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One decision of a request: the limits that count it, and what the limiter said.
 *
 * @param limits those that count this caller
 * @param policies the numbers that held for it, one for each limit
 * @param group the checks, in the same order
 * @param decision its results are in the same order
 */
public record RequestDecision(List<Limit> limits, List<EffectivePolicy> policies, CheckGroup group, Decision decision) {

    /** The limits of a stage before their decision. */
    public record Pending(List<Limit> limits, List<EffectivePolicy> policies, CheckGroup group) {

        /**
         * The checks of a stage, without limits whose units the method acquires; null if no
         * limit counts this caller.
         *
         * @param limits those of the stage that have not counted this request yet
         * @throws UnreadableFormException if one that is no shadow counts a field of a form that
         *     cannot be read
         * @throws FailedExpressionException if an expression cannot be evaluated
         */
        public static Pending of(List<Limit> limits, LimitedRequest request) {
            List<Limit> counting = new ArrayList<>(limits.size());
            List<EffectivePolicy> policies = new ArrayList<>(limits.size());
            List<Check> checks = new ArrayList<>(limits.size());
            boolean refundable = false;
            for (Limit limit : limits) {
                if (limit.isOfMethod()) {
                    continue;
                }
                try {
                    EffectivePolicy declared = limit.policyFor(request);
                    PartitionKey key = declared == null ? null : limit.key().partition(request);
                    EffectivePolicy policy = declared == null ? null : limit.policyFor(key, declared);
                    if (policy != null) {
                        policy = limit.policy().ofCaller(policy, request);
                        checks.add(new Check(policy.policy(), key, limit.units(request, policy.policy())));
                        counting.add(limit);
                        refundable |= limit.isRefundable();
                        policies.add(policy);
                    }
                } catch (FailedExpressionException failed) {
                    throw failed.of(limit.name(), request.endpoint());
                } catch (UnreadableFormException unreadable) {
                    if (!limit.isShadow()) {
                        throw unreadable;
                    }
                }
            }
            return checks.isEmpty() ? null : new Pending(counting, policies, new CheckGroup(checks, refundable));
        }

        RequestDecision decided(Decision decision) {
            return new RequestDecision(limits, policies, group, decision);
        }
    }

    /** The result of a partition; null if this decision did not ask it. */
    CheckResult resultOf(Check partition) {
        List<Check> checks = group.checks();
        for (int i = 0; i < checks.size(); i++) {
            if (checks.get(i).policy().name().equals(partition.policy().name())
                    && checks.get(i).key().equals(partition.key())) {
                return decision.results().get(i);
            }
        }
        return null;
    }

    /**
     * Adds the result of each policy that is published. A result of the fallback is true of one
     * process only: then the client is told nothing of the policy, and an earlier result is not
     * true any more.
     */
    public void publishTo(Map<String, PublishedResult> published) {
        for (int i = 0; i < policies.size(); i++) {
            CheckResult result = decision.results().get(i);
            if (result.fallback()) {
                published.remove(limits.get(i).name());
            } else if (policies.get(i).published()) {
                published.put(limits.get(i).name(), new PublishedResult(policies.get(i), result));
            }
        }
    }

    /**
     * The policies whose units come back after responses of these statuses.
     *
     * @param statuses none while they are not known: then every policy whose units some status
     *     gives back is included
     */
    List<String> mayComeBack(List<Integer> statuses) {
        if (!decision.admitted()) {
            return List.of(); // no unit was taken
        }
        return limits.stream()
                .filter(limit -> !limit.countsEveryStatus() && !limit.countOn().containsAny(statuses))
                .map(Limit::name)
                .toList();
    }

    /** Whether every response counts for all of the limits. */
    boolean countsEveryStatus() {
        for (Limit limit : limits) {
            if (!limit.countsEveryStatus()) {
                return false;
            }
        }
        return true;
    }
}
