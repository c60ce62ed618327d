package dev.limiter.jaxrs;

import dev.limiter.Algorithm;
import dev.limiter.Answer;
import dev.limiter.Policy;
import java.math.BigInteger;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The RateLimit fields of draft-ietf-httpapi-ratelimit-headers-11. Names of policies are printable ASCII without quote or
 * backslash, so they are structured-field strings as they stand. The draft will change; what this class means will not.
 */
final class Draft11Fields implements Fields {
    private static final String POLICY = "RateLimit-Policy";
    private static final String LIMIT = "RateLimit";
    private static final long SECOND_MICROS = 1_000_000;

    @Override
    public List<String> names() {
        return List.of(POLICY, LIMIT);
    }

    /** {@code "buyer";q=10;w=20, "api";q=50;w=5} and {@code "buyer";r=9;t=2, "api";r=49}. */
    @Override
    public void write(List<Asked.Published> published, BiConsumer<String, String> fields) {
        StringBuilder policies = new StringBuilder(64);
        StringBuilder limits = new StringBuilder(64);
        for (Asked.Published each : published) {
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

    /** What can be spent back to back, and the time in which it comes back: {@code "buyer";q=10;w=20}. */
    static String policyItem(Policy policy) {
        String item = '"' + policy.name() + "\";q=" + policy.capacity();
        if (policy.algorithm() == Algorithm.CONCURRENCY) {
            return item + ";qu=\"concurrent-requests\"";
        }
        BigInteger[] seconds = policy.quotaMicros().divideAndRemainder(BigInteger.valueOf(SECOND_MICROS));
        // The draft knows whole seconds only: a window of half a second is left out, not rounded to a lie.
        return seconds[1].signum() == 0 ? item + ";w=" + seconds[0] : item;
    }

    private static void append(Answer answer, StringBuilder items) {
        items.append('"').append(answer.policy().name()).append("\";r=").append(answer.remaining());
        // Within t no more than r can be used: rounded up that would be a lie, and within no time it says nothing.
        // When leases come back nobody knows, and a hint is no promise.
        long seconds = answer.nextAfterMicros() / SECOND_MICROS;
        if (seconds > 0 && answer.policy().algorithm() != Algorithm.CONCURRENCY) {
            items.append(";t=").append(seconds);
        }
    }
}
