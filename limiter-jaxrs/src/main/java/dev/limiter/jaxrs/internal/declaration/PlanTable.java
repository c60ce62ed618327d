package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.Algorithm.Member;
import dev.limiter.Enforcement;
import dev.limiter.OnStoreFailure;
import dev.limiter.Policy;
import dev.limiter.Stage;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.Plan;
import dev.limiter.jaxrs.internal.policy.PolicyText;
import dev.limiter.jaxrs.internal.policy.PolicyVersion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The plan in force, as a table for the log: each limit with its key, and the most that any
 * window can admit.
 */
public final class PlanTable {
    private static final List<String> TITLES =
            List.of("endpoint", "policy", "key", "algorithm", "limit", "window", "most in any window", "set by");

    private PlanTable() {}

    /**
     * The limits of some endpoints of one class, or empty if they have none.
     *
     * @param where the common part of the endpoints, for the headline
     */
    public static Optional<String> of(String where, List<Plan> plans) {
        Map<String, Limit> limits = new LinkedHashMap<>();
        Map<String, List<String>> endpoints = new LinkedHashMap<>();
        for (Plan plan : plans) {
            for (Limit limit : plan.limits()) {
                limits.putIfAbsent(limit.description(), limit);
                endpoints
                        .computeIfAbsent(limit.description(), each -> new ArrayList<>())
                        .add(plan.endpoint());
            }
        }
        if (endpoints.isEmpty()) {
            return Optional.empty();
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(TITLES);
        endpoints.forEach((limit, methods) -> rows.add(row(where, limits.get(limit), methods)));
        return Optional.of("Rate limits in force on " + where + "\n" + aligned(rows));
    }

    private static List<String> row(String where, Limit limit, List<String> methods) {
        PolicyVersion version = limit.policy().version();
        Policy policy = version.policy();
        return List.of(
                endpoint(where, methods),
                policy.name(),
                limit.key().describe(),
                policy.algorithm().name(),
                policy.limit()
                        + (policy.rules().leases() ? " in flight" : "")
                        + PolicyText.members(policy)
                        + further(limit, version),
                policy.rules().leases() ? "" : window(version),
                most(policy),
                source(limit, version));
    }

    /**
     * A soft limit has no most. Periods that last equally long reach into any other such length
     * with two of them at most; others, such as months, with three.
     */
    private static String most(Policy policy) {
        if (policy.enforcement() == Enforcement.SOFT) {
            return "not limited";
        }
        boolean two = policy.period() != null && policy.period().isOfOneLength();
        long most = two ? 2 * policy.limit() : policy.rules().mostInAnyWindow();
        return most + (policy.rules().leases() ? " at any instant" : "");
    }

    /** With the expressions that name zone and anchor of each caller, if there are some. */
    private static String window(PolicyVersion version) {
        return version.callerPeriod() == null
                ? PolicyText.window(version.policy())
                : version.declaration().window().text();
    }

    private static String source(Limit limit, PolicyVersion version) {
        String contract =
                limit.policy().quota() == null ? "" : limit.policy().quota().describe() + ", else ";
        return contract
                + (version.configured().isEmpty()
                        ? "annotation"
                        : "annotation, configuration: " + String.join(" ", version.configured()));
    }

    private static String endpoint(String where, List<String> methods) {
        String simple = where.substring(1 + Math.max(where.lastIndexOf('.'), where.lastIndexOf('$')));
        if (methods.size() > 1) {
            return simple + ", shared by " + methods.size() + " methods";
        }
        String only = methods.get(0);
        return only.startsWith(where + '.') ? only.substring(where.length() + 1).replaceAll("\\(.*", "") : simple;
    }

    /** The members that differ from their defaults. */
    private static String further(Limit limit, PolicyVersion version) {
        StringBuilder further = new StringBuilder();
        if (limit.isOfMethod()) {
            further.append(", reserved by the method");
        } else if (limit.cost().fixed() != 1) {
            further.append(", cost ").append(limit.cost().describe());
        }
        if (!limit.countOn().isAll()) {
            further.append(", counts ").append(limit.countOn().text());
        }
        for (String tier : new TreeSet<>(version.tiers().keySet())) {
            Policy policy = version.tiers().get(tier).policy();
            further.append(", ").append(tier).append(' ').append(policy.limit());
            if (policy.algorithm().accepts(Member.BURST)) {
                further.append(" with burst ").append(policy.burst());
            }
        }
        for (String tier : new TreeSet<>(version.unlimited())) {
            further.append(", ").append(tier).append(" unlimited");
        }
        if (limit.stage() != Stage.AFTER_AUTHENTICATION) {
            further.append(", ").append(limit.stage());
        }
        if (version.policy().onStoreFailure() != OnStoreFailure.CONFIGURED) {
            further.append(", on store failure ").append(version.policy().onStoreFailure());
        }
        return version.enabled() ? further.toString() : further + ", not enabled";
    }

    private static String aligned(List<List<String>> rows) {
        String format = IntStream.range(0, TITLES.size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElseThrow())
                .mapToObj(width -> "  %-" + width + 's')
                .collect(Collectors.joining());
        return rows.stream()
                .map(row -> String.format(format, row.toArray()).stripTrailing())
                .collect(Collectors.joining("\n"));
    }
}
