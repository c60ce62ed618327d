package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import io.quarkus.scheduler.FailedExecution;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.websockets.next.OnError;
import io.quarkus.websockets.next.OnTextMessage;
import io.quarkus.websockets.next.WebSocket;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits on methods that extensions of Quarkus call: tools, jobs, listeners. */
class CallsTest {
    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = Users.with(Redis.with(new QuarkusUnitTest()
            .withApplicationRoot(jar ->
                    jar.addClasses(Client.class, Redis.class, Users.class, Tools.class, Model.class, Listener.class))));

    @TestHTTPResource
    URI root;

    @ParameterizedTest
    @ValueSource(strings = {"later", "forecast"})
    void modelIsToldOfALimitOfAUniAndOfAService(String tool) throws Exception {
        Model model = Model.of(root, "ann");
        assertThat(model.call(tool)).contains("\"isError\":false");
        assertThat(model.call(tool))
                .contains("\"isError\":true")
                .containsPattern("The rate limit of this tool is reached. Do not call it again for \\d+"
                        + " seconds; go on without it, or tell the user.");
        assertThat(Model.of(root, "bob").call(tool)).contains("\"isError\":false");
    }

    @Test
    void modelIsToldThatAToolCannotBeUsedWhileTheStoreIsAway() throws Exception {
        Model model = Model.of(root, "ann");
        assertThat(model.call("closed")).contains("\"isError\":false");
        Redis.pause();
        try {
            assertThat(model.call("closed"))
                    .contains("\"isError\":true")
                    .contains("\"This tool cannot be used now. Do not call it again for 1 second;"
                            + " go on without it, or tell the user.\"");
        } finally {
            Redis.resume();
        }
        await().until(() -> model.call("closed").contains("\"isError\":false"));
    }

    @ApplicationScoped
    public static class Jobs {
        static final AtomicInteger RUNS = new AtomicInteger();
        static final List<Throwable> FAILURES = new CopyOnWriteArrayList<>();

        @Scheduled(every = "1s")
        @RateLimited(name = "job", key = "'all'", algorithm = TOKEN_BUCKET, limit = 1, window = "1h")
        void run() {
            RUNS.incrementAndGet();
        }

        void failed(@Observes FailedExecution failed) {
            FAILURES.add(failed.getException());
        }
    }

    @Test
    void jobRunsOnceAndItsFurtherRunsFail() {
        await().until(() -> Jobs.FAILURES.size() >= 2);
        assertThat(Jobs.FAILURES)
                .allSatisfy(each -> assertThat(each).hasRootCauseInstanceOf(RateLimitExceededException.class));
        assertThat(Jobs.RUNS).hasValue(1);
    }

    @WebSocket(path = "/chat")
    public static class Chat {
        @OnTextMessage
        @RateLimited(name = "chat", key = "{user|'nobody'}", algorithm = TOKEN_BUCKET, limit = 2, window = "1h")
        String heard(String text) {
            return text + " on " + Thread.currentThread().getName();
        }
    }

    /** Quarkus knows the user only where an endpoint injects something of a request. */
    @Test
    void thirdMessageOfUsersWhomNobodyKnowsClosesItsWebSocket() throws Exception {
        Listener ann = new Listener(root, "/chat", "ann");
        assertThat(ann.answer("one")).startsWith("one on executor-thread");
        assertThat(ann.answer("two")).startsWith("two on executor-thread");
        assertThat(new Listener(root, "/chat", "bob").answer("three")).startsWith("closed 1011");
        assertThat(ann.answer("four")).startsWith("closed 1011");
    }

    @WebSocket(path = "/talk")
    public static class Talk {
        @Inject
        SecurityIdentity user;

        @OnTextMessage
        @RateLimited(name = "talk", key = "{user|'nobody'}", algorithm = TOKEN_BUCKET, limit = 2, window = "1h")
        Uni<String> heard(String text) {
            return Uni.createFrom()
                    .item(() -> text + " on " + Thread.currentThread().getName());
        }

        @OnError
        String refused(RateLimitExceededException rejected) {
            return "come back in " + rejected.retryAfterSeconds();
        }
    }

    @Test
    void thirdMessageOfAUserIsAnsweredByTheHandlerOfErrors() throws Exception {
        Listener ann = new Listener(root, "/talk", "ann");
        assertThat(ann.answer("one")).startsWith("one on vert.x-eventloop-thread");
        assertThat(ann.answer("two")).startsWith("two on vert.x-eventloop-thread");
        assertThat(ann.answer("three")).matches("come back in \\d+");
        assertThat(ann.answer("four")).matches("come back in \\d+");
        assertThat(new Listener(root, "/talk", "bob").answer("one")).startsWith("one on vert.x-eventloop-thread");
    }

    public record Order(String buyer) {}

    @ApplicationScoped
    public static class Orders {
        static final List<String> SEEN = new CopyOnWriteArrayList<>();

        @RateLimited(name = "order", key = "'all'", algorithm = TOKEN_BUCKET, limit = 2, window = "1h")
        void taken(@Observes Order order) {
            SEEN.add(order.buyer);
        }

        @RateLimited(name = "async", key = "'all'", algorithm = TOKEN_BUCKET, limit = 1, window = "1h")
        void takenLater(@ObservesAsync Order order) {
            SEEN.add("later " + order.buyer);
        }
    }

    @Inject
    Event<Order> orders;

    @Test
    void thirdEventReachesNoObserver() {
        orders.fire(new Order("ann"));
        orders.fire(new Order("ann"));
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> orders.fire(new Order("ann")));
        orders.fireAsync(new Order("ann")).toCompletableFuture().join();
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(() ->
                        orders.fireAsync(new Order("ann")).toCompletableFuture().join())
                .withCauseInstanceOf(RateLimitExceededException.class);
        assertThat(Orders.SEEN).containsExactly("ann", "ann", "later ann");
    }
}
