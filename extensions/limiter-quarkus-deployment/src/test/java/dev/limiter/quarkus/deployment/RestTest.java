package dev.limiter.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RestTest {
    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Redis.with(new QuarkusUnitTest()
            .withApplicationRoot(jar -> jar.addClasses(Client.class, Redis.class, Threads.class)));

    @TestHTTPResource
    URI root;

    @Path("threads")
    public static class Threads {
        @GET
        @Path("blocking")
        @RateLimited(name = "ip", key = "{ip}", algorithm = Algorithm.FIXED_WINDOW, limit = 3, window = "3m")
        public String blocking() {
            return Thread.currentThread().getName();
        }

        @GET
        @Path("uni")
        @RateLimited(name = "uni", key = "{user|ip}", algorithm = Algorithm.FIXED_WINDOW, limit = 3, window = "3m")
        public Uni<String> uni() {
            return Uni.createFrom().item(() -> Thread.currentThread().getName());
        }

        @GET
        @Path("free")
        public Uni<String> free() {
            return Uni.createFrom().item(() -> Thread.currentThread().getName());
        }
    }

    @Test
    void blockingMethodIsDecidedInPlace() {
        Client client = new Client(root);
        HttpResponse<String> first = client.get("/threads/blocking");
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).startsWith("executor-thread");
        System.err.println(first.headers().map());
        client.get("/threads/blocking");
        client.get("/threads/blocking");
        HttpResponse<String> fourth = client.get("/threads/blocking");
        System.err.println(fourth.headers().map() + fourth.body());
        assertThat(fourth.statusCode()).isEqualTo(429);
    }

    @Test
    void uniRunsOnTheEventLoop() {
        Client client = new Client(root);
        HttpResponse<String> first = client.get("/threads/uni");
        assertThat(first.statusCode()).isEqualTo(200);
        System.err.println(first.body() + first.headers().map());
        assertThat(first.body()).startsWith("vert.x-eventloop-thread");
        assertThat(client.statuses(3, "/threads/uni")).containsExactly(200, 200, 429);
        assertThat(client.get("/threads/free").body()).startsWith("vert.x-eventloop-thread");
    }
}
