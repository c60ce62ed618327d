package dev.limiter.jaxrs.internal.response;

import dev.limiter.CheckResult;
import dev.limiter.Enforcement;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Writes the RateLimit headers of draft-ietf-httpapi-ratelimit-headers-11. Names of policies are
 * printable ASCII without quote or backslash, so they are structured-field strings without
 * escaping. Later drafts do not change this class.
 */
public final class Draft11Headers implements RateLimitHeaders {
    private static final String POLICY = "RateLimit-Policy";
    private static final String LIMIT = "RateLimit";
    private static final long SECOND_MICROS = 1_000_000;

    @Override
    public List<String> names() {
        return List.of(POLICY, LIMIT);
    }

    @Override
    public boolean haveProblemTypes() {
        return true;
    }

    /** {@code "buyer";q=10;w=20, "api";q=50;w=5} and {@code "buyer";r=9;t=2, "api";r=49}. */
    @Override
    public void write(List<PublishedResult> published, BiConsumer<String, String> fields) {
        StringBuilder policies = new StringBuilder(64);
        StringBuilder limits = new StringBuilder(64);
        for (PublishedResult each : published) {
            if (!limits.isEmpty()) {
                policies.append(", ");
                limits.append(", ");
            }
            policies.append(each.policy().policyItem());
            append(each.result(), limits);
        }
        fields.accept(POLICY, policies.toString());
        fields.accept(LIMIT, limits.toString());
    }

    private static void append(CheckResult result, StringBuilder items) {
        items.append('"').append(result.policy().name()).append("\";r=").append(result.remaining());
        // Within t no more than r can be used. Rounded up, t would be untrue; a t of 0 says
        // nothing. The limiter does not know when leases come back, so a concurrency policy has
        // no t.
        long seconds = result.policy().rules().remainingHoldsMicros(result) / SECOND_MICROS;
        if (seconds > 0 && !passesBeyond(result)) {
            items.append(";t=").append(seconds);
        }
    }

    /** A client that reads r=0 with a t stops until then, and a soft limit rejects no request. */
    private static boolean passesBeyond(CheckResult result) {
        return result.remaining() == 0 && result.policy().enforcement() == Enforcement.SOFT;
    }
}
