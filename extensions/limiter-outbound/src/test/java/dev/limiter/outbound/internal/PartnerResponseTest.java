package dev.limiter.outbound.internal;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.ws.rs.client.ClientResponseContext;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Dates in all three notations of HTTP. A span begins at the date of the response, on any clock
 * of the partner.
 */
class PartnerResponseTest {
    private static final Instant SENT = Instant.parse("2026-11-06T08:49:00Z");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Fri, 06 Nov 2026 08:49:37 GMT  | 37",
                "Friday, 06-Nov-26 08:49:37 GMT | 37",
                "Fri Nov  6 08:49:37 2026       | 37",
                "Fri, 06 Nov 2026 08:49:00 GMT  | 0",
                "Fri, 06 Nov 2026 08:48:00 GMT  | 0",
                "Fri, 06 Nov 2026               | 0"
            })
    void aDateIsCountedFromWhenThePartnerWroteIt(String date, long seconds) {
        InstantSource wrong = () -> SENT.minusSeconds(1_000_000);
        assertThat(PartnerResponse.closedFor(refusal(date, null, () -> Date.from(SENT)), wrong))
                .isEqualTo(Duration.ofSeconds(seconds));
        assertThat(PartnerResponse.closedFor(refusal(date, null, () -> null), () -> SENT))
                .isEqualTo(Duration.ofSeconds(seconds));
    }

    /**
     * A malformed date of the response: seconds do not need it, and a date is counted from now.
     * Neither the closing nor the response is lost.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"37 | 37", "Fri, 06 Nov 2026 08:49:37 GMT | 37"})
    void aDateOfTheResponseThatCannotBeReadIsNone(String retryAfter, long seconds) {
        Supplier<Date> unreadable = () -> {
            throw new IllegalStateException("Date: yesterday");
        };
        assertThat(PartnerResponse.closedFor(refusal(retryAfter, null, unreadable), () -> SENT))
                .isEqualTo(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "soon | 30",
                "3,5 | 30",
                "-5 | 30",
                "'' | 30",
                "٥ | 30",
                "1e3 | 30",
                "2 | 2",
                "0 | 0",
                "+3 | 3",
                "0.493 | 1",
                "1.5 | 2",
                "2.0 | 2",
                "0.0 | 0",
                "1.0000001 | 2",
                "99999999999999999999 | 86400"
            })
    void whatCannotBeReadDoesNotGoBeforeTheFieldOfTheDraft(String retryAfter, long seconds) {
        assertThat(PartnerResponse.closedFor(refusal(retryAfter, "\"p\";r=0;t=30", () -> null), () -> SENT))
                .isEqualTo(Duration.ofSeconds(seconds));
    }

    /** GitHub answers 403 to too many requests; a 500 may be of anything. */
    @ParameterizedTest
    @CsvSource({"403, 7", "429, 7", "503, 7", "401, 0", "500, 0", "200, 0"})
    void aRetryAfterClosesByTheStatus(int status, long seconds) {
        assertThat(PartnerResponse.closedFor(response(status, "7", null, () -> null), () -> SENT))
                .isEqualTo(Duration.ofSeconds(seconds));
    }

    private static ClientResponseContext refusal(String retryAfter, String rateLimit, Supplier<Date> sent) {
        return response(429, retryAfter, rateLimit, sent);
    }

    private static ClientResponseContext response(
            int status, String retryAfter, String rateLimit, Supplier<Date> sent) {
        return (ClientResponseContext) Proxy.newProxyInstance(
                PartnerResponseTest.class.getClassLoader(),
                new Class<?>[] {ClientResponseContext.class},
                (response, method, arguments) -> switch (method.getName()) {
                    case "getStatus" -> status;
                    case "getDate" -> sent.get();
                    case "getHeaderString" -> arguments[0].equals("Retry-After") ? retryAfter : rateLimit;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
