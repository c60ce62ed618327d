package dev.limiter.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.QuarkusUnitTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** With the authentication that Quarkus has by default, limits on guesses would count nothing. */
class EarlyLimitsRefusedTest {
    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = new QuarkusUnitTest()
            .withApplicationRoot(jar -> jar.addClasses(Login.class))
            .assertException(failure -> assertThat(failure)
                    .hasMessageContaining("@RateLimited.stage on Login.uni: BEFORE_AUTHENTICATION")
                    .hasMessageContaining("@RateLimited.stage on Sub.get: BEFORE_AUTHENTICATION")
                    .hasMessageContaining("@RateLimited.stage on Describing: BEFORE_AUTHENTICATION")
                    .hasMessageContaining("set quarkus.http.auth.proactive=false"));

    @Test
    void buildNamesThem() {
        throw new AssertionError("the build has not failed");
    }
}
