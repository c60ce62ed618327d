package dev.limiter.jaxrs.internal.response;

import dev.limiter.CheckResult;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The three fields that many services have used without any standard: the quota of the policy
 * with the least left, what is left of it, and the seconds from now until all of it is back. They
 * have room for one policy. A soft limit is it only if none rejects: a client that reads 0 waits.
 */
final class LegacyHeaders implements RateLimitHeaders {
    private static final String LIMIT = "X-RateLimit-Limit";
    private static final String REMAINING = "X-RateLimit-Remaining";
    private static final String RESET = "X-RateLimit-Reset";
    private static final long SECOND_MICROS = 1_000_000;

    private static final Comparator<CheckResult> REJECTING_AND_LEAST_FIRST = Comparator.comparing(
                    (CheckResult result) -> !result.policy().rejects())
            .thenComparingLong(CheckResult::remaining);

    @Override
    public List<String> names() {
        return List.of(LIMIT, REMAINING, RESET);
    }

    @Override
    public void write(List<PublishedResult> published, BiConsumer<String, String> fields) {
        CheckResult least = published.stream()
                .map(PublishedResult::result)
                .min(REJECTING_AND_LEAST_FIRST)
                .orElseThrow();
        long reset = -Math.floorDiv(-least.resetAfterMicros(), SECOND_MICROS);
        fields.accept(LIMIT, Long.toString(least.policy().capacity()));
        fields.accept(REMAINING, Long.toString(least.remaining()));
        fields.accept(RESET, Long.toString(reset));
    }
}
