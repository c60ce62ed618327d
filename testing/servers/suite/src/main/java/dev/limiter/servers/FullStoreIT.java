package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.RedisServer;
import java.net.URL;
import java.util.Map;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Redis has no memory left. A request over the limit stays a 429 of the store; for others each
 * policy's {@code onStoreFailure} decides.
 */
@ExtendWith(ArquillianExtension.class)
class FullStoreIT {
    private static final RedisServer OWN = RedisServer.start("--maxmemory-policy", "noeviction");

    @ArquillianResource
    private URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of(
                "full",
                Map.of("limiter.redis.uri", OWN.uri(), "limiter.redis.deadline", "20s"),
                "FailuresResource",
                "StoreFailureResource");
    }

    @Test
    void rejectionsStayAndTheRestFollowsThePolicy() {
        for (int i = 0; i < 3; i++) {
            assertAnswer("failures/closed", 200, true);
        }
        OWN.command("CONFIG", "SET", "maxmemory", "1");
        for (int i = 0; i < 10; i++) {
            assertAnswer("failures/closed", 429, true);
            assertAnswer("ways/closed/new", 503, false);
            assertAnswer("ways/local/new", 200, false);
            assertAnswer("ways/open/new", 200, false);
        }
        OWN.command("CONFIG", "SET", "maxmemory", "0");
        assertAnswer("ways/closed/new", 200, true);
        assertAnswer("ways/open/new", 200, true);
        assertAnswer("failures/closed", 429, true);
    }

    private void assertAnswer(String path, int status, boolean ofTheStore) {
        Response response = to(server).get(path);
        assertThat(response.statusCode()).as(path).isEqualTo(status);
        assertThat(response.header("RateLimit") != null).as(path).isEqualTo(ofTheStore);
    }
}
