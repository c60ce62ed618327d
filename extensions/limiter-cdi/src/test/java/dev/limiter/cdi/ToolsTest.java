package dev.limiter.cdi;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.OnStoreFailure;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import io.quarkiverse.mcp.server.Tool;
import io.quarkiverse.mcp.server.ToolCallException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import org.junit.jupiter.api.Test;

/** Tools of an MCP server: a model is told when to come back, and other callers get the exception. */
class ToolsTest {

    @ApplicationScoped
    static class Forecasts {
        @RateLimited(name = "forecasts", key = "'all'", algorithm = FIXED_WINDOW, limit = 2, window = "1h")
        public String of(String city) {
            return "sun in " + city;
        }
    }

    @Singleton
    static class Tools {
        @Inject
        Forecasts forecasts;

        @Tool
        @RateLimited(name = "weather", key = "{user|'nobody'}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public String weather(String city) {
            return "sun in " + city;
        }

        @Tool
        @RateLimited(name = "later", key = "{user|'nobody'}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public Uni<String> later(String city) {
            return Uni.createFrom().item("sun in " + city);
        }

        @Tool
        public String unlimited(String city) {
            return forecasts.of(city);
        }

        @Tool
        @RateLimited(
                name = "closed",
                key = "'all'",
                algorithm = FIXED_WINDOW,
                limit = 1,
                window = "1h",
                onStoreFailure = OnStoreFailure.CLOSED)
        public String closed() {
            return "open";
        }

        @RateLimited(name = "noTool", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void noTool() {}
    }

    private static final String REACHED =
            "The rate limit of this tool is reached. Do not call it again within the next \\d+ seconds; go on without"
                    + " it, or tell the user.";

    @Test
    void modelIsToldWhenToComeBack() {
        try (Beans beans = new Beans(Tools.class, Forecasts.class)) {
            Tools tools = beans.get(Tools.class);
            assertThat(tools.weather("Rome")).isEqualTo("sun in Rome");
            assertThatExceptionOfType(ToolCallException.class)
                    .isThrownBy(() -> tools.weather("Rome"))
                    .withMessageMatching(REACHED);
            assertThat(tools.later("Rome").await().indefinitely()).isEqualTo("sun in Rome");
            assertThatExceptionOfType(ToolCallException.class)
                    .isThrownBy(() -> tools.later("Rome").await().indefinitely())
                    .withMessageMatching(REACHED);
        }
    }

    @Test
    void modelIsAlsoToldOfALimitOfWhatTheToolCalls() {
        try (Beans beans = new Beans(Tools.class, Forecasts.class)) {
            Tools tools = beans.get(Tools.class);
            tools.unlimited("Rome");
            tools.unlimited("Rome");
            assertThatExceptionOfType(ToolCallException.class)
                    .isThrownBy(() -> tools.unlimited("Rome"))
                    .withMessageMatching(REACHED);
        }
    }

    @Test
    void modelIsToldThatTheStoreIsAway() {
        try (Beans beans = new Beans(Tools.class, Forecasts.class)) {
            beans.storeFails(true);
            assertThatExceptionOfType(ToolCallException.class)
                    .isThrownBy(() -> beans.get(Tools.class).closed())
                    .withMessage("This tool cannot be used now. Do not call it again within the next 1 seconds; go on"
                            + " without it, or tell the user.");
        }
    }

    @Test
    void methodThatIsNoToolThrowsTheRejection() {
        try (Beans beans = new Beans(Tools.class, Forecasts.class)) {
            beans.get(Tools.class).noTool();
            assertThatExceptionOfType(RateLimitExceededException.class)
                    .isThrownBy(() -> beans.get(Tools.class).noTool());
        }
    }
}
