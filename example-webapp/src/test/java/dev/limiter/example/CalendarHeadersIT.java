package dev.limiter.example;

import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The headers at the first, second and last instant of a period. {@code Retry-After} is the time
 * to its end in whole seconds, rounded up; {@code t} is rounded down, and left out below 1.
 */
@ExtendWith(ArquillianExtension.class)
class CalendarHeadersIT {

    @ArquillianResource
    URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of("periods", "DeskApplication", "PeriodsResource");
    }

    /** In Paris the hour changed on 31 March 2024. */
    @ParameterizedTest
    @CsvSource({
        "day, Europe/Paris, 2024-03-31, 2024-04-01, PT23H",
        "week, Europe/Paris, 2024-03-25, 2024-04-01, PT167H",
        "month, Europe/Paris, 2024-02-29, 2024-03-31, PT744H",
        "quarter, UTC, 2024-01-01, 2024-04-01, PT2184H",
        "year, Asia/Kathmandu, 2023-02-28, 2024-02-29, PT8784H",
    })
    void theHeadersTellTheEndOfThePeriod(String unit, ZoneId zone, LocalDate from, LocalDate to, Duration length) {
        Instant start = from.atStartOfDay(zone).toInstant();
        Instant end = to.atStartOfDay(zone).toInstant();
        assertThat(Duration.between(start, end)).isEqualTo(length);
        long seconds = length.toSeconds();
        Response admitted = at(start, unit);
        assertThat(admitted.statusCode()).isEqualTo(200);
        assertThat(admitted.header("RateLimit-Policy")).isEqualTo("\"" + unit + "\";q=1");
        assertThat(admitted.header("RateLimit")).isEqualTo("\"" + unit + "\";r=0;t=" + seconds);
        assertRejected(at(start, unit), unit, seconds, ";t=" + seconds);
        assertRejected(at(start.plus(1, ChronoUnit.MICROS), unit), unit, seconds, ";t=" + (seconds - 1));
        assertRejected(at(start.plusSeconds(1), unit), unit, seconds - 1, ";t=" + (seconds - 1));
        assertRejected(at(end.minusSeconds(1), unit), unit, 1, ";t=1");
        assertRejected(at(end.minus(1, ChronoUnit.MICROS), unit), unit, 1, "");
        assertThat(at(end, unit).statusCode()).isEqualTo(200);
        assertThat(at(end, unit).statusCode()).isEqualTo(429);
    }

    private Response at(Instant instant, String unit) {
        assertThat(put(server + "periods/clock/" + instant).statusCode()).isEqualTo(204);
        return get(server + "periods/" + unit);
    }

    private static void assertRejected(Response response, String unit, long retryAfter, String t) {
        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(response.header("Retry-After")).isEqualTo(String.valueOf(retryAfter));
        assertThat(response.header("RateLimit")).isEqualTo("\"" + unit + "\";r=0" + t);
    }
}
