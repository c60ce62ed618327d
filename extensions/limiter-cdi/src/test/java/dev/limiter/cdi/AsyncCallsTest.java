package dev.limiter.cdi;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.KeyResolver;
import dev.limiter.jaxrs.LimitedRequest;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Named;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Methods whose work goes on when they have returned, on threads that may wait for the store, and on
 * an event loop, which must not.
 */
class AsyncCallsTest {
    private static final List<String> SEEN = new CopyOnWriteArrayList<>();

    @ApplicationScoped
    static class Service {
        @RateLimited(name = "flight", key = "'all'", algorithm = CONCURRENCY, limit = 1)
        public CompletionStage<String> stage(CompletionStage<String> answer) {
            return answer;
        }

        @RateLimited(name = "flight", key = "'all'", algorithm = CONCURRENCY, limit = 1)
        public Uni<String> uni(Uni<String> answer) {
            return answer;
        }

        @RateLimited(name = "flight", key = "'all'", algorithm = CONCURRENCY, limit = 1)
        public Multi<String> multi(Multi<String> answer) {
            return answer;
        }

        @RateLimited(name = "window", key = "{bean:where|'none'}", algorithm = FIXED_WINDOW, limit = 2, window = "1h")
        public Uni<String> where() {
            SEEN.add("runs on " + EventLoop.thread());
            return Uni.createFrom().item("answer");
        }

        @RateLimited(name = "window", key = "{bean:where|'none'}", algorithm = FIXED_WINDOW, limit = 2, window = "1h")
        public CompletableFuture<String> stageWhere() {
            SEEN.add("runs on " + EventLoop.thread());
            return CompletableFuture.completedFuture("answer");
        }

        @RateLimited(name = "holding", key = "'all'", algorithm = FIXED_WINDOW, limit = 2, window = "1h")
        public Uni<CountDownLatch> holding() {
            return Uni.createFrom().item(EventLoop.hold());
        }

        @RateLimited(name = "plain", key = "{bean:where|'none'}", algorithm = FIXED_WINDOW, limit = 2, window = "1h")
        public String plain() {
            SEEN.add("runs on " + EventLoop.thread());
            return "answer";
        }

        @RateLimited(name = "failing", key = "'all'", algorithm = CONCURRENCY, limit = 1)
        public Uni<String> failing() {
            throw new IllegalArgumentException("in the method");
        }
    }

    @RateLimited(name = "spared", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
    @ApplicationScoped
    static class Spared {
        @RateLimitExempt
        public String spared() {
            return EventLoop.thread();
        }
    }

    /** Tells where the decision reads the key. */
    @Named("where")
    @ApplicationScoped
    static class Where implements KeyResolver {
        @Override
        public String key(LimitedRequest call) {
            SEEN.add("decided on " + EventLoop.thread());
            return "all";
        }
    }

    private Beans beans;
    private Service service;

    @BeforeEach
    void starts() {
        SEEN.clear();
        beans = new Beans(Service.class, Where.class, Spared.class);
        service = beans.get(Service.class);
    }

    @AfterEach
    void ends() {
        beans.close();
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @Test
    void stageIsInFlightUntilItIsComplete() throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletionStage<String> first = service.stage(answer);
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> service.stage(answer));
        answer.complete("answer");
        assertThat(get(first)).isEqualTo("answer");
        assertThat(get(service.stage(answer))).isEqualTo("answer");
    }

    @Test
    void stageThatFailsIsInFlightNoMoreAndFailsAsItDid() {
        CompletionStage<String> failed = CompletableFuture.failedStage(new IllegalStateException("failed"));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> get(service.stage(failed))).hasCause(new IllegalStateException("failed"));
        }
    }

    /** Whoever sees the result may call again at once. */
    @Test
    void whoeverSeesTheStageCompleteMeetsNoLeaseOfIt() throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletionStage<String> second =
                service.stage(answer).thenCompose(done -> service.stage(CompletableFuture.completedStage("again")));
        answer.complete("answer");
        assertThat(get(second)).isEqualTo("again");
    }

    @Test
    void cancellingTheResultCancelsTheWork() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        service.stage(answer).toCompletableFuture().cancel(true);
        assertThat(answer).isCancelled();
    }

    @Test
    void uniIsDecidedWithEachSubscription() {
        Uni<String> first = service.uni(Uni.createFrom().item("answer"));
        Uni<String> never = service.uni(Uni.createFrom().nothing());
        Cancellable running = never.subscribe().with(item -> {});
        assertThatExceptionOfType(RateLimitExceededException.class)
                .isThrownBy(() -> first.await().indefinitely());
        running.cancel();
        assertThat(first.await().indefinitely()).isEqualTo("answer");
        assertThat(first.await().indefinitely()).isEqualTo("answer");
    }

    @Test
    void uniThatFailsOrThrowsIsInFlightNoMore() {
        Uni<String> failing = service.uni(Uni.createFrom().failure(new IllegalStateException("failed")));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> failing.await().indefinitely()).hasMessage("failed");
            assertThatThrownBy(() -> service.failing().await().indefinitely()).hasMessage("in the method");
        }
    }

    @Test
    void multiIsInFlightUntilItsEndOrItsSubscriberLeaves() {
        Multi<String> two = service.multi(Multi.createFrom().items("a", "b"));
        Cancellable endless =
                service.multi(Multi.createFrom().nothing()).subscribe().with(item -> {});
        assertThatExceptionOfType(RateLimitExceededException.class)
                .isThrownBy(() -> two.collect().asList().await().indefinitely());
        endless.cancel();
        assertThat(two.collect().asList().await().indefinitely()).containsExactly("a", "b");
        assertThat(two.collect().asList().await().indefinitely()).containsExactly("a", "b");
    }

    @Test
    void onAnEventLoopAUniIsDecidedOnAWorkerAndRunsOnTheEventLoop() throws Exception {
        for (int i = 0; i < 2; i++) {
            SEEN.clear();
            Uni<String> asked = EventLoop.run(service::where);
            assertThat(SEEN).isEmpty();
            CompletableFuture<String> answer = EventLoop.run(() -> asked.onItem()
                    .invoke(() -> SEEN.add("told on " + EventLoop.thread()))
                    .subscribeAsCompletionStage());
            assertThat(get(answer)).isEqualTo("answer");
            assertThat(SEEN).containsExactly("decided on worker", "runs on event-loop", "told on event-loop");
        }
        CompletableFuture<String> third = EventLoop.run(() -> service.where().subscribeAsCompletionStage());
        assertThatThrownBy(() -> get(third)).hasCauseInstanceOf(RateLimitExceededException.class);
    }

    @Test
    void onAnEventLoopAStageIsDecidedOnAWorkerAndRunsOnTheEventLoop() throws Exception {
        for (int i = 0; i < 2; i++) {
            SEEN.clear();
            assertThat(get(EventLoop.run(service::stageWhere))).isEqualTo("answer");
            assertThat(SEEN).containsExactly("decided on worker", "runs on event-loop");
        }
        assertThatThrownBy(() -> get(EventLoop.run(service::stageWhere)))
                .hasCauseInstanceOf(RateLimitExceededException.class);
    }

    @Test
    void subscriberThatLeavesBeforeTheDecisionHoldsNoLease() throws Exception {
        List<Callable<Cancellable>> subscriptions = List.of(
                () -> service.uni(Uni.createFrom().nothing()).subscribe().with(item -> {}),
                () -> service.multi(Multi.createFrom().nothing()).subscribe().with(item -> {}));
        for (Callable<Cancellable> subscription : subscriptions) {
            CountDownLatch held = EventLoop.hold();
            Cancellable left = EventLoop.run(subscription);
            EventLoop.run(Executors.callable(left::cancel));
            EventLoop.release(held);
            assertThat(get(service.stage(CompletableFuture.completedStage("answer"))))
                    .isEqualTo("answer");
        }
    }

    /** Without a lease there is nothing that a worker would have to give back. */
    @Test
    void onAnEventLoopNoWorkerIsNeededAfterAMethodWithoutLeases() throws Exception {
        CountDownLatch held = get(EventLoop.run(() -> service.holding().subscribeAsCompletionStage()));
        EventLoop.release(held);
    }

    /** The store is asked on a worker, too, when the lease comes back. */
    @Test
    void onAnEventLoopLeasesComeBackBeforeTheResult() throws Exception {
        for (int i = 0; i < 20; i++) {
            CompletableFuture<String> uni = EventLoop.run(
                    () -> service.uni(Uni.createFrom().item("answer")).subscribeAsCompletionStage());
            assertThat(get(uni)).isEqualTo("answer");
            assertThat(get(EventLoop.run(() -> service.stage(CompletableFuture.completedFuture("answer")))))
                    .isEqualTo("answer");
        }
    }

    @Test
    void onAnEventLoopAnExemptMethodRuns() throws Exception {
        assertThat(EventLoop.run(beans.get(Spared.class)::spared)).isEqualTo("event-loop");
    }

    @Test
    void onAnEventLoopAPlainMethodIsRefusedBeforeAnythingIsAsked() throws Exception {
        assertThatThrownBy(() -> EventLoop.run(service::plain))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("plain() has a limit, which waits for its store, and the thread event-loop must"
                        + " not wait; call it on a worker (@Blocking), or let it return a CompletionStage or a Uni");
        assertThat(SEEN).isEmpty();
        assertThat(service.plain()).isEqualTo("answer");
    }
}
