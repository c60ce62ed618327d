package dev.limiter.jaxrs;

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

    /** {@code "buyer";q=10;w=20, "api";q=50;w=5}. */
    static String policies(List<Policy> policies) {
        return policies.stream().map(Draft11Fields::policy).collect(Collectors.joining(", "));
    }

    /** Writes what a decision lets the client know. */
    static void write(Plan plan, Decision decision, MultivaluedMap<String, Object> headers) {
        headers.putSingle(POLICY, plan.policyField());
        headers.putSingle(LIMIT, limits(decision.answers()));
        if (decision instanceof Decision.Rejected rejected) {
            headers.putSingle(HttpHeaders.RETRY_AFTER, retryAfterSeconds(rejected));
        }
    }

    /** Never shorter than the truth, and never 0, which would invite a loop. */
    static long retryAfterSeconds(Decision.Rejected rejected) {
        long micros = rejected.retryAfter().toNanos() / 1_000;
        return Math.max(1, seconds(micros));
    }

    private static String policy(Policy policy) {
        String item = '"' + policy.name() + "\";q=" + policy.capacity();
        BigInteger[] seconds = quotaMicros(policy).divideAndRemainder(BigInteger.valueOf(SECOND_MICROS));
        // The draft knows whole seconds only: a window of half a second is left out, not rounded to a lie.
        return seconds[1].signum() == 0 ? item + ";w=" + seconds[0] : item;
    }

    /** The time in which the whole quota comes back; a fraction of a microsecond makes it one more than whole. */
    private static BigInteger quotaMicros(Policy policy) {
        BigInteger window = BigInteger.valueOf(policy.windowMicros());
        if (!policy.algorithm().drips()) {
            return window;
        }
        BigInteger[] micros = window.multiply(BigInteger.valueOf(policy.capacity()))
                .divideAndRemainder(BigInteger.valueOf(policy.limit()));
        return micros[1].signum() == 0 ? micros[0] : micros[0].add(BigInteger.ONE);
    }

    private static String limits(List<Answer> answers) {
        StringBuilder items = new StringBuilder(32 * answers.size());
        for (Answer answer : answers) {
            if (!items.isEmpty()) {
                items.append(", ");
            }
            items.append('"').append(answer.policy().name()).append("\";r=").append(answer.remaining());
            if (answer.nextAfterMicros() > 0) {
                items.append(";t=").append(seconds(answer.nextAfterMicros()));
            }
        }
        return items.toString();
    }

    private static long seconds(long micros) {
        return (micros + SECOND_MICROS - 1) / SECOND_MICROS;
    }
}
