package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimited;
import dev.limiter.Stage;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("proof")
@EnabledIfSystemProperty(named = "virtual.threads", matches = "true")
class VirtualThreadTest {
    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Redis.with(new QuarkusUnitTest()
            .withApplicationRoot(jar -> jar.addClasses(Client.class, Redis.class))
            .overrideConfigKey("quarkus.http.auth.proactive", "false"));

    @TestHTTPResource
    URI root;

    @Path("virtual")
    public static class Virtual {
        @GET
        @RunOnVirtualThread
        @RateLimited(name = "virtual", key = "{ip}", algorithm = FIXED_WINDOW, limit = 2, window = "1d")
        public String get() {
            return Thread.currentThread().toString();
        }

        @GET
        @Path("early")
        @RunOnVirtualThread
        @RateLimited(
                name = "early",
                key = "{ip}",
                algorithm = FIXED_WINDOW,
                limit = 2,
                window = "1d",
                stage = Stage.BEFORE_AUTHENTICATION)
        public String early() {
            return get();
        }
    }

    @Test
    void methodKeepsItsVirtualThread() {
        Client client = new Client(root);
        for (String path : new String[] {"/virtual", "/virtual/early"}) {
            assertThat(client.get(path).body()).contains("VirtualThread");
            assertThat(client.statuses(2, path)).containsExactly(200, 429);
        }
    }
}
