package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.key.CountedMethod;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.policy.Caller;
import dev.limiter.jaxrs.internal.policy.ReloadablePolicy;
import java.security.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A caller that an operator states. A policy's expressions read it as if it were a request of
 * that caller.
 */
final class StatedCaller implements LimitedRequest, Caller {
    private final String policy;
    private final ReloadablePolicy.Choice choice;
    private final Map<String, String> values = new HashMap<>();
    private final UnaryOperator<String> addresses;

    /**
     * @param caller values by placeholder, without braces
     * @param addresses writes an address as requests from it are counted
     * @throws IllegalArgumentException if a placeholder is unknown
     */
    StatedCaller(ReloadablePolicy policy, Map<String, String> caller, UnaryOperator<String> addresses) {
        this.policy = policy.name();
        this.choice = policy.choice();
        this.addresses = addresses;
        caller.forEach((placeholder, value) -> values.put(KeyValueSource.unfoldedName(placeholder), value));
    }

    @Override
    public String tier() {
        return choice.tier() == null ? null : value("tiers", choice.tier());
    }

    @Override
    public String value(String what, KeyExpression.Segment expression) {
        List<String> names = expression.alternatives().stream()
                .filter(source -> !source.isLiteral())
                .map(KeyValueSource::unfoldedName)
                .toList();
        if (!names.isEmpty() && names.stream().noneMatch(values::containsKey)) {
            String without = expression == choice.tier() ? "of no tier" : "without one";
            throw new IllegalArgumentException("policy \"" + policy + "\" has " + what + "; state \""
                    + String.join("\" or \"", names) + "\", empty for a caller " + without);
        }
        return expression.given(values).value(this);
    }

    @Override
    public PartitionKey key() {
        return choice.key().given(values).partition(this);
    }

    @Override
    public String clientAddress() {
        if (!hasAddress()) {
            throw new IllegalArgumentException("policy \"" + policy + "\" counts "
                    + choice.key().describe() + ", but of this caller only " + withValues()
                    + " is stated; state each part of that key");
        }
        return addresses.apply(values.get("ip"));
    }

    private List<String> withValues() {
        return values.entrySet().stream()
                .filter(stated -> !stated.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** Whether the caller's address is stated. */
    boolean hasAddress() {
        return !values.getOrDefault("ip", "").isEmpty();
    }

    @Override
    public String method() {
        String verb = values.get("verb");
        return verb == null ? null : CountedMethod.of(verb);
    }

    @Override
    public String endpoint() {
        return values.get("endpoint");
    }

    @Override
    public Principal user() {
        String name = values.get("user");
        return name == null ? null : () -> name;
    }

    @Override
    public String peerAddress() {
        return null;
    }

    @Override
    public String header(String name) {
        return values.get("header:" + name);
    }

    @Override
    public List<String> headers(String name) {
        String value = header(name);
        return value == null ? List.of() : List.of(value);
    }

    @Override
    public String query(String name) {
        return values.get("query:" + name);
    }

    @Override
    public String pathParameter(String name) {
        return values.get("path:" + name);
    }

    @Override
    public String cookie(String name) {
        return values.get("cookie:" + name);
    }

    @Override
    public String form(String name) {
        return values.get("form:" + name);
    }

    @Override
    public Object attribute(String name) {
        return values.get("attribute:" + name);
    }
}
