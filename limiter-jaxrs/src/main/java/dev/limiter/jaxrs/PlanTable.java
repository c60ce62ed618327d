package dev.limiter.jaxrs;

import dev.limiter.Algorithm;
import dev.limiter.DurationNotation;
import dev.limiter.Policy;
import dev.limiter.Refill;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The plan in force, as a table for the log: what counts whom, and the most that any window can admit. */
final class PlanTable {
    private static final List<String> TITLES =
            List.of("endpoint", "policy", "key", "algorithm", "limit", "window", "most in any window");

    private PlanTable() {}

    /** The limits on a resource class, or empty if it has none. */
    static Optional<String> of(Class<?> resourceClass, List<Plan> plans) {
        Map<String, Plan.Limit> limits = new LinkedHashMap<>();
        Map<String, List<String>> endpoints = new LinkedHashMap<>();
        for (Plan plan : plans) {
            String method = plan.endpoint().substring(resourceClass.getName().length() + 1);
            for (Plan.Limit limit : plan.limits()) {
                limits.putIfAbsent(limit.description(), limit);
                endpoints
                        .computeIfAbsent(limit.description(), each -> new ArrayList<>())
                        .add(method);
            }
        }
        if (endpoints.isEmpty()) {
            return Optional.empty();
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(TITLES);
        endpoints.forEach((limit, methods) -> rows.add(row(resourceClass, limits.get(limit), methods)));
        return Optional.of("Rate limits in force on " + resourceClass.getName() + "\n" + aligned(rows));
    }

    private static List<String> row(Class<?> resourceClass, Plan.Limit limit, List<String> methods) {
        Policy policy = limit.policy();
        String endpoint = methods.size() == 1
                ? methods.get(0).replaceAll("\\(.*", "")
                : resourceClass.getSimpleName() + ", shared by " + methods.size() + " methods";
        return List.of(
                endpoint,
                policy.name(),
                limit.key().describe(),
                policy.algorithm().name(),
                policy.limit() + further(policy),
                inFlight(policy) ? "" : DurationNotation.format(policy.window()),
                policy.mostInAnyWindow() + (inFlight(policy) ? " at any instant" : ""));
    }

    private static String further(Policy policy) {
        return switch (policy.algorithm()) {
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, UNIFORM -> "";
            case GCRA -> ", burst " + policy.burst();
            case TOKEN_BUCKET ->
                ", burst " + policy.burst() + (policy.refill() == Refill.INTERVAL ? ", at intervals" : "")
                        + (policy.borrow() ? ", may borrow" : "");
            case LEAKY_BUCKET -> ", held up to " + DurationNotation.format(policy.maxWait());
            case CONCURRENCY -> " in flight";
        };
    }

    private static boolean inFlight(Policy policy) {
        return policy.algorithm() == Algorithm.CONCURRENCY;
    }

    private static String aligned(List<List<String>> rows) {
        int[] widths = new int[TITLES.size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        return rows.stream()
                .map(row -> {
                    StringBuilder line = new StringBuilder();
                    for (int column = 0; column < widths.length; column++) {
                        line.append("  ").append(row.get(column));
                        line.append(" ".repeat(widths[column] - row.get(column).length()));
                    }
                    return line.toString().stripTrailing();
                })
                .collect(Collectors.joining("\n"));
    }
}
