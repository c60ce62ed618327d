package dev.limiter.jaxrs.internal.request;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Warns of a method that never reserves units of a limit with {@code cost = "0"}, which then
 * limits nothing. A method that has reserved once is silent from then on.
 */
public final class UnreservedLimits {
    /** Some requests may need no units, such as those that a cache of the method answers. */
    private static final int SILENT_REQUESTS = 10;

    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");

    /** Requests without units, by limit and method; the bound once that is settled. */
    private final ConcurrentHashMap<String, Integer> requests = new ConcurrentHashMap<>();

    /**
     * Notes that a request has ended well.
     *
     * @param endpoint its method
     * @param used whether the method has reserved, charged or settled units
     */
    void ended(BoundLimit limit, String endpoint, boolean used) {
        String place = limit.name() + "\" on " + endpoint;
        if (requests.getOrDefault(place, 0) >= SILENT_REQUESTS) {
            return;
        }
        int now = requests.merge(place, used ? SILENT_REQUESTS : 1, Integer::sum);
        if (!used && now == SILENT_REQUESTS) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "LIM16 \"" + place + " limits nothing: its cost is \"0\", and none of " + SILENT_REQUESTS
                            + " requests reserved units. Call RateLimits.reserve(\"" + limit.name()
                            + "\", units) in the method, write a cost, or exempt the method");
        }
    }
}
