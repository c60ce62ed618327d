package dev.limiter.jaxrs;

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
        Duration window;
        try {
            window = DurationNotation.parse(limited.window());
        } catch (IllegalArgumentException unreadable) {
            problems.add(place.address("window") + unreadable.getMessage());
            return null;
        }
        String name = limited.name().isEmpty() ? place.shortName() : limited.name();
        try {
            return new Policy(name, limited.algorithm(), limited.limit(), window, limited.burst());
        } catch (InvalidPolicyException invalid) {
            problems.add(place.address(invalid.member()) + invalid.getMessage());
            return null;
        }
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
