package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A wrong declaration is found when the application is deployed, and the message says where and
 * what.
 */
class WrongDeclarationsIT {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Window      | @RateLimited.window on Window.get: \"1 minute\" is not a duration; write an amount and a unit, such as \"60s\" or \"1m\"",
                "Limit       | @RateLimited.limit on Limit.get: limit must be at least 1, was 0",
                "Placeholder | @RateLimited.key on Placeholder.get: unknown name \"usr\" in \"{usr}\"; did you mean \"user\"?",
                "Braces      | @RateLimited.key on Braces.get: \"user\" has no placeholder; write \"{user}\" for a value of the request, or \"'user'\" for one partition that all share",
                "Unnamed     | @RateLimited.name on Unnamed.get: is missing; where one element carries 2 limits, each must have a name",
                "OneName     | is GCRA 6 per 10s with burst 6",
            })
    void theDeploymentIsRefusedWithAnAddress(String resource, String message) throws Exception {
        SharedRedis.configure();
        try (OwnJetty jetty = new OwnJetty(directory)) {
            Throwable refused = catchThrowable(
                    () -> jetty.deploy(Wars.of("wrong", "DeskApplication", "Wrong", "Wrong$" + resource)));
            assertThat(refused).isNotNull();
            assertThat(messages(refused)).contains(message);
            System.out.println("refused: " + message);
        }
    }

    /** Those of the limiter too, which CDI would else make for the first request. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "limiter.trusted-proxies=our proxy | limiter.trusted-proxies: \"our proxy\" is no address or network; write 10.0.0.0/8",
                "limiter.on-store-failure=OPNE     | limiter.on-store-failure: \"OPNE\" is none of LOCAL, CLOSED, OPEN",
                "limiter.expected-instances=0          | limiter.expected-instances: must be a whole number from 1 to 100000, was \"0\"",
                "limiter.redis.max-round-trips=many       | limiter.redis.max-round-trips: must be a whole number from 1 to 10000, was \"many\"",
            })
    void aWrongSettingIsFoundAtDeploymentToo(String setting, String message) throws Exception {
        SharedRedis.configure();
        try (OwnJetty jetty = new OwnJetty(directory)) {
            Throwable refused = catchThrowable(
                    () -> jetty.deploy(Wars.with(setting, "setting", "DeskApplication", "DeskResource")));
            assertThat(refused).isNotNull();
            assertThat(messages(refused)).contains(message);
        }
    }

    private static String messages(Throwable thrown) {
        StringBuilder messages = new StringBuilder();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            messages.append(cause.getMessage()).append('\n');
        }
        return messages.toString();
    }
}
