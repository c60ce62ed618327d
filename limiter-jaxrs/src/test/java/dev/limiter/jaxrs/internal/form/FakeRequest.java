package dev.limiter.jaxrs.internal.form;

import dev.limiter.jaxrs.LimitedRequest;
import java.security.Principal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A request whose values a test sets: {@code new FakeRequest().with("header:X-Api-Key", "a")}.
 */
public final class FakeRequest implements LimitedRequest {
    private final Map<String, Object> values = new HashMap<>();

    public FakeRequest with(String placeholder, Object value) {
        values.put(placeholder, value);
        return this;
    }

    @Override
    public String method() {
        return text("verb");
    }

    @Override
    public String endpoint() {
        return text("endpoint");
    }

    @Override
    public Principal user() {
        String name = text("user");
        return name == null ? null : () -> name;
    }

    @Override
    public String peerAddress() {
        return text("peer");
    }

    @Override
    public String clientAddress() {
        return values.getOrDefault("ip", "192.0.2.1").toString();
    }

    @Override
    public String header(String name) {
        List<String> all = headers(name);
        return all.isEmpty() ? null : all.get(0);
    }

    @Override
    public List<String> headers(String name) {
        Object value = values.get("header:" + name);
        if (value instanceof List<?> lines) {
            return lines.stream().map(Object::toString).toList();
        }
        return value == null ? List.of() : List.of(value.toString());
    }

    @Override
    public String query(String name) {
        return text("query:" + name);
    }

    @Override
    public String pathParameter(String name) {
        return text("path:" + name);
    }

    @Override
    public String cookie(String name) {
        return text("cookie:" + name);
    }

    @Override
    public String form(String name) {
        if (values.get("form:" + name) instanceof UnreadableFormException unreadable) {
            throw unreadable;
        }
        return text("form:" + name);
    }

    @Override
    public Object attribute(String name) {
        return values.get("attribute:" + name);
    }

    private String text(String placeholder) {
        Object value = values.get(placeholder);
        return value == null ? null : value.toString();
    }
}
