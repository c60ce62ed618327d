package dev.limiter.jaxrs.internal.response;

import jakarta.ws.rs.core.MultivaluedMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Lets scripts of other origins read the headers: browsers hide headers that
 * {@code Access-Control-Expose-Headers} does not name.
 */
public final class CorsExposure {
    public static final String NAME = "Access-Control-Expose-Headers";

    private CorsExposure() {}

    /**
     * Adds the names, and {@code Retry-After}, to the exposed headers.
     *
     * @param around the headers exposed outside of Jakarta REST, whose headers may replace them
     */
    public static void add(List<String> names, Collection<String> around, MultivaluedMap<String, Object> headers) {
        List<String> exposed = new ArrayList<>(around);
        headers.getOrDefault(NAME, List.of()).forEach(value -> exposed.add(value.toString()));
        headers.putSingle(NAME, with(names, String.join(", ", exposed)));
    }

    /** The header's value: {@code exposed}, and the names that it lacks. */
    public static String with(List<String> names, String exposed) {
        List<String> all = new ArrayList<>();
        if (!exposed.isBlank()) {
            all.add(exposed.strip());
        }
        String known = ',' + exposed.toLowerCase(Locale.ROOT).replace(" ", "") + ',';
        List<String> wanted = new ArrayList<>(names);
        wanted.add(RetryAfterHeader.NAME);
        for (String name : wanted) {
            if (!known.contains(',' + name.toLowerCase(Locale.ROOT) + ',') && !known.contains(",*,")) {
                all.add(name);
            }
        }
        return String.join(", ", all);
    }
}
