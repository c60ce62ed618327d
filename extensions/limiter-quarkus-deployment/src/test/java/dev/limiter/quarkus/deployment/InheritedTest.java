package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Limits that beans inherit. */
class InheritedTest {
    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = new QuarkusUnitTest();

    public static class Open {
        @RateLimited(name = "open", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        public void send() {}
    }

    @ApplicationScoped
    public static class OfOpen extends Open {}

    public static class Plain {
        public void send() {}
    }

    @ApplicationScoped
    @RateLimited(name = "whole", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
    public static class Whole extends Plain {}

    public interface Handler<T> {
        @RateLimited(name = "handler", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        void handle(T message);
    }

    @ApplicationScoped
    public static class Handling implements Handler<String> {
        @Override
        public void handle(String message) {}
    }

    /** Its super class does not know the interface. */
    @ApplicationScoped
    public static class Beside extends Plain implements Sending {}

    public interface Sending {
        @RateLimited(name = "sending", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        void send();
    }

    @Inject
    Beside beside;

    @Inject
    OfOpen open;

    @Inject
    Whole whole;

    @Inject
    Handler<String> handler;

    private static void assertOnce(Runnable call) {
        call.run();
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(call::run);
    }

    @Test
    void ofASuperClass() {
        assertOnce(open::send);
    }

    @Test
    void ofTheClassForWhatItInherits() {
        assertOnce(whole::send);
    }

    @Test
    void ofAnInterfaceThatTheSuperClassImplements() {
        assertOnce(beside::send);
    }

    @Test
    void ofAGenericInterface() {
        assertOnce(() -> handler.handle("a"));
    }
}
