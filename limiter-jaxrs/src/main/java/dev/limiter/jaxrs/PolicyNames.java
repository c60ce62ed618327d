package dev.limiter.jaxrs;

import dev.limiter.DurationNotation;
import dev.limiter.Policy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All policies of an application by name: a name is one bucket, so it has one set of numbers. */
final class PolicyNames {
    private final Map<String, Declared> declared = new HashMap<>();

    private record Declared(Policy policy, boolean named, Place place) {}

    /** Takes a policy up, or adds to the problems why it cannot be. */
    boolean admit(Policy policy, boolean named, Place place, List<String> problems) {
        Declared before = declared.putIfAbsent(policy.name(), new Declared(policy, named, place));
        if (before == null || before.place().equals(place) && before.policy().equals(policy)) {
            return true;
        }
        if (!named || !before.named()) {
            problems.add(place.address("name") + "\"" + policy.name() + "\" is also the name of the limit on "
                    + before.place().identity() + "; give both a name");
            return false;
        }
        String difference = difference(policy, before.policy());
        if (difference != null) {
            problems.add(place.address(difference) + "\"" + policy.name() + "\" is " + numbers(policy) + " here and "
                    + numbers(before.policy()) + " on " + before.place().shortName()
                    + "; one name is one bucket, so give equal numbers or another name");
            return false;
        }
        return true;
    }

    /** The first member in which two policies differ; null if they are equal. */
    private static String difference(Policy a, Policy b) {
        if (a.algorithm() != b.algorithm()) {
            return "algorithm";
        }
        if (a.limit() != b.limit()) {
            return "limit";
        }
        if (!a.window().equals(b.window())) {
            return "window";
        }
        if (a.burst() != b.burst()) {
            return "burst";
        }
        if (a.refill() != b.refill()) {
            return "refill";
        }
        if (a.borrow() != b.borrow()) {
            return "borrow";
        }
        return a.maxWait().equals(b.maxWait()) ? null : "maxWait";
    }

    private static String numbers(Policy policy) {
        String numbers = policy.algorithm() + " " + policy.limit();
        return switch (policy.algorithm()) {
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, UNIFORM -> numbers + per(policy);
            case GCRA -> numbers + per(policy) + " with burst " + policy.burst();
            case TOKEN_BUCKET ->
                numbers + per(policy) + " with burst " + policy.burst() + ", refill " + policy.refill()
                        + (policy.borrow() ? " and borrow" : "");
            case LEAKY_BUCKET -> numbers + per(policy) + " with maxWait " + DurationNotation.format(policy.maxWait());
            case CONCURRENCY -> numbers + " in flight";
        };
    }

    private static String per(Policy policy) {
        return " per " + DurationNotation.format(policy.window());
    }
}
