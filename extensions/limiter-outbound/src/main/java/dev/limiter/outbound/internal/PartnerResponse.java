package dev.limiter.outbound.internal;

import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.Set;
import java.util.regex.Pattern;

/** For how long a partner rejects, by its response. */
final class PartnerResponse {
    /** With {@code Retry-After}. GitHub answers 403 to too many requests. */
    private static final Set<Integer> REFUSING = Set.of(403, 429, 503);

    /** More than RFC 9110 has: some partners send a sign or a fraction. */
    private static final Pattern SECONDS = Pattern.compile("\\+?[0-9]+(\\.[0-9]+)?");

    private PartnerResponse() {}

    /**
     * {@code Retry-After} of a 403, 429 or 503, which precedes the RateLimit header. Without it,
     * or if it cannot be read, {@code t} of an exhausted {@code RateLimit}.
     *
     * @param clock for a date in a response without a {@code Date} that can be read
     * @return zero if the response has neither
     */
    static Duration closedFor(ClientResponseContext response, InstantSource clock) {
        String text =
                REFUSING.contains(response.getStatus()) ? response.getHeaderString(HttpHeaders.RETRY_AFTER) : null;
        Duration told = text == null ? null : retryAfter(text.strip(), response, clock);
        if (told != null) {
            return told;
        }
        String fields = response.getHeaderString("RateLimit");
        return Duration.ofSeconds(fields == null ? 0 : RateLimitHeaderParser.exhaustedSeconds(fields));
    }

    /**
     * Reads seconds, rounded up and at most a day, or a date; null if the text is neither. The
     * span to a date begins at the date of the response, so that the two clocks may differ.
     */
    private static Duration retryAfter(String text, ClientResponseContext response, InstantSource clock) {
        if (SECONDS.matcher(text).matches()) {
            return Duration.ofSeconds((long) Math.ceil(Math.min(86_400, Double.parseDouble(text))));
        }
        Instant until;
        try {
            until = RuntimeDelegate.getInstance()
                    .createHeaderDelegate(Date.class)
                    .fromString(text)
                    .toInstant();
        } catch (RuntimeException unreadable) {
            return null;
        }
        Duration span = Duration.between(sent(response, clock), until);
        return span.isNegative() ? Duration.ZERO : span;
    }

    /** Some clients return null for a date that cannot be read, others throw. */
    private static Instant sent(ClientResponseContext response, InstantSource clock) {
        try {
            Date date = response.getDate();
            return date == null ? clock.instant() : date.toInstant();
        } catch (RuntimeException unreadable) {
            return clock.instant();
        }
    }
}
