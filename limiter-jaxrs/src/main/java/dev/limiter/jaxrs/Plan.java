package dev.limiter.jaxrs;

import dev.limiter.Algorithm;
import dev.limiter.Answer;
import dev.limiter.Decision;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.Policy;
import java.util.ArrayList;
import java.util.List;

/**
 * All limits of one resource method, made at deployment.
 *
 * @param endpoint the resource method, as <code>{endpoint}</code> counts it
 * @param limits class limits first, in the order of their declaration; empty for a method without limits
 * @param policyField the RateLimit-Policy field, which is the same for every request
 */
record Plan(String endpoint, List<Limit> limits, String policyField) {

    /** A policy and the key expression that chooses its partition. */
    record Limit(Policy policy, KeyExpression key) {

        /** Equal for a class limit on each of its methods, where its key was compiled anew. */
        String description() {
            return policy + " " + key.describe();
        }
    }

    static Plan of(String endpoint, List<Limit> limits) {
        List<Policy> policies = limits.stream().map(Limit::policy).toList();
        return new Plan(endpoint, List.copyOf(limits), Draft11Fields.policies(policies));
    }

    boolean isEmpty() {
        return limits.isEmpty();
    }

    /** Whether a policy counts what is in flight, so that it has to be told of the end. */
    static boolean isLease(Policy policy) {
        return policy.algorithm() == Algorithm.CONCURRENCY;
    }

    static boolean hasLease(Decision.Admitted admission) {
        for (Answer answer : admission.answers()) {
            if (isLease(answer.policy())) {
                return true;
            }
        }
        return false;
    }

    /** What is left of this plan for a request that some policies have counted already, before it was forwarded. */
    Plan without(Plan counted) {
        List<Policy> already = counted.limits().stream().map(Limit::policy).toList();
        return of(
                endpoint,
                limits.stream()
                        .filter(limit -> !already.contains(limit.policy()))
                        .toList());
    }

    /** Both plans as one, for the fields. */
    Plan and(Plan other) {
        List<Limit> both = new ArrayList<>(limits);
        both.addAll(other.limits());
        return of(endpoint, both);
    }

    /** What this request asks of each policy. */
    Group group(CountedRequest request) {
        List<Demand> demands = new ArrayList<>(limits.size());
        for (Limit limit : limits) {
            demands.add(Demand.of(limit.policy(), limit.key().partition(request)));
        }
        return new Group(demands);
    }
}
