package dev.limiter.jaxrs.internal.servlet;

import dev.limiter.jaxrs.internal.form.ReplayableBody;
import dev.limiter.jaxrs.internal.form.RestForm;
import dev.limiter.jaxrs.internal.platform.UrlEncoding;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request with a form whose body the limiter may read before the container has. RESTEasy asks
 * the container for the form of a POST, whatever has become of the stream (Open Liberty's does,
 * later ones do not), and the container would find it empty.
 */
public final class ReplayableFormRequest extends HttpServletRequestWrapper {
    private Map<String, String[]> parameters;

    public ReplayableFormRequest(HttpServletRequest request) {
        super(request);
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        if (parameters == null && getAttribute(RestForm.BODY) instanceof ReplayableBody body) {
            parameters = read(body);
        }
        return parameters == null ? super.getParameterMap() : parameters;
    }

    @Override
    public String getParameter(String name) {
        String[] values = getParameterValues(name);
        return values == null ? null : values[0];
    }

    @Override
    public String[] getParameterValues(String name) {
        return getParameterMap().get(name);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(getParameterMap().keySet());
    }

    /**
     * Those of the query come first, as with a container.
     *
     * @throws IllegalStateException if the form is larger than {@link ReplayableBody#MOST_BYTES}
     */
    private Map<String, String[]> read(ReplayableBody body) {
        Map<String, List<String>> found = UrlEncoding.fields(getQueryString(), StandardCharsets.UTF_8);
        try {
            UrlEncoding.fields(new String(body.toTheEnd(), body.charset()), body.charset())
                    .forEach((name, values) -> found.computeIfAbsent(name, each -> new ArrayList<>(1))
                            .addAll(values));
        } catch (IOException gone) {
            throw new UncheckedIOException("the client's form cannot be read", gone);
        }
        Map<String, String[]> all = new LinkedHashMap<>();
        found.forEach((name, values) -> {
            values.replaceAll(value -> value == null ? "" : value);
            all.put(name, values.toArray(String[]::new));
        });
        return Collections.unmodifiableMap(all);
    }
}
