package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is wrong is found when the application is deployed, all of it, and the message says where
 * and what.
 */
class WrongDeclarationsIT {

    @TempDir
    private Path directory;

    private OwnJetty jetty;

    @BeforeEach
    void start() throws Exception {
        SharedRedis.configure();
        jetty = new OwnJetty(directory);
    }

    @AfterEach
    void stop() {
        jetty.close();
    }

    @Test
    void theDeploymentIsRefusedWithAllAddresses() {
        assertRefused(
                Wars.of(
                        "wrong",
                        "DeskApplication",
                        "Wrong",
                        "Wrong$Window",
                        "Wrong$Limit",
                        "Wrong$Placeholder",
                        "Wrong$Braces",
                        "Wrong$Unnamed",
                        "Wrong$OneName"),
                "@RateLimited.window on Window.get: \"1 minute\" is not a duration; write an amount and a unit, such as \"60s\" or \"1m\"",
                "@RateLimited.limit on Limit.get: limit must be at least 1, was 0",
                "@RateLimited.key on Placeholder.get: unknown name \"usr\" in \"{usr}\"; did you mean \"user\"?",
                "@RateLimited.key on Braces.get: \"user\" has no placeholder; write \"{user}\" for a value of the request, or \"'user'\" for one partition that all share",
                "@RateLimited.name on Unnamed.get: is missing; there are 2 limits here, so each needs a name",
                "is GCRA 6 per 10s with burst 6");
    }

    /** Those of the limiter too, which CDI would else make for the first request. */
    @Test
    void wrongSettingsAreFoundAtDeploymentToo() {
        assertRefused(
                Wars.with("""
                        limiter.trusted-proxies=our proxy
                        limiter.on-store-failure=OPNE
                        limiter.expected-instances=0
                        limiter.redis.max-round-trips=many
                        """, "setting", "DeskApplication", "DeskResource"),
                "limiter.trusted-proxies: \"our proxy\" is not an address or network; write 10.0.0.0/8",
                "limiter.on-store-failure: \"OPNE\" is not one of LOCAL, CLOSED, OPEN",
                "limiter.expected-instances: must be a whole number from 1 to 100000, was \"0\"",
                "limiter.redis.max-round-trips: must be a whole number from 1 to 10000, was \"many\"");
    }

    private void assertRefused(WebArchive war, String... messages) {
        StringBuilder said = new StringBuilder();
        for (Throwable cause = catchThrowable(() -> jetty.deploy(war)); cause != null; cause = cause.getCause()) {
            said.append(cause.getMessage()).append('\n');
        }
        assertThat(said).contains(messages);
    }
}
