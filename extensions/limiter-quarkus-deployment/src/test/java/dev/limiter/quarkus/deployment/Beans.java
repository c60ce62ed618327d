package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.FIXED_WINDOW;

import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import io.quarkiverse.mcp.server.Tool;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.ScheduledExecution;
import io.quarkus.websockets.next.OnError;
import io.quarkus.websockets.next.OnTextMessage;
import io.quarkus.websockets.next.WebSocket;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.util.concurrent.atomic.AtomicInteger;

/** Beans of all kinds whose methods have limits. */
final class Beans {
    private Beans() {}

    /** A service, and an observer of messages. */
    @ApplicationScoped
    public static class Service {
        static final AtomicInteger HEARD = new AtomicInteger();

        @RateLimited(name = "service", key = "{param:to|'none'}", algorithm = FIXED_WINDOW, limit = 2, window = "1d")
        public String send(String to) {
            return "sent";
        }

        @RateLimited(name = "observer", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        void hear(@Observes Message message) {
            HEARD.incrementAndGet();
        }

        @RateLimited(name = "whole", key = "'all'", algorithm = CONCURRENCY, limit = 1)
        public Uni<String> uni(Uni<String> answer) {
            return answer;
        }
    }

    /** What the observer hears. */
    public record Message() {}

    /** Due each second, and admitted once a day. */
    @ApplicationScoped
    public static class Job {
        static final AtomicInteger DUE = new AtomicInteger();
        static final AtomicInteger RAN = new AtomicInteger();

        @Scheduled(every = "1s", skipExecutionIf = Counted.class)
        @RateLimited(name = "job", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        void run() {
            RAN.incrementAndGet();
        }
    }

    /** Counts how often the job was due, and skips it never. */
    @ApplicationScoped
    public static class Counted implements Scheduled.SkipPredicate {
        @Override
        public boolean test(ScheduledExecution execution) {
            Job.DUE.incrementAndGet();
            return false;
        }
    }

    /** Answers messages of WebSocket. */
    @WebSocket(path = "/echo")
    public static class Echo {
        @OnTextMessage
        @RateLimited(name = "echo", key = "{param:message|'none'}", algorithm = FIXED_WINDOW, limit = 2, window = "1d")
        public String echo(String message) {
            return message;
        }

        @OnError
        public String rejected(RateLimitExceededException rejected) {
            return "come back in " + rejected.retryAfterSeconds();
        }
    }

    /** Tools of an MCP server. */
    @ApplicationScoped
    public static class Tools {
        @Inject
        Service service;

        @Tool(description = "The weather of a city")
        @RateLimited(name = "weather", key = "{user|'nobody'}", algorithm = FIXED_WINDOW, limit = 3, window = "1d")
        public String weather(String city) {
            return "sun in " + city;
        }

        @Tool(description = "The same, later")
        @RateLimited(name = "later", key = "{user|'nobody'}", algorithm = FIXED_WINDOW, limit = 3, window = "1d")
        public Uni<String> later(String city) {
            return Uni.createFrom()
                    .item(() ->
                            "sun in " + city + " on " + Thread.currentThread().getName());
        }

        @Tool(description = "Sends a letter by a service, whose limit is not that of the tool")
        public String send(String to) {
            return service.send(to);
        }
    }
}
