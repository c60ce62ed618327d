package dev.limiter.servers;

import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.RedisServer;
import java.net.URL;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A client that is over the limit and goes on asking costs Redis one call, not one for each
 * request.
 */
@ExtendWith(ArquillianExtension.class)
class CachedRejectionIT {
    private static final RedisServer OWN = RedisServer.start();
    private static final Pattern CALLS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");
    private static final int REQUESTS = 50;

    @ArquillianResource
    private URL server;

    @Deployment(testable = false)
    static WebArchive deploy() {
        return Wars.of(
                "remembered",
                Map.of(
                        "limiter.redis.uri", OWN.uri(),
                        "limiter.redis.deadline", "20s",
                        "limiter.cache-rejections", "true"),
                "FailuresResource");
    }

    @Test
    void aRequestOverTheLimitIsRejectedWithoutAskingRedis() {
        Response response = to(server).get("failures/closed");
        while (response.statusCode() == 200) {
            response = to(server).get("failures/closed");
        }
        assertThat(response.statusCode()).isEqualTo(429);
        long began = System.nanoTime();
        long before = calls();
        for (int i = 0; i < REQUESTS; i++) {
            Response next = to(server).get("failures/closed");
            assertThat(next.statusCode()).isEqualTo(429);
            assertThat(next.header("RateLimit")).isNotNull();
            assertThat(Long.parseLong(next.header("Retry-After")))
                    .isBetween(1L, Long.parseLong(response.header("Retry-After")));
        }
        long seconds = (System.nanoTime() - began) / 1_000_000_000;
        assertThat(calls() - before)
                .as("one for each ten seconds for which a rejection is remembered")
                .isLessThanOrEqualTo(1 + seconds / 9);
    }

    private static long calls() {
        Matcher calls = CALLS.matcher((String) OWN.command("INFO", "commandstats"));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }
}
