package dev.limiter.jaxrs.internal.declaration;

import static dev.limiter.Algorithm.GCRA;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimited;
import jakarta.servlet.http.HttpServlet;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A limit on a class that answers no requests is never asked, so it is a warning. */
class BeansWithLimitsTest {

    static class Service {
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        public void send() {}
    }

    @RateLimited(name = "a", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
    @RateLimited(name = "b", key = "{user}", algorithm = GCRA, limit = 5, window = "10s")
    static class WholeService {}

    static class Composed {
        @Protected
        void send() {}
    }

    @RateLimited(name = "login", key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
    @Retention(RetentionPolicy.RUNTIME)
    @interface Protected {}

    static class NoLimits {
        public void send() {}
    }

    /** Also what has none of its own, as a sub-resource may. */
    static class Resource {
        @GET
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        public void get() {}
    }

    /** LIM08 tells of it. */
    @Protected
    static class Locating {
        @Path("rest")
        public Resource rest() {
            return new Resource();
        }
    }

    @Protected
    static class Derived extends Resource {}

    interface Contract {
        @RateLimited(key = "{ip}", algorithm = GCRA, limit = 5, window = "10s")
        void get();
    }

    @Protected
    abstract static class Base {}

    @Protected
    static class Limited extends HttpServlet {
        private static final long serialVersionUID = 1L;
    }

    @Protected
    static class Everything extends Application {}

    @ParameterizedTest
    @ValueSource(classes = {Service.class, WholeService.class, Composed.class})
    void limitsThatNoRequestMeetsAreWarnedOf(Class<?> bean) {
        assertThat(DeclarationWarnings.ofBean(bean))
                .hasValue("LIM06 " + bean.getName()
                        + " carries limits that no request meets: it has no resource methods, and"
                        + " is neither servlet nor Application. Limit the resource methods that call it, or ask"
                        + " RateLimiter in code");
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                NoLimits.class,
                Resource.class,
                Locating.class,
                Derived.class,
                Contract.class,
                Base.class,
                Limited.class,
                Everything.class
            })
    void limitsThatRequestsMayMeetAreNot(Class<?> bean) {
        assertThat(DeclarationWarnings.ofBean(bean)).isEmpty();
    }
}
