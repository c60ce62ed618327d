package dev.limiter.cdi;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.FIXED_WINDOW;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.internal.bootstrap.LimiterExtension;
import dev.limiter.testkit.ChildJvm;
import dev.limiter.testkit.RedisServer;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Two processes with the same beans on one Redis, which they ask by their settings alone. */
class TwoInstancesTest {

    @ApplicationScoped
    static class Service {
        static final CompletableFuture<String> RUNNING = new CompletableFuture<>();

        @RateLimited(name = "sent", key = "{param:to|'none'}", algorithm = FIXED_WINDOW, limit = 300, window = "300d")
        public void send(String to) {}

        @RateLimited(name = "flight", key = "'all'", algorithm = CONCURRENCY, limit = 1)
        public CompletionStage<String> run() {
            return RUNNING;
        }
    }

    /** Obeys each line that it reads, and answers it by a line. */
    public static final class Worker {
        private Worker() {}

        /** @param arguments none; the settings are system properties */
        public static void main(String[] arguments) throws IOException {
            try (SeContainer container = SeContainerInitializer.newInstance()
                    .disableDiscovery()
                    .addExtensions(new LimiterExtension())
                    .addBeanClasses(Service.class)
                    .initialize()) {
                Service service = container.select(Service.class).get();
                BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
                for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                    System.out.println(ANSWER + obeyed(service, order));
                }
            }
        }

        private static Object obeyed(Service service, String order) {
            return switch (order) {
                case "run" -> admits(service::run);
                case "end" -> Service.RUNNING.complete("done");
                default ->
                    IntStream.range(0, 200)
                            .filter(i -> admits(() -> service.send(order)))
                            .count();
            };
        }

        private static boolean admits(Runnable call) {
            try {
                call.run();
                return true;
            } catch (RateLimitExceededException rejected) {
                return false;
            }
        }
    }

    private static final String ANSWER = "> ";

    /** The end of a worker that a test holds. */
    private record Instance(Process process, BufferedReader output) implements AutoCloseable {
        static Instance start(RedisServer redis) throws IOException {
            Process process = new ProcessBuilder(ChildJvm.command(
                            "-Xmx128m",
                            "-Dlimiter.redis.uri=" + redis.uri(),
                            "-Dlimiter.application=mail",
                            "-Dlimiter.redis.deadline=20s",
                            Worker.class.getName()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return new Instance(process, process.inputReader(UTF_8));
        }

        void order(String order) throws IOException {
            process.getOutputStream().write((order + '\n').getBytes(UTF_8));
            process.getOutputStream().flush();
        }

        String answer() throws IOException {
            String line = output.readLine();
            while (line != null && !line.startsWith(ANSWER)) {
                line = output.readLine();
            }
            return line == null ? "ended" : line.substring(ANSWER.length());
        }

        String asked(String order) throws IOException {
            order(order);
            return answer();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @Test
    void bothInstancesTogetherAdmitTheLimitExactly() throws Exception {
        try (RedisServer redis = RedisServer.start();
                Instance one = Instance.start(redis);
                Instance other = Instance.start(redis)) {
            for (String to : List.of("ann", "bob")) {
                one.order(to);
                other.order(to);
                assertThat(Integer.parseInt(one.answer()) + Integer.parseInt(other.answer()))
                        .isEqualTo(300);
            }
        }
    }

    @Test
    void callInFlightInOneInstanceIsSeenInTheOtherUntilItsStageIsComplete() throws Exception {
        try (RedisServer redis = RedisServer.start();
                Instance one = Instance.start(redis);
                Instance other = Instance.start(redis)) {
            assertThat(one.asked("run")).isEqualTo("true");
            assertThat(other.asked("run")).isEqualTo("false");
            assertThat(one.asked("end")).isEqualTo("true");
            assertThat(other.asked("run")).isEqualTo("true");
        }
    }
}
