package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimited;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A bean that answers in the place of a root resource, by whose limits requests are decided. */
class StandInTest {
    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = new QuarkusUnitTest()
            .assertException(failure -> assertThat(failure)
                    .hasStackTraceContaining("@RateLimited on Better: Quarkus matches requests to Chosen"));

    @Path("chosen")
    @ApplicationScoped
    public static class Chosen {
        @GET
        public String get() {
            return "chosen";
        }
    }

    @Alternative
    @Priority(1)
    @ApplicationScoped
    public static class Better extends Chosen {
        @Override
        @RateLimited(name = "better", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        public String get() {
            return "better";
        }
    }

    @Test
    void limitOfAnAlternativeFailsTheBuild() {
        throw new AssertionError("the build has not failed");
    }
}
