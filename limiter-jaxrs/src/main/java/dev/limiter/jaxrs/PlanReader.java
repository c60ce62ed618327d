package dev.limiter.jaxrs;

import dev.limiter.Algorithm;
import dev.limiter.DurationNotation;
import dev.limiter.InvalidPolicyException;
import dev.limiter.Policy;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The one place where the annotations are read: from a resource method to its {@link Plan}, or to what is wrong with it. */
final class PlanReader {
    private final PolicyNames names = new PolicyNames();

    /**
     * @param problems takes a line for each wrong declaration; the plan is of use only if none was added
     */
    Plan read(Class<?> resourceClass, Method method, List<String> problems) {
        Place onClass = Place.of(resourceClass);
        Place onMethod = Place.of(resourceClass, method);
        List<Plan.Limit> limits = new ArrayList<>();
        Exemption exemption = new Exemption(method.getAnnotation(RateLimitExempt.class));
        for (Plan.Limit limit : limits(resourceClass.getAnnotationsByType(RateLimited.class), onClass, problems)) {
            if (!exemption.covers(limit.policy().name())) {
                limits.add(limit);
            }
        }
        exemption.reportUnknown(onMethod, problems);
        List<Plan.Limit> ofMethod = limits(method.getAnnotationsByType(RateLimited.class), onMethod, problems);
        for (Plan.Limit limit : ofMethod) {
            PathParameters.check(limit.key(), resourceClass, method, onMethod, problems);
        }
        limits.addAll(ofMethod);
        reportSecondQueue(limits, onMethod, problems);
        Set<String> seen = new HashSet<>();
        for (Plan.Limit limit : limits) {
            String name = limit.policy().name();
            if (!seen.add(name)) {
                problems.add(onMethod.address("name") + "\"" + name
                        + "\" names two limits of one request; a name is one bucket, give each a name of its own");
            }
        }
        return Plan.of(onMethod.identity(), limits);
    }

    private static void reportSecondQueue(List<Plan.Limit> limits, Place place, List<String> problems) {
        List<String> queues = limits.stream()
                .map(Plan.Limit::policy)
                .filter(policy -> policy.algorithm() == Algorithm.LEAKY_BUCKET)
                .map(Policy::name)
                .toList();
        if (queues.size() > 1) {
            problems.add(place.address("algorithm") + "LEAKY_BUCKET holds a request for one slot, and here are "
                    + queues.size() + ": " + String.join(", ", queues) + "; keep one");
        }
    }

    /** A limit on a method that answers no requests would never be asked, so it is an error. */
    void reportLimitInVain(Class<?> resourceClass, Method method, List<String> problems) {
        boolean exempt = method.isAnnotationPresent(RateLimitExempt.class);
        if (exempt || method.getAnnotationsByType(RateLimited.class).length > 0) {
            problems.add((exempt ? "@RateLimitExempt" : "@RateLimited") + " on "
                    + Place.of(resourceClass, method).shortName()
                    + ": the method answers no requests itself; annotate a"
                    + " resource method, or for a locator the class that it returns");
        }
    }

    private List<Plan.Limit> limits(RateLimited[] declared, Place place, List<String> problems) {
        List<Plan.Limit> limits = new ArrayList<>();
        boolean several = declared.length > 1;
        for (RateLimited limited : declared) {
            if (several && limited.name().isEmpty()) {
                problems.add(place.address("name") + "is missing; where one element carries " + declared.length
                        + " limits, each must have a name");
                continue;
            }
            Policy policy = policy(limited, place, problems);
            KeyExpression key = key(limited, place, problems);
            if (policy != null
                    && key != null
                    && names.admit(policy, !limited.name().isEmpty(), place, problems)) {
                limits.add(new Plan.Limit(policy, key));
            }
        }
        return limits;
    }

    private static Policy policy(RateLimited limited, Place place, List<String> problems) {
        Optional<Duration> window = span(limited.window(), "window", place, problems);
        Optional<Duration> maxWait = span(limited.maxWait(), "maxWait", place, problems);
        if (window.isEmpty() || maxWait.isEmpty()) {
            return null;
        }
        String name = limited.name().isEmpty() ? place.shortName() : limited.name();
        try {
            return new Policy(
                    name,
                    limited.algorithm(),
                    limited.limit(),
                    lease(limited).orElse(window.get()),
                    limited.burst(),
                    limited.refill(),
                    limited.borrow(),
                    limited.maxWait().isEmpty() ? null : maxWait.get(),
                    false,
                    false);
        } catch (InvalidPolicyException invalid) {
            problems.add(place.address(invalid.member()) + invalid.getMessage());
            return null;
        }
    }

    /** Nothing for what cannot be read; what is not written is zero, and the policy says whether it may be. */
    private static Optional<Duration> span(String text, String member, Place place, List<String> problems) {
        try {
            return Optional.of(text.isEmpty() ? Duration.ZERO : DurationNotation.parse(text));
        } catch (IllegalArgumentException unreadable) {
            problems.add(place.address(member) + unreadable.getMessage());
            return Optional.empty();
        }
    }

    /** How long the leases of {@code CONCURRENCY} last, which is no matter of the single limit. */
    private static Optional<Duration> lease(RateLimited limited) {
        if (limited.algorithm() != Algorithm.CONCURRENCY) {
            if (limited.window().isEmpty()) {
                throw new InvalidPolicyException(
                        "window",
                        "window is missing; write how long " + limited.limit() + " units last, such as \"10s\"");
            }
            return Optional.empty();
        }
        if (!limited.window().isEmpty()) {
            throw new InvalidPolicyException(
                    "window",
                    "\"" + limited.window()
                            + "\" has no meaning for CONCURRENCY, whose limit is how many are in flight;"
                            + " leave it out");
        }
        return Optional.of(Policy.DEFAULT_LEASE);
    }

    private static KeyExpression key(RateLimited limited, Place place, List<String> problems) {
        try {
            return KeyExpression.compile(limited.key());
        } catch (IllegalArgumentException wrong) {
            problems.add(place.address("key") + wrong.getMessage());
            return null;
        }
    }

    /** What {@code @RateLimitExempt} takes out, and which of its names no limit of the class has. */
    private static final class Exemption {
        private final boolean present;
        private final List<String> names;
        private final Set<String> used = new HashSet<>();

        Exemption(RateLimitExempt exempt) {
            this.present = exempt != null;
            this.names = exempt == null ? List.of() : Arrays.asList(exempt.value());
        }

        boolean covers(String name) {
            used.add(name);
            return present && (names.isEmpty() || names.contains(name));
        }

        void reportUnknown(Place place, List<String> problems) {
            for (String name : names) {
                if (!used.contains(name)) {
                    problems.add("@RateLimitExempt.value on " + place.shortName() + ": \"" + name
                            + "\" names no limit of the class; " + Nearest.suggest(name, List.copyOf(used)));
                }
            }
        }
    }
}
