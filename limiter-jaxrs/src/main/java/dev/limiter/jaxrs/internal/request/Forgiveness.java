package dev.limiter.jaxrs.internal.request;

import dev.limiter.Algorithm.Member;
import dev.limiter.ChargeResult;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Forgets what the partitions of a request have counted of one policy. */
record Forgiveness(RequestLimits limits, MethodCharges charges, RequestState state) {

    /**
     * Forgets all partitions of a policy that the request has asked.
     *
     * @return whether the store has done so for each of them
     */
    boolean of(String policy) {
        List<BoundLimit> partitions = partitions(policy);
        partitions.forEach(each -> requireForgivable(each.policy()));
        makeFinal(policy);
        boolean everywhere = true;
        for (BoundLimit each : partitions) {
            everywhere &= forget(each);
        }
        return everywhere;
    }

    private List<BoundLimit> partitions(String policy) {
        synchronized (state) {
            List<BoundLimit> asked = new ArrayList<>(state.decisions.stream()
                    .flatMap(decision -> decision.asked().stream())
                    .toList());
            asked.addAll(limits.reservedByMethod());
            List<BoundLimit> partitions = new ArrayList<>(1);
            for (BoundLimit each : asked) {
                if (each.name().equals(policy) && partitions.stream().noneMatch(each::isOfPartition)) {
                    partitions.add(each);
                }
            }
            if (partitions.isEmpty()) {
                String known = asked.stream().map(BoundLimit::name).distinct().collect(Collectors.joining(", "));
                throw new IllegalArgumentException("this request has not asked policy \"" + policy + "\", so there is"
                        + " nothing of it to forgive; "
                        + (known.isEmpty() ? "it has asked none" : "it has asked " + known));
            }
            return partitions;
        }
    }

    private static void requireForgivable(Policy policy) {
        if (!policy.algorithm().accepts(Member.COUNT_ON)) {
            throw new IllegalArgumentException(policy.algorithm() + " of policy \"" + policy.name()
                    + "\" cannot be forgiven: it counts requests that are under way; use a window, a log or a bucket"
                    + " that does not queue");
        }
    }

    /**
     * Before the store is asked: a call without an answer may have been executed, and what comes
     * back after it would be units of later requests.
     */
    private void makeFinal(String policy) {
        synchronized (state) {
            for (RequestDecision each : state.decisions) {
                if (each.decision() instanceof Decision.Admitted admission) {
                    admission.receipt().settle(policy, Long.MAX_VALUE);
                }
            }
            charges.makeFinal(policy, state.decisions.size());
        }
    }

    private boolean forget(BoundLimit partition) {
        partition.limit().policy().becomeRefundable();
        try {
            limits.limiter().reset(partition.policy(), partition.key());
        } catch (StoreUnavailableException failure) {
            // What this process knows without the store. A policy that is CLOSED throws.
            limits.charged(
                    partition, ChargeResult.ofNothing(limits.limiter().peek(partition.policy(), partition.key())));
            return false;
        }
        synchronized (state) {
            ChargeResult known = charges.lastKnown(partition, state.decisions);
            if (known != null) {
                Policy answering = known.policy(); // a part of the limit, if instances share no store
                limits.charged(partition, new ChargeResult(answering, 0, 0, answering.capacity(), 0, 0));
            }
        }
        return true;
    }
}
