package dev.limiter.jaxrs;

import dev.limiter.CheckResult;
import java.time.Duration;
import java.util.List;

/**
 * A CDI event: the limiter has rejected a request, or another caller. It contains no key and no
 * request.
 *
 * <pre>{@code
 * void count(@Observes RateLimitRejection rejection) {
 *     rejection.failing().forEach(answer -> alarms.add(answer.policy().name()));
 * }
 * }</pre>
 *
 * <p>It is fired on the thread of the request, which waits for its observers;
 * {@code @ObservesAsync} gets nothing. If an observer throws, that is logged, and the response
 * stays as it is.
 *
 * @param failing the results that rejected; at least one
 * @param retryAfter the longest of their waits
 * @param fallback whether the store failed, so that not all results of the decision come from it
 */
public record RateLimitRejection(List<CheckResult> failing, Duration retryAfter, boolean fallback) {

    /**
     * Refuses a rejection without a failing check result.
     *
     * @param failing as in the record
     * @param retryAfter as in the record
     * @param fallback as in the record
     * @throws IllegalArgumentException if {@code failing} is empty
     */
    public RateLimitRejection {
        failing = List.copyOf(failing);
        if (failing.isEmpty()) {
            throw new IllegalArgumentException("a rejection needs at least one answer that rejected");
        }
    }
}
