package dev.limiter.example;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.RateLimitFeature;
import dev.limiter.local.LocalRateLimiter;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The headers at the first, second and last instant of a period. {@code Retry-After} is the time
 * to its end in whole seconds, rounded up; {@code t} is rounded down, and left out below 1.
 */
class CalendarHeadersTest {
    private static final URI BASE = URI.create("http://localhost/");

    private final ClientAddress address = request -> "192.0.2.1";
    private Instant now = Instant.EPOCH;
    private final ApplicationHandler jersey = new ApplicationHandler(new ResourceConfig(Periods.class)
            .register(RateLimitFeature.class)
            .property(ClientAddress.class.getName(), address)
            .property(RateLimiter.class.getName(), new LocalRateLimiter(() -> now)));

    /** A request in each period of the calendar. */
    @Path("")
    public static class Periods {
        @GET
        @Path("day")
        @RateLimited(name = "day", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1 day Europe/Paris")
        public String day() {
            return "today";
        }

        @GET
        @Path("week")
        @RateLimited(name = "week", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1 week Europe/Paris")
        public String week() {
            return "this week";
        }

        @GET
        @Path("month")
        @RateLimited(
                name = "month",
                key = "'all'",
                algorithm = FIXED_WINDOW,
                limit = 1,
                window = "1 month Europe/Paris from 31")
        public String month() {
            return "this month";
        }

        @GET
        @Path("quarter")
        @RateLimited(name = "quarter", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1 quarter")
        public String quarter() {
            return "this quarter";
        }

        @GET
        @Path("year")
        @RateLimited(
                name = "year",
                key = "'all'",
                algorithm = FIXED_WINDOW,
                limit = 1,
                window = "1 year Asia/Kathmandu from 02-29")
        public String year() {
            return "this year";
        }
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
    void theHeadersTellTheEndOfThePeriod(String unit, ZoneId zone, LocalDate from, LocalDate to, Duration length)
            throws Exception {
        Instant start = from.atStartOfDay(zone).toInstant();
        Instant end = to.atStartOfDay(zone).toInstant();
        assertThat(Duration.between(start, end)).isEqualTo(length);
        long seconds = length.toSeconds();
        ContainerResponse admitted = at(start, unit);
        assertThat(admitted.getStatus()).isEqualTo(200);
        assertThat(admitted.getHeaderString("RateLimit-Policy")).isEqualTo("\"" + unit + "\";q=1");
        assertThat(admitted.getHeaderString("RateLimit")).isEqualTo("\"" + unit + "\";r=0;t=" + seconds);
        assertRejected(at(start, unit), unit, seconds, ";t=" + seconds);
        assertRejected(at(start.plus(1, ChronoUnit.MICROS), unit), unit, seconds, ";t=" + (seconds - 1));
        assertRejected(at(start.plusSeconds(1), unit), unit, seconds - 1, ";t=" + (seconds - 1));
        assertRejected(at(end.minusSeconds(1), unit), unit, 1, ";t=1");
        assertRejected(at(end.minus(1, ChronoUnit.MICROS), unit), unit, 1, "");
        assertThat(at(end, unit).getStatus()).isEqualTo(200);
        assertThat(at(end, unit).getStatus()).isEqualTo(429);
    }

    private ContainerResponse at(Instant instant, String unit) throws Exception {
        now = instant;
        return jersey.apply(new ContainerRequest(
                        BASE, BASE.resolve(unit), "GET", null, new MapPropertiesDelegate(), jersey.getConfiguration()))
                .get();
    }

    private static void assertRejected(ContainerResponse response, String unit, long retryAfter, String t) {
        assertThat(response.getStatus()).isEqualTo(429);
        assertThat(response.getHeaderString("Retry-After")).isEqualTo(String.valueOf(retryAfter));
        assertThat(response.getHeaderString("RateLimit")).isEqualTo("\"" + unit + "\";r=0" + t);
    }
}
