package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import dev.limiter.Stage;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Limits of the application hold for its methods, and for requests without one. */
class ApplicationLimitsTest {
    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Users.with(Redis.with(new QuarkusUnitTest()
            .withApplicationRoot(jar -> jar.addClasses(Client.class, Redis.class, Users.class))
            .overrideConfigKey("quarkus.http.auth.proactive", "false")));

    @TestHTTPResource
    URI root;

    @ApplicationPath("api")
    @RateLimited(
            name = "anything",
            key = "{header:Kind}",
            algorithm = FIXED_WINDOW,
            limit = 2,
            window = "1d",
            stage = Stage.BEFORE_MATCHING)
    @RateLimited(name = "each", key = "{header:Kind}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
    public static class Limited extends Application {}

    @Path("thread")
    public static class Thread1 {
        @GET
        public Uni<String> get() {
            return Uni.createFrom().item(() -> Thread.currentThread().getName());
        }

        @GET
        @Path("exempt")
        @RateLimitExempt("each")
        public Uni<String> exempt() {
            return get();
        }
    }

    @Test
    void requestsWithoutAMethodCount() {
        assertThat(new Client(root).statuses(3, "/api/nothing", "Kind", "a")).containsExactly(404, 404, 429);
    }

    @Test
    void wrongPasswordsCount() {
        String[] wrong = Client.basic("ann", "guess");
        assertThat(new Client(root).statuses(3, "/api/thread/exempt", "Kind", "b", wrong[0], wrong[1]))
                .containsExactly(200, 200, 429);
    }

    @Test
    void methodHasTheLimitsOfTheApplication() {
        assertThat(new Client(root).get("/api/thread", "Kind", "c").body()).startsWith("vert.x-eventloop-thread");
        assertThat(new Client(root).get("/api/thread", "Kind", "c").body()).contains("each");
    }
}
