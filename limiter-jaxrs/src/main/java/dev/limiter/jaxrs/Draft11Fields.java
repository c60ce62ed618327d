package dev.limiter.jaxrs;

import dev.limiter.Algorithm;
import dev.limiter.Answer;
import dev.limiter.Decision;
import dev.limiter.Policy;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedMap;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The RateLimit fields of draft-ietf-httpapi-ratelimit-headers-11, and {@code Retry-After} of RFC 9110. Names of policies are
 * printable ASCII without quote or backslash, so they are structured-field strings as they stand.
 */
final class Draft11Fields {
    private static final String POLICY = "RateLimit-Policy";
    private static final String LIMIT = "RateLimit";
    private static final long SECOND_MICROS = 1_000_000;

    private Draft11Fields() {}

    /** {@code "buyer";q=10;w=20, "api";q=50;w=5}; shadows are nobody's business. */
    static String policies(List<Policy> policies) {
        return policies.stream()
                .filter(policy -> !policy.shadow())
                .map(Draft11Fields::policy)
                .collect(Collectors.joining(", "));
    }

    /** Writes what the decisions of a request let the client know. */
    static void write(Plan plan, List<Decision> decisions, MultivaluedMap<String, Object> headers) {
        headers.putSingle(POLICY, plan.policyField());
        headers.putSingle(LIMIT, limits(decisions));
        for (Decision decision : decisions) {
            if (decision instanceof Decision.Rejected rejected) {
                headers.putSingle(HttpHeaders.RETRY_AFTER, retryAfterSeconds(rejected));
            }
        }
    }

    /** Never shorter than the truth, and never 0, which would invite a loop. */
    static long retryAfterSeconds(Decision.Rejected rejected) {
        return Math.max(1, rejected.retryAfter().plusNanos(999_999_999).getSeconds());
    }

    private static String policy(Policy policy) {
        String item = '"' + policy.name() + "\";q=" + policy.capacity();
        if (policy.algorithm() == Algorithm.CONCURRENCY) {
            return item + ";qu=\"concurrent-requests\"";
        }
        BigInteger[] seconds = policy.quotaMicros().divideAndRemainder(BigInteger.valueOf(SECOND_MICROS));
        // The draft knows whole seconds only: a window of half a second is left out, not rounded to a lie.
        return seconds[1].signum() == 0 ? item + ";w=" + seconds[0] : item;
    }

    private static String limits(List<Decision> decisions) {
        StringBuilder items = new StringBuilder(64);
        for (Decision decision : decisions) {
            for (Answer answer : decision.answers()) {
                if (!answer.policy().shadow()) {
                    append(answer, items);
                }
            }
        }
        return items.toString();
    }

    private static void append(Answer answer, StringBuilder items) {
        if (!items.isEmpty()) {
            items.append(", ");
        }
        items.append('"').append(answer.policy().name()).append("\";r=").append(answer.remaining());
        // When leases come back nobody knows, and a hint is no promise.
        if (answer.nextAfterMicros() > 0 && answer.policy().algorithm() != Algorithm.CONCURRENCY) {
            items.append(";t=").append(seconds(answer.nextAfterMicros()));
        }
    }

    private static long seconds(long micros) {
        return (micros + SECOND_MICROS - 1) / SECOND_MICROS;
    }
}
