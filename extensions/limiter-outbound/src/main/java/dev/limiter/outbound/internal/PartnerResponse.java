package dev.limiter.outbound.internal;

import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;

/** For how long a partner rejects, by its response. */
final class PartnerResponse {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;

    /**
     * A number with this many digits fits into a {@code long}. A longer number is read as one
     * day.
     */
    private static final int MOST_DIGITS = 15;

    private PartnerResponse() {}

    /**
     * {@code Retry-After} of a 429 or a 503, which precedes the RateLimit header. Without it, or
     * if it cannot be read, {@code t} of an exhausted {@code RateLimit}.
     *
     * @param clock for a date in a response without a {@code Date} that can be read
     * @return zero if the response has neither
     */
    static Duration closedFor(ClientResponseContext response, InstantSource clock) {
        boolean refused = response.getStatus() == TOO_MANY_REQUESTS || response.getStatus() == SERVICE_UNAVAILABLE;
        String retryAfter = response.getHeaderString(HttpHeaders.RETRY_AFTER);
        Duration told = refused && retryAfter != null ? retryAfter(retryAfter.strip(), response, clock) : null;
        if (told != null) {
            return told;
        }
        String fields = response.getHeaderString("RateLimit");
        return Duration.ofSeconds(fields == null ? 0 : RateLimitHeaderParser.exhaustedSeconds(fields));
    }

    /**
     * Reads seconds or a date; null if the text is neither. The span to a date begins at the
     * date of the response, so that the two clocks may differ.
     */
    private static Duration retryAfter(String text, ClientResponseContext response, InstantSource clock) {
        if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return text.length() > MOST_DIGITS ? Duration.ofDays(1) : Duration.ofSeconds(Long.parseLong(text));
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
