package dev.limiter.jaxrs.internal.request;

import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import java.util.List;
import java.util.Map;

/**
 * One decision of a request: the limits that count it, and what the limiter said.
 *
 * @param decision its results are in the order of the limits
 */
public record RequestDecision(List<BoundLimit> asked, Decision decision) {

    /** Whether units of it are in use until they are given back. */
    boolean hasLease() {
        for (CheckResult result : decision.results()) {
            if (result.policy().rules().leases()) {
                return decision.admitted();
            }
        }
        return false;
    }

    /** The limit of a policy; null if this decision did not ask it. */
    BoundLimit of(String policy) {
        for (BoundLimit each : asked) {
            if (each.name().equals(policy)) {
                return each;
            }
        }
        return null;
    }

    /** The place of a partition; -1 if this decision did not ask it. */
    int placeOf(BoundLimit partition) {
        for (int i = 0; i < asked.size(); i++) {
            if (asked.get(i).isOfPartition(partition)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Adds the result of each policy that is published. A result of the fallback is true of one
     * process only: then the client is told nothing of the policy, and an earlier result is not
     * true any more.
     */
    public void publishTo(Map<String, PublishedResult> published) {
        for (int i = 0; i < asked.size(); i++) {
            BoundLimit limit = asked.get(i);
            CheckResult result = decision.results().get(i);
            if (result.fallback()) {
                published.remove(limit.name());
            } else if (limit.effective().published()) {
                published.put(
                        limit.name(), new PublishedResult(limit.effective().answeredBy(result.policy()), result));
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
        return asked.stream()
                .filter(each -> each.limit().mayComeBack(statuses))
                .map(BoundLimit::name)
                .toList();
    }
}
