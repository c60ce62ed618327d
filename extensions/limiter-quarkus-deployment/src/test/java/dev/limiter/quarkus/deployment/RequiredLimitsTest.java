package dev.limiter.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.QuarkusUnitTest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Settings hold for an application without limits, too. */
class RequiredLimitsTest {
    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = new QuarkusUnitTest()
            .withApplicationRoot(jar -> jar.addClasses(Free.class))
            .overrideConfigKey("limiter.require-limits", "fail")
            .assertException(failure -> assertThat(failure).hasStackTraceContaining("/free"));

    @Path("free")
    public static class Free {
        @GET
        public String get() {
            return "";
        }
    }

    @Test
    void endpointWithoutLimitFailsTheStart() {
        throw new AssertionError("the start has not failed");
    }
}
