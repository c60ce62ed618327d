package dev.limiter.jaxrs.internal.request;

import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import dev.limiter.jaxrs.internal.response.Draft11Headers;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import dev.limiter.jaxrs.internal.response.RateLimitHeaders;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;

/**
 * The headers of draft 11 as a client reads them, with a foreign parser of structured fields.
 */
public record ParsedFields(Map<String, Map<String, Object>> policies, Map<String, Map<String, Object>> limits) {
    private static final Set<String> OF_POLICIES = Set.of("q", "w", "qu");
    private static final Set<String> OF_LIMITS = Set.of("r", "t");

    /**
     * Writes the answers of a decision, as if all its policies were published, and reads them
     * back.
     */
    public static ParsedFields of(Decision decision) {
        return of(decision.results());
    }

    public static ParsedFields of(List<CheckResult> results) {
        Map<String, String> fields = written(new Draft11Headers(), results);
        return new ParsedFields(
                items(fields.get("RateLimit-Policy"), OF_POLICIES), items(fields.get("RateLimit"), OF_LIMITS));
    }

    /** The lines of a dialect. */
    public static Map<String, String> written(RateLimitHeaders dialect, List<CheckResult> results) {
        List<PublishedResult> published = results.stream()
                .map(answer -> new PublishedResult(EffectivePolicy.of(answer.policy(), true), answer))
                .toList();
        Map<String, String> fields = new LinkedHashMap<>();
        dialect.write(published, (name, value) -> {
            if (fields.put(name, value) != null) {
                throw new AssertionError(name + " was written twice");
            }
        });
        return fields;
    }

    long number(Map<String, Map<String, Object>> items, String policy, String parameter) {
        return (Long) items.get(policy).get(parameter);
    }

    /** The units of a policy that the client may still use at once. */
    public long r(String policy) {
        return number(limits, policy, "r");
    }

    /** Seconds within which no more than {@link #r} can be used; 0 if nothing is said. */
    public long t(String policy) {
        return limits.get(policy).containsKey("t") ? number(limits, policy, "t") : 0;
    }

    /** Items by name, in their order, each a String with the parameters that the draft knows. */
    private static Map<String, Map<String, Object>> items(String field, Set<String> known) {
        Map<String, Map<String, Object>> items = new LinkedHashMap<>();
        for (ListElement<?> element : Parser.parseList(field).get()) {
            if (!(element instanceof StringItem name)) {
                throw new AssertionError("not a String: " + element.serialize() + " in " + field);
            }
            Map<String, Object> parameters = new LinkedHashMap<>();
            element.getParams().forEach((key, value) -> parameters.put(key, value(key, value, field)));
            if (!known.containsAll(parameters.keySet()) || items.put(name.get(), parameters) != null) {
                throw new AssertionError("an unknown parameter, or one name twice, in " + field);
            }
        }
        return items;
    }

    private static Object value(String key, Item<?> value, String field) {
        boolean isRight = key.equals("qu") ? value instanceof StringItem : value instanceof IntegerItem;
        if (!isRight) {
            throw new AssertionError(key + " is of another type in " + field);
        }
        return Stream.of(value.get()).findFirst().orElseThrow();
    }
}
