package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.plan.Limit;
import dev.limiter.jaxrs.internal.plan.Plan;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Warns of declarations that are allowed and probably not meant. Each warning has a code, and a
 * section in {@code docs/warnings.md}.
 */
public final class DeclarationWarnings {
    private static final int BYTES_PER_UNIT = 10;
    private static final long LARGE_BYTES = 1_000_000;
    private static final Set<String> MEET_REQUESTS =
            Set.of("jakarta.servlet.http.HttpServlet", "jakarta.ws.rs.core.Application");

    private DeclarationWarnings() {}

    /** All warnings about some endpoints, each once. */
    public static List<String> of(List<Plan> plans) {
        Set<String> warnings = new TreeSet<>();
        for (Plan plan : plans) {
            for (Limit limit : plan.limits()) {
                neverBinds(limit, plan, warnings);
                chosenByCaller(limit, plan, warnings);
                largeLog(limit, warnings);
            }
        }
        return List.copyOf(warnings);
    }

    /**
     * The warning for a bean whose limits no request can meet. Empty for all others, and for
     * types that others may extend or implement.
     */
    public static Optional<String> ofBean(Class<?> type) {
        boolean open = type.isInterface() || Modifier.isAbstract(type.getModifiers());
        if (open || !isLimited(type) || ResourceMethods.isResource(type) || meetsRequests(type)) {
            return Optional.empty();
        }
        return Optional.of(
                "LIM06 " + type.getName() + " carries limits that no request meets: it has no resource methods, and"
                        + " is neither servlet nor Application. Limit the resource methods that call it, or ask RateLimiter in code");
    }

    /**
     * Warns of a service without a name: two of them on one Redis share the buckets of equal
     * names.
     */
    public static void logNameless() {
        System.getLogger("dev.limiter.plan")
                .log(
                        System.Logger.Level.WARNING,
                        "LIM07 The application is at the root context, and so called \"/\" in Redis, as every other one there: policies of"
                                + " one name would share their counts. Set limiter.application to the name of the service");
    }

    private static boolean isLimited(Class<?> type) {
        return Stream.<AnnotatedElement>concat(Stream.of(type), Stream.of(type.getDeclaredMethods()))
                .anyMatch(element -> !AnnotationFinder.written(element).limits().isEmpty());
    }

    /**
     * Whether requests can meet a class. Servlet types are compared by name, since they may be
     * absent.
     */
    private static boolean meetsRequests(Class<?> type) {
        return Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
                .anyMatch(each -> MEET_REQUESTS.contains(each.getName()));
    }

    /**
     * Warns of two limits that count the same in the same way: the wider one is never reached;
     * of two equal ones, the later.
     */
    private static void neverBinds(Limit limit, Plan plan, Set<String> warnings) {
        for (Limit tighter : plan.limits()) {
            boolean equal =
                    isNeverWider(policy(limit), policy(tighter)) && isNeverWider(policy(tighter), policy(limit));
            boolean later = plan.limits().indexOf(limit) > plan.limits().indexOf(tighter);
            if (tighter != limit
                    && countsTheSame(tighter, limit)
                    && isNeverWider(policy(tighter), policy(limit))
                    && (!equal || later)) {
                warnings.add("LIM01 " + plan.endpoint() + ": \"" + limit.name() + "\" can never bind beside \""
                        + tighter.name() + "\", which counts the same and admits no more");
                return;
            }
        }
    }

    private static boolean countsTheSame(Limit tighter, Limit limit) {
        return tighter.stage() == limit.stage()
                && !tighter.isOfMethod()
                && tighter.key().text().equals(limit.key().text())
                && tighter.cost().describe().equals(limit.cost().describe())
                && tighter.countOn().isAll()
                && limit.countOn().isAll()
                && tighter.tier() == null
                && limit.tier() == null
                && tighter.numbers() == null
                && limit.numbers() == null
                && tighter.rejects();
    }

    private static boolean isNeverWider(Policy one, Policy other) {
        return other.rules().admitsAllOf(one.rules());
    }

    /**
     * Warns of a key part that the caller chooses. Each limit is judged by itself: a rotating
     * part is a fresh quota in each.
     */
    private static void chosenByCaller(Limit limit, Plan plan, Set<String> warnings) {
        List<KeyValueSource> chosen = chosenIn(limit);
        boolean another = plan.limits().stream()
                .anyMatch(each ->
                        each != limit && each.rejects() && chosenIn(each).isEmpty());
        if (!chosen.isEmpty() && !another) {
            warnings.add("LIM02 " + plan.endpoint() + ": \"" + limit.name() + "\" counts on "
                    + limit.key().text() + ", of which the caller chooses "
                    + chosen.stream().map(KeyValueSource::written).collect(Collectors.joining(" and "))
                    + ": a new value is a fresh quota. Add a limit on \"{ip}\" or \"{user}\" alone beside it");
        }
    }

    /** The parts, and alternatives of parts, that callers can change. */
    private static List<KeyValueSource> chosenIn(Limit limit) {
        return limit.key().sources().stream()
                .filter(KeyValueSource::isChangedByCaller)
                .toList();
    }

    private static void largeLog(Limit limit, Set<String> warnings) {
        Policy policy = policy(limit);
        long bytes = policy.limit() * BYTES_PER_UNIT;
        if (policy.algorithm() == Algorithm.SLIDING_LOG && bytes >= LARGE_BYTES) {
            warnings.add("LIM04 \"" + limit.name() + "\": a SLIDING_LOG of " + policy.limit() + " keeps up to "
                    + bytes / 1_000_000 + " MB in Redis for each key; SLIDING_WINDOW or GCRA keep a number");
        }
    }

    private static Policy policy(Limit limit) {
        return limit.policy().numbers().policy();
    }
}
