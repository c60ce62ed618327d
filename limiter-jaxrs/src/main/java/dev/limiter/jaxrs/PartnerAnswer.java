package dev.limiter.jaxrs;

import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;

/** For how long a partner has had enough, as its response says. */
final class PartnerAnswer {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;

    /** More than anybody waits, and few enough to be a number. */
    private static final int MOST_DIGITS = 15;

    private PartnerAnswer() {}

    /**
     * {@code Retry-After} of a 429 or a 503, which goes before the fields of the draft; else {@code t} of an exhausted
     * {@code RateLimit}.
     *
     * @param clock for a date in a response that has no date of its own
     * @return zero if it says nothing of the kind
     */
    static Duration closedFor(ClientResponseContext response, InstantSource clock) {
        boolean refused = response.getStatus() == TOO_MANY_REQUESTS || response.getStatus() == SERVICE_UNAVAILABLE;
        String retryAfter = response.getHeaderString(RetryAfter.NAME);
        if (refused && retryAfter != null) {
            Instant sent = response.getDate() == null
                    ? clock.instant()
                    : response.getDate().toInstant();
            return retryAfter(retryAfter.strip(), sent);
        }
        String fields = response.getHeaderString("RateLimit");
        return Duration.ofSeconds(fields == null ? 0 : RateLimitField.exhaustedSeconds(fields));
    }

    /** Seconds, or a date, which is counted from when the partner wrote it: nobody's clock needs to be right. */
    private static Duration retryAfter(String text, Instant sent) {
        if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return text.length() > MOST_DIGITS ? Duration.ofDays(1) : Duration.ofSeconds(Long.parseLong(text));
        }
        try {
            Date until = RuntimeDelegate.getInstance()
                    .createHeaderDelegate(Date.class)
                    .fromString(text);
            Duration span = Duration.between(sent, until.toInstant());
            return span.isNegative() ? Duration.ZERO : span;
        } catch (RuntimeException unreadable) {
            return Duration.ZERO;
        }
    }
}
