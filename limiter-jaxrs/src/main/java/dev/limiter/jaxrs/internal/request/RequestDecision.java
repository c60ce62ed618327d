package dev.limiter.jaxrs.internal.request;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.plan.Limit;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One decision of a request: the limits that were asked, and what the limiter said.
 *
 * @param limits those that count this caller
 * @param quotas the numbers that held for it, one for each limit
 * @param group what was asked, in the same order
 * @param decision its answers are in the same order
 */
public record RequestDecision(List<Limit> limits, List<EffectivePolicy> quotas, CheckGroup group, Decision decision) {

    /** What is asked of the limiter, before it has answered. */
    public record Pending(List<Limit> limits, List<EffectivePolicy> quotas, CheckGroup group) {

        /**
         * The question of a stage; null if no limit counts this caller.
         *
         * @param limits those of the stage that have not counted this request yet
         * @throws UnreadableFormException if one that is no shadow counts a field of a form that cannot be read
         */
        public static Pending of(List<Limit> limits, LimitedRequest request) {
            List<Limit> asked = new ArrayList<>(limits.size());
            List<EffectivePolicy> quotas = new ArrayList<>(limits.size());
            List<Check> demands = new ArrayList<>(limits.size());
            boolean refundable = false;
            for (Limit limit : limits) {
                try {
                    EffectivePolicy quota = limit.quota(request);
                    if (quota != null) {
                        PartitionKey key = limit.key().partition(request);
                        demands.add(new Check(quota.policy(), key, limit.units(request, quota.policy())));
                        asked.add(limit);
                        refundable |= limit.isRefundable();
                        quotas.add(quota);
                    }
                } catch (UnreadableFormException unreadable) {
                    if (!limit.isShadow()) {
                        throw unreadable;
                    }
                }
            }
            return demands.isEmpty() ? null : new Pending(asked, quotas, new CheckGroup(demands, refundable));
        }

        RequestDecision answered(Decision decision) {
            return new RequestDecision(limits, quotas, group, decision);
        }
    }

    /**
     * What the client is told of: an answer and how its policy is written, for each policy that is published. What is not the
     * store's is true of one process only: nothing is claimed then, and what was before is not true any more.
     */
    public void publishTo(Map<String, PublishedResult> published) {
        for (int i = 0; i < quotas.size(); i++) {
            CheckResult answer = decision.answers().get(i);
            if (answer.fallback()) {
                published.remove(limits.get(i).name());
            } else if (quotas.get(i).published()) {
                published.put(limits.get(i).name(), new PublishedResult(quotas.get(i), answer));
            }
        }
    }

    /**
     * The policies whose units will be given back.
     *
     * @param status that of the response; 0 while it is not known, when every unit that may be given back counts as such
     */
    List<String> comingBack(int status) {
        if (!decision.admitted()) {
            return List.of(); // nothing was taken
        }
        return limits.stream()
                .filter(limit -> status == 0
                        ? !limit.countOn().isAll()
                        : !limit.countOn().contains(status))
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

    /** Whether a response of this status counts for all of the limits. */
    boolean countsInFull(int status) {
        return limits.stream().allMatch(limit -> limit.countOn().contains(status));
    }

    /** Whether it counts for the limit of this policy. */
    boolean counts(Policy policy, int status) {
        for (Limit limit : limits) {
            if (limit.name().equals(policy.name())) {
                return limit.countOn().contains(status);
            }
        }
        return true;
    }
}
