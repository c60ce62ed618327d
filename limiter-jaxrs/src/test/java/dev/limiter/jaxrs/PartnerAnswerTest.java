package dev.limiter.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.ws.rs.client.ClientResponseContext;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dates, in all three notations that HTTP has had: spans from the date of the response, on whatever clock the partner has. */
class PartnerAnswerTest {
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
        assertThat(PartnerAnswer.closedFor(refusal(date, Date.from(SENT)), wrong))
                .isEqualTo(Duration.ofSeconds(seconds));
        assertThat(PartnerAnswer.closedFor(refusal(date, null), () -> SENT)).isEqualTo(Duration.ofSeconds(seconds));
    }

    private static ClientResponseContext refusal(String retryAfter, Date sent) {
        return (ClientResponseContext) Proxy.newProxyInstance(
                PartnerAnswerTest.class.getClassLoader(),
                new Class<?>[] {ClientResponseContext.class},
                (response, method, arguments) -> switch (method.getName()) {
                    case "getStatus" -> 429;
                    case "getDate" -> sent;
                    case "getHeaderString" -> arguments[0].equals("Retry-After") ? retryAfter : null;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
