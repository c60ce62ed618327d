package dev.limiter.jaxrs.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.MapSettings;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.junit.jupiter.api.Test;

/** A mistake that a server shows at a request, since a locator tells no type before. */
class LateMistakeTest {

    /** A resource with a limit, and a locator. */
    @Path("/")
    public static class Shop {
        @GET
        @RateLimited(name = "shop", key = "'all'", algorithm = Algorithm.GCRA, limit = 3, window = "1h")
        public String get() {
            return "ok";
        }

        @Path("wrong")
        public Object wrong() {
            return new Wrong();
        }
    }

    /** A sub-resource with a limit of nothing. */
    public static class Wrong {
        @GET
        @RateLimited(name = "wrong", key = "'all'", algorithm = Algorithm.GCRA, limit = 3, window = "no window")
        public String get() {
            return "ok";
        }
    }

    @Test
    void otherLimitsStayInForceWithoutServlets() {
        ServerContext server = ServerContext.withoutServlets(request -> "192.0.2.1");
        try (RestServer rest = new RestServer(new MapSettings(), server, true, new Shop())) {
            assertThat(rest.get("/").header("RateLimit")).startsWith("\"shop\";r=2");
            assertThat(rest.get("/wrong").status()).isEqualTo(500);
            assertThat(rest.get("/").header("RateLimit")).startsWith("\"shop\";r=1");
        }
    }
}
