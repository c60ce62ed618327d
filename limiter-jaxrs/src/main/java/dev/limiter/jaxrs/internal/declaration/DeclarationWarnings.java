package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.key.Placeholder;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.Plan;
import jakarta.ws.rs.HttpMethod;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Warns of declarations that are allowed and probably not meant. Each warning has a code, and a
 * section in {@code docs/warnings.md}.
 */
public final class DeclarationWarnings {
    private static final int BYTES_PER_UNIT = 10;
    private static final long LARGE_BYTES = 1_000_000;
    /** What many callers have. */
    private static final Set<Placeholder> OF_MANY = Set.of(Placeholder.IP, Placeholder.VERB, Placeholder.ENDPOINT);

    /** Types of servlets are compared by name, since they may be absent. */
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
                pricedByCaller(limit, plan, warnings);
                largeLog(limit, warnings);
                bansOthers(limit, warnings);
            }
        }
        return List.copyOf(warnings);
    }

    /**
     * All warnings about a class, each once.
     *
     * @param plans of its methods
     */
    static List<String> of(Class<?> resourceClass, Map<Method, Plan> plans) {
        Set<String> warnings = new TreeSet<>(of(List.copyOf(plans.values())));
        plans.forEach((method, plan) -> plan.limits().stream()
                .filter(DeclarationWarnings::readsForm)
                .forEach(limit -> bodiesBesideForms(limit, resourceClass, method, plan, warnings)));
        warnings.addAll(ofLocators(resourceClass));
        return List.copyOf(warnings);
    }

    /**
     * The warning for a bean whose limits no request can meet. Empty for all others, and for
     * types that others may extend or implement.
     */
    public static Optional<String> ofBean(Class<?> type) {
        boolean open = type.isInterface() || Modifier.isAbstract(type.getModifiers());
        if (open || isMet(type) || !isLimited(type)) {
            return Optional.empty();
        }
        return Optional.of(
                "LIM06 " + type.getName() + " carries limits that no request meets: it has no resource methods, and"
                        + " is neither servlet nor Application. Limit the resource methods that call it, or ask RateLimiter in code");
    }

    /**
     * Whether the limits of a class can count calls: no requests meet it, and no server calls it as
     * a filter.
     */
    public static boolean isForCalls(Class<?> type) {
        return !isMet(type) && !TypeArguments.isAny(type, EarlyValidator.FILTERS_AND_SERVLETS);
    }

    private static boolean isMet(Class<?> type) {
        return ResourceMethods.isSubResource(type) || TypeArguments.isAny(type, MEET_REQUESTS);
    }

    /**
     * The warnings for the locators of a class with limits, which do not count what a locator
     * returns. None for a locator whose class has limits of its own.
     */
    static List<String> ofLocators(Class<?> type) {
        if (AnnotationFinder.on(type).limits().isEmpty()) {
            return List.of();
        }
        return ResourceMethods.locators(type).stream()
                .filter(locator -> !hasLimits(ResourceMethods.subResource(locator)))
                .map(locator -> "LIM08 " + DeclarationSite.of(type, locator).identity() + ": the limits of "
                        + type.getSimpleName()
                        + " do not count the requests to what this locator returns; limit that class, too")
                .toList();
    }

    private static boolean hasLimits(Class<?> subResource) {
        return !AnnotationFinder.on(subResource).limits().isEmpty()
                || ResourceMethods.of(subResource).stream()
                        .anyMatch(method -> !AnnotationFinder.on(subResource, method)
                                .limits()
                                .isEmpty());
    }

    /** Whether a class itself carries limits, on it or on its methods. */
    public static boolean isLimited(Class<?> type) {
        return Stream.<AnnotatedElement>concat(Stream.of(type), Stream.of(type.getDeclaredMethods()))
                .anyMatch(element -> !AnnotationFinder.written(element).limits().isEmpty());
    }

    /**
     * Warns of two limits that count the same in the same way, wherever the wider one stands: it
     * is never reached; of two equal ones, the later.
     */
    private static void neverBinds(Limit limit, Plan plan, Set<String> warnings) {
        for (Limit tighter : plan.limits()) {
            boolean later = plan.limits().indexOf(limit) > plan.limits().indexOf(tighter);
            if (tighter != limit
                    && countsTheSame(tighter, limit)
                    && limit.policy().isAlwaysBeside(tighter.name())
                    && isNeverWider(policy(tighter), policy(limit))
                    && (later || !isNeverWider(policy(limit), policy(tighter)))) {
                warnings.add("LIM01 " + plan.endpoint() + ": \"" + limit.name() + "\" can never bind beside \""
                        + tighter.name() + "\", which counts the same and admits no more; remove the first");
                return;
            }
        }
    }

    /** The limits of a plan that count all that one of them counts there, in the same way. */
    static Set<String> countingTheSame(Limit limit, Plan plan) {
        return plan.limits().stream()
                .filter(each -> countsTheSame(each, limit))
                .map(Limit::name)
                .collect(Collectors.toSet());
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
                && tighter.policy().quota() == null
                && limit.policy().quota() == null
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
        if (!chosen.isEmpty() && !isBeside(limit, plan, each -> chosenIn(each).isEmpty())) {
            warnings.add("LIM02 " + plan.endpoint() + ": \"" + limit.name() + "\" counts on "
                    + limit.key().text() + ", and the caller chooses "
                    + chosen.stream().map(KeyValueSource::written).collect(Collectors.joining(" and "))
                    + ": each new value has a fresh quota. Add a limit on "
                    + (chosen.stream().anyMatch(each -> each.is(Placeholder.PARAM))
                            ? "\"{user|'nobody'}\" or \"'all'\""
                            : "\"{ip}\" or \"{user}\"")
                    + " alone beside it");
        }
    }

    /** Whether a limit has another one of some kind beside it that rejects. */
    private static boolean isBeside(Limit limit, Plan plan, Predicate<Limit> kind) {
        return plan.limits().stream().anyMatch(each -> each != limit && each.rejects() && kind.test(each));
    }

    /** The parts, and alternatives of parts, that callers can change. */
    private static List<KeyValueSource> chosenIn(Limit limit) {
        return limit.key().sources().stream()
                .filter(KeyValueSource::isChangedByCaller)
                .toList();
    }

    /**
     * Warns of a cost that the caller chooses. Beside a limit with another cost it chooses less.
     */
    private static void pricedByCaller(Limit limit, Plan plan, Set<String> warnings) {
        if (isPricedByCaller(limit) && !isBeside(limit, plan, each -> !isPricedByCaller(each))) {
            warnings.add("LIM09 " + plan.endpoint() + ": \"" + limit.name() + "\" costs "
                    + limit.cost().describe()
                    + ", which the caller writes: it can state less than it uses."
                    + " Let the method settle what was used (cost = \"0\"), or add a limit of a fixed cost beside it");
        }
    }

    private static boolean isPricedByCaller(Limit limit) {
        return limit.cost().sources().stream().anyMatch(KeyValueSource::isChangedByCaller);
    }

    /** Warns of a field that a limit counts, if the method also takes bodies that have none. */
    private static void bodiesBesideForms(
            Limit limit, Class<?> resourceClass, Method method, Plan plan, Set<String> warnings) {
        List<String> others = ResourceMethods.bodiesBesideForms(resourceClass, method);
        if (ResourceMethods.verbs(method).toList().equals(List.of(HttpMethod.GET))) {
            warnings.add(
                    "LIM10 " + plan.endpoint() + ": \"" + limit.name() + "\" counts a field of a form, and a GET has"
                            + " none: each request is counted on its"
                            + " address. Count {query:...}, or let the"
                            + " method take a POST");
        } else if (!others.isEmpty()) {
            warnings.add("LIM10 " + plan.endpoint() + ": \"" + limit.name() + "\" counts a field of a form, and the"
                    + " method also takes " + String.join(", ", others) + ": such a request is counted on its address."
                    + " Let a method take forms alone, or acquire the limit in the method");
        }
    }

    private static boolean readsForm(Limit limit) {
        return Stream.of(
                        limit.key().sources(),
                        limit.cost().sources(),
                        limit.tier() == null
                                ? List.<KeyValueSource>of()
                                : limit.tier().alternatives())
                .flatMap(List::stream)
                .anyMatch(source -> source.placeholders().contains(Placeholder.FORM));
    }

    /**
     * Warns of a ban by a key of which no part is the caller's own. A name together with the
     * address is its own: a stranger has another address.
     */
    private static void bansOthers(Limit limit, Set<String> warnings) {
        boolean named = !chosenIn(limit).isEmpty();
        boolean own = limit.key().parts().stream()
                .anyMatch(part -> part.alternatives().stream()
                        .allMatch(source -> isOfOneCaller(source)
                                || named && source.placeholders().contains(Placeholder.IP)));
        if (policy(limit).members().get(PolicyMember.BAN) != null && !own) {
            warnings.add("LIM18 \"" + limit.name() + "\" bans by " + limit.key().text()
                    + ": one caller can close it for others. Ban by {user}, or by a name and {ip} together");
        }
    }

    /** Whether other callers neither have its value nor can write it. */
    private static boolean isOfOneCaller(KeyValueSource source) {
        return !source.isLiteral()
                && !source.isChangedByCaller()
                && source.placeholders().stream().noneMatch(OF_MANY::contains);
    }

    private static void largeLog(Limit limit, Set<String> warnings) {
        Policy policy = policy(limit);
        long bytes = policy.limit() * BYTES_PER_UNIT;
        if (policy.algorithm() == Algorithm.SLIDING_LOG && bytes >= LARGE_BYTES) {
            warnings.add("LIM04 \"" + limit.name() + "\": a SLIDING_LOG of " + policy.limit() + " keeps up to "
                    + bytes / 1_000_000 + " MB in Redis for each key; SLIDING_WINDOW and GCRA keep a number or two");
        }
    }

    private static Policy policy(Limit limit) {
        return limit.policy().version().policy();
    }
}
