package dev.limiter.jaxrs.internal.request;

import dev.limiter.ChargeResult;
import dev.limiter.Decision;
import dev.limiter.Enforcement;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a method has charged without asking, or settled, or forgiven. Its {@link RequestState}
 * locks it.
 */
final class MethodCharges {
    /** The last charge of each partition, in their order. A method may charge thousands. */
    private Map<Partition, Charged> last = Map.of();
    /** How many decisions there were when the method last settled or forgave a policy. */
    private Map<String, Integer> finalUntil = Map.of();

    private record Partition(String policy, PartitionKey key) {
        static Partition of(BoundLimit limit) {
            return new Partition(limit.name(), limit.key());
        }
    }

    /** A charge of a partition, and how many decisions there were before. */
    private record Charged(int decisionsBefore, Policy policy, ChargeResult result) {
        /** A charge of 0 units after this one. */
        ChargeResult ofNothing() {
            return new ChargeResult(
                    result.policy(),
                    0,
                    0,
                    result.remaining(),
                    result.used(),
                    result.nextAfterMicros(),
                    result.resetAfterMicros(),
                    result.fallback());
        }
    }

    void add(BoundLimit partition, int decisionsBefore, ChargeResult charge) {
        last = last.isEmpty() ? new LinkedHashMap<>() : last;
        last.remove(Partition.of(partition));
        last.put(Partition.of(partition), new Charged(decisionsBefore, partition.policy(), charge));
    }

    /** Whether the method has charged, settled or forgiven something of a policy. */
    boolean has(String policy) {
        return finalUntil.containsKey(policy)
                || last.keySet().stream()
                        .anyMatch(partition -> partition.policy().equals(policy));
    }

    /** The results after the last charges of policies that have decided nothing since. */
    void publishTo(Map<String, PublishedResult> published, List<RequestDecision> decisions) {
        if (last.isEmpty()) {
            return;
        }
        Map<String, Charged> ofPolicy = new HashMap<>();
        last.forEach((partition, charge) -> ofPolicy.put(partition.policy(), charge));
        for (int i = 0; i < decisions.size(); i++) {
            for (BoundLimit limit : decisions.get(i).asked()) {
                Charged charge = ofPolicy.get(limit.name());
                if (charge != null && charge.decisionsBefore() <= i) {
                    ofPolicy.remove(limit.name());
                }
            }
        }
        ofPolicy.forEach((policy, charge) ->
                published.computeIfPresent(policy, (same, before) -> before.after(charge.result())));
    }

    /**
     * What the limiter said last of a partition, as a charge of 0 units; null if this request has
     * not asked or charged it, or did so with another limit.
     */
    ChargeResult lastKnown(BoundLimit partition, List<RequestDecision> decisions) {
        Charged charge = last.get(Partition.of(partition));
        int since = charge == null ? 0 : charge.decisionsBefore();
        for (int i = decisions.size() - 1; i >= since; i--) {
            RequestDecision decision = decisions.get(i);
            int place = decision.placeOf(partition);
            if (place >= 0) {
                boolean same = decision.asked().get(place).policy().equals(partition.policy());
                return same
                        ? ChargeResult.ofNothing(decision.decision().results().get(place))
                        : null;
            }
        }
        return charge != null && charge.policy().equals(partition.policy()) ? charge.ofNothing() : null;
    }

    /** Notes that no status gives back what the first of the decisions took of a policy. */
    void makeFinal(String policy, int decisions) {
        finalUntil = new HashMap<>(finalUntil);
        finalUntil.put(policy, decisions);
    }

    /** Whether no status gives back what this decision took of a policy. */
    boolean isFinal(String policy, int decision) {
        return decision < finalUntil.getOrDefault(policy, 0);
    }

    /**
     * The admissions of the method since it last settled this policy, which are settled from now
     * on. What the status has given back, and what did not fit into the counter of a soft limit, is
     * not among them: all that was used is charged then. Null if there are none, and the method has
     * settled before.
     */
    List<Decision.Admitted> takeUnsettled(String policy, RequestState state) {
        synchronized (state) {
            Integer before = finalUntil.get(policy);
            List<Decision.Admitted> open = new ArrayList<>(1);
            boolean nothingNew = before != null;
            for (int i = before == null ? 0 : before; i < state.decisions.size(); i++) {
                BoundLimit asked = state.decisions.get(i).of(policy);
                boolean reserved = asked != null && asked.limit().isOfMethod();
                if (reserved && state.decisions.get(i).decision() instanceof Decision.Admitted admission) {
                    nothingNew = false;
                    if (!state.cameBack(i, asked.limit()) && !isUncounted(admission, policy)) {
                        open.add(admission);
                    }
                }
            }
            makeFinal(policy, state.decisions.size());
            return nothingNew ? null : open;
        }
    }

    private static boolean isUncounted(Decision.Admitted admission, String policy) {
        return admission.results().stream()
                .filter(result -> result.policy().name().equals(policy))
                .anyMatch(result -> !result.admitted() && result.policy().enforcement() == Enforcement.SOFT);
    }
}
