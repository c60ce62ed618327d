package dev.limiter.jaxrs.internal.response;

import dev.limiter.Algorithm;
import dev.limiter.CheckResult;
import dev.limiter.Policy;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The RateLimit fields of draft-ietf-httpapi-ratelimit-headers-11. Names of policies are printable ASCII without quote or
 * backslash, so they are structured-field strings as they stand. The draft will change; what this class means will not.
 */
public final class Draft11Headers implements RateLimitHeaders {
    private static final String POLICY = "RateLimit-Policy";
    private static final String LIMIT = "RateLimit";
    private static final long SECOND_MICROS = 1_000_000;

    @Override
    public List<String> names() {
        return List.of(POLICY, LIMIT);
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
            policies.append(each.quota().policyItem());
            append(each.answer(), limits);
        }
        fields.accept(POLICY, policies.toString());
        fields.accept(LIMIT, limits.toString());
    }

    /**
     * The span within which no more than what is left can be used, however it is used. That is the wait for more, but for a
     * sliding window whose previous window is empty: what is left is then a part of the present window's quota, and comes
     * back the sooner the more of it is used. Used up at once, the window to come has room for one more after its first
     * {@code 1 / limit}.
     */
    private static long effectiveMicros(CheckResult answer) {
        Policy policy = answer.policy();
        long next = answer.nextAfterMicros();
        if (policy.algorithm() != Algorithm.SLIDING_WINDOW || answer.remaining() == 0) {
            return next;
        }
        // The full quota is there when what was used last is two windows old, so one window after the present one's
        // end.
        long window = policy.windowMicros();
        long reset = answer.resetAfterMicros();
        long presentEnds = reset > window ? reset - window : reset;
        return next <= presentEnds ? next : Math.min(next, presentEnds - Math.floorDiv(-window, policy.limit()));
    }

    private static void append(CheckResult answer, StringBuilder items) {
        items.append('"').append(answer.policy().name()).append("\";r=").append(answer.remaining());
        // Within t no more than r can be used: rounded up that would be a lie, and within no time it says nothing.
        // The limiter does not know when leases come back, so a concurrency policy has no t.
        long seconds = effectiveMicros(answer) / SECOND_MICROS;
        if (seconds > 0 && answer.policy().algorithm() != Algorithm.CONCURRENCY) {
            items.append(";t=").append(seconds);
        }
    }
}
