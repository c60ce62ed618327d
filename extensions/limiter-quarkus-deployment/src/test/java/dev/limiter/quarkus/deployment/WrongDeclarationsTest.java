package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimited;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WrongDeclarationsTest {
    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = new QuarkusUnitTest()
            .withEmptyApplication()
            .withApplicationRoot(jar -> jar.addClasses(Wrong.class))
            .assertException(failure -> assertThat(failure)
                    .hasMessageContaining("@RateLimited.key on Wrong.get: unknown name \"usr\" in \"{usr}\";"
                            + " did you mean \"user\"?")
                    .hasMessageContaining("@RateLimited.window on Wrong.get: \"1 hour\" is not a duration")
                    .hasMessageContaining("@RateLimited.limit on Wrong.two: limit must be at least 1, was 0"));

    @Path("wrong")
    public static class Wrong {
        @GET
        @RateLimited(key = "{usr}", algorithm = FIXED_WINDOW, limit = 1, window = "1 hour")
        public String get() {
            return "";
        }

        @GET
        @Path("two")
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 0, window = "1h")
        public String two() {
            return "";
        }
    }

    @Test
    void buildNamesAllMistakes() {
        throw new AssertionError("the build has not failed");
    }
}
