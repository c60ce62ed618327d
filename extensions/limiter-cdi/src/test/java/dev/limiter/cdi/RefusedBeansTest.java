package dev.limiter.cdi;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.RateLimited;
import dev.limiter.Stage;
import dev.limiter.cdi.elsewhere.Elsewhere;
import dev.limiter.jaxrs.LogLines;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits that cannot hold on a bean: each fails the deployment, by its name and with what to write. */
class RefusedBeansTest {

    /** What a class is refused with. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Says {
        String[] value();
    }

    @Says({
        "@RateLimited.countOn on CountsResponses.work: \"401\" names responses, and the method of a bean has none; leave it out",
        "@RateLimited.stage on CountsResponses.early: BEFORE_AUTHENTICATION is of requests, and a call is decided once; leave it out"
    })
    @ApplicationScoped
    static class CountsResponses {
        @RateLimited(key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h", countOn = "401")
        public void work() {}

        @RateLimited(
                key = "'all'",
                algorithm = FIXED_WINDOW,
                limit = 1,
                window = "1h",
                stage = Stage.BEFORE_AUTHENTICATION)
        public void early() {}
    }

    private static final String OF_REQUEST = " is of a request, and a bean may be called without one; write"
            + " \"{user|'nobody'}\", \"{param:...|'none'}\" or \"{bean:...|'none'}\"";

    @Says({
        "@RateLimited.key on OfRequests.path: \"{path:id}\"" + OF_REQUEST,
        "@RateLimited.key on OfRequests.query: \"{query:q}\"" + OF_REQUEST,
        "@RateLimited.key on OfRequests.header: \"{header:X-Key}\"" + OF_REQUEST,
        "@RateLimited.key on OfRequests.cookie: \"{cookie:c}\"" + OF_REQUEST,
        "@RateLimited.key on OfRequests.form: \"{form:f}\"" + OF_REQUEST,
        "@RateLimited.key on OfRequests.attribute: \"{attribute:a}\"" + OF_REQUEST,
        "@RateLimited.key on OfRequests.ip: \"{ip}\"" + OF_REQUEST,
        "@RateLimited.key on OfRequests.verb: \"{verb}\"" + OF_REQUEST,
        "@RateLimited.cost on OfRequests.cost: \"{query:size}\"" + OF_REQUEST,
        "@RateLimited.tier on OfRequests.tier: \"{attribute:plan}\"" + OF_REQUEST,
        "@RateLimited.window on OfRequests.window: \"{attribute:day}\"" + OF_REQUEST
    })
    @ApplicationScoped
    static class OfRequests {
        @RateLimited(key = "{path:id|'none'}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void path() {}

        @RateLimited(key = "{query:q|'none'}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void query() {}

        @RateLimited(key = "{header:X-Key|'none'}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void header() {}

        @RateLimited(key = "{cookie:c|'none'}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void cookie() {}

        @RateLimited(key = "{form:f|'none'}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void form() {}

        @RateLimited(key = "{attribute:a|'none'}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void attribute() {}

        @RateLimited(key = "{user|ip}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void ip() {}

        @RateLimited(key = "{user|'nobody'}/{verb}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void verb() {}

        @RateLimited(key = "'all'", algorithm = FIXED_WINDOW, limit = 9, window = "1h", cost = "{query:size|'2'}")
        public void cost() {}

        @RateLimited(
                key = "'all'",
                algorithm = FIXED_WINDOW,
                limit = 9,
                window = "1h",
                tier = "{attribute:plan}",
                tiers = @dev.limiter.Tier(name = "gold", limit = 20))
        public void tier() {}

        @RateLimited(key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1 month from {attribute:day}")
        public void window() {}
    }

    @Says({
        "@RateLimited.key on MayBeMissing.user: \"{user}\" may be missing, and a call has no address to count it on;"
                + " end in a literal, such as \"{user|'none'}\"",
        "@RateLimited.key on MayBeMissing.param: \"{param:to}\" may be missing, and a call has no address to count it on;"
                + " end in a literal, such as \"{param:to|'none'}\"",
        "@RateLimited.key on MayBeMissing.two: \"{bean:b}\" may be missing, and a call has no address to count it on;"
                + " end in a literal, such as \"{user|bean:b|'none'}\"",
        "@RateLimited.key on MayBeMissing.expression: \"#{user.name}\" may be missing, and a call has no address to count"
                + " it on; end in a literal, such as \"{bean:...|'none'}\""
    })
    @ApplicationScoped
    static class MayBeMissing {
        @RateLimited(key = "{user}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void user() {}

        @RateLimited(key = "{user|'nobody'}/{param:to}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void param(String to) {}

        @RateLimited(key = "{user|bean:b}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void two() {}

        @RateLimited(key = "#{user.name}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void expression() {}
    }

    record Letter(String to) {}

    static class Parcel {}

    @Says({
        "@RateLimited.key on Parameters.unknown: no parameter \"too\" of unknown; did you mean \"to\"?",
        "@RateLimited.key on Parameters.parcel: \"{param:parcel}\" is a Parcel, whose text may differ with each object:"
                + " then each call would be counted alone; pass a String, or take the value by \"{bean:...|'none'}\"",
        "@RateLimited.key on Parameters.array: \"{param:names}\" is a String[], whose text",
        "@RateLimited.key on Parameters.object: \"{param:any}\" is a Object, whose text",
        "@RateLimited.cost on Parameters.cost: no parameter \"size\" of cost; there is none"
    })
    @ApplicationScoped
    static class Parameters {
        @RateLimited(key = "{param:too|'none'}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void unknown(String to) {}

        @RateLimited(key = "{param:parcel|'none'}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void parcel(Parcel parcel) {}

        @RateLimited(key = "{param:names|'none'}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void array(String... names) {}

        @RateLimited(key = "{param:any|'none'}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void object(Object any) {}

        @RateLimited(key = "'all'", algorithm = FIXED_WINDOW, limit = 9, window = "1h", cost = "{param:size|'2'}")
        public void cost() {}

        /** These have a text. */
        @RateLimited(
                key = "{param:letter|'none'}/{param:number|'none'}/{param:stage|'none'}/{param:text|'none'}",
                algorithm = FIXED_WINDOW,
                limit = 1,
                window = "1h")
        public void fine(Letter letter, int number, Stage stage, CharSequence text) {}
    }

    @Says({
        "@RateLimited on Missed.hidden: CDI intercepts no private method; remove private",
        "@RateLimited on Missed.ofClass: CDI intercepts no static method; remove static",
        "@RateLimited on Missed.last: CDI intercepts no final method; remove final",
        "@RateLimited on Missed.begin: CDI calls what is annotated with @PostConstruct itself, and intercepts no such"
                + " call; limit the methods that callers use"
    })
    @Dependent
    static class Missed {
        @RateLimited(key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        private void hidden() {}

        @RateLimited(key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public static void ofClass() {}

        @RateLimited(key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public final void last() {}

        @PostConstruct
        @RateLimited(key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void begin() {
            hidden();
        }
    }

    @Says("@RateLimited on FinalInLimited.last: CDI intercepts no final method; remove final")
    @RateLimited(key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
    @Dependent
    static class FinalInLimited {
        public final void last() {}

        public void work() {}
    }

    @Says("@RateLimited on Sealed: the class is final, so CDI intercepts no call of it; remove final")
    @RateLimited(key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
    @Dependent
    static final class Sealed {
        public void work() {}
    }

    @Says(
            "@RateLimited on OfAnotherPackage.ofPackage: CDI intercepts no method of a super class of another package that is"
                    + " neither public nor protected; make it public")
    @RateLimited(key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
    @Dependent
    static class OfAnotherPackage extends Elsewhere {}

    static class Hidden {
        @RateLimited(key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void send() {}
    }

    /** The compiler writes a second method into this class, which ArC does not intercept. */
    @Says("@RateLimited on OfHidden.send: not each CDI intercepts a public method of a class that is not; make Hidden"
            + " public, or override it in OfHidden")
    @Dependent
    public static class OfHidden extends Hidden {}

    @Says({
        "@RateLimited.algorithm on Unseen.future: CONCURRENCY counts calls until they are done, and nothing tells when a"
                + " Future is; return a CompletionStage, a Uni or a Multi",
        "@RateLimited.algorithm on Unseen.publisher: CONCURRENCY counts calls until they are done, and nothing tells when"
                + " a Publisher is; return a CompletionStage, a Uni or a Multi"
    })
    @ApplicationScoped
    static class Unseen {
        @RateLimited(key = "'all'", algorithm = CONCURRENCY, limit = 1)
        public Future<String> future() {
            return null;
        }

        @RateLimited(key = "'all'", algorithm = CONCURRENCY, limit = 1)
        public Flow.Publisher<String> publisher() {
            return null;
        }

        @RateLimited(name = "fine", key = "'all'", algorithm = CONCURRENCY, limit = 1)
        public CompletableFuture<String> fine() {
            return null;
        }
    }

    @Says({
        "@RateLimited.window on Ordinary.window: \"1 hour\" is not a duration",
        "@RateLimited.key on Ordinary.key: unknown name \"usr\" in \"{usr|'x'}\"; did you mean \"user\"?"
    })
    @ApplicationScoped
    static class Ordinary {
        @RateLimited(key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1 hour")
        public void window() {}

        @RateLimited(key = "{usr|'x'}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void key() {}
    }

    static class Letters {
        @RateLimited(name = "letters", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void send() {}
    }

    @ApplicationScoped
    static class Producer {
        @Produces
        @ApplicationScoped
        Letters letters() {
            return new Letters();
        }
    }

    @ApplicationScoped
    static class Nameless {
        @RateLimited(key = "{bean:tenant|'none'}", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void work() {}
    }

    /** Beans are known once CDI has started. */
    @Test
    void startIsRefusedWithoutTheBeanOfAKey() {
        assertThatThrownBy(() -> new Beans(Nameless.class).close())
                .hasStackTraceContaining("@RateLimited.key on Nameless.work: \"bean:tenant\" names no CDI bean of type"
                        + " dev.limiter.jaxrs.KeyResolver; write one with @Named(\"tenant\")\n");
    }

    /** CDI makes no interceptors around what a method returns. */
    @Test
    void limitedClassOfAProducerIsRefused() {
        assertThatThrownBy(() -> new Beans(Producer.class).close())
                .hasMessageContaining("@RateLimited on Letters: a bean of Producer is made by code, so CDI intercepts"
                        + " no call of it; let CDI make it, by a scope on its class, or ask RateLimiter in code");
    }

    /** Compiled without {@code -parameters}; the compiler of the JDK is there in each build. */
    @Test
    void parameterOfAClassWithoutItsNamesIsRefused(@TempDir Path folder) throws Exception {
        Path source = folder.resolve("Nameless.java");
        Files.writeString(source, """
                @jakarta.enterprise.context.ApplicationScoped
                public class Nameless {
                    @dev.limiter.RateLimited(key = "{param:to|'none'}", algorithm = dev.limiter.Algorithm.FIXED_WINDOW,
                            limit = 1, window = "1h")
                    public void send(String to) {}
                }
                """);
        String[] options = {
            "-proc:none", "-cp", System.getProperty("java.class.path"), "-d", folder.toString(), source.toString()
        };
        assertThat(ToolProvider.findFirst("javac").orElseThrow().run(System.out, System.err, options))
                .isZero();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, context)) {
            Thread.currentThread().setContextClassLoader(loader);
            assertThatThrownBy(() -> new Beans(loader.loadClass("Nameless")).close())
                    .hasMessageContaining("@RateLimited.key on Nameless.send: \"{param:to}\" needs the names of"
                            + " parameters, and Nameless was compiled without them; compile it with -parameters, in"
                            + " Maven <maven.compiler.parameters>true</maven.compiler.parameters>");
        } finally {
            Thread.currentThread().setContextClassLoader(context);
        }
    }

    interface WithDefault {
        @RateLimited(name = "default", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        default String work() {
            return "done";
        }
    }

    @Says("@RateLimited on Inherits.work: not each CDI intercepts a default method; override it in Inherits")
    @ApplicationScoped
    static class Inherits implements WithDefault {}

    @Says("@RateLimited on InheritsMore.more: not each CDI intercepts a default method; override it in InheritsMore")
    @RateLimited(name = "more", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
    @ApplicationScoped
    static class InheritsMore implements More, Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return null;
        }
    }

    interface More {
        default String more() {
            return "more";
        }
    }

    /** A server makes and calls it, not CDI. */
    static class NeverMade implements Filter {
        @RateLimited(key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException {}
    }

    @ApplicationScoped
    static class Fine {
        @RateLimited(key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void work() {}
    }

    /** No bean, since CDI cannot make it. */
    static class NoBean {
        NoBean(String name) {
            assertThat(name).isNotNull();
        }

        @RateLimited(name = "noBean", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1h")
        public void work() {}
    }

    /** LIM06 is true: it names what neither requests nor CDI limit, and nothing else. */
    @Test
    void classesThatNothingLimitsAreWarnedOfAndBeansAreNot() {
        try (LogLines log = new LogLines("dev.limiter.plan");
                Beans beans = new Beans(Fine.class, NeverMade.class, NoBean.class)) {
            assertThat(beans.get(Fine.class)).isNotNull();
            assertThat(log.taken().stream().filter(line -> line.contains("LIM06")))
                    .satisfiesExactlyInAnyOrder(
                            line -> assertThat(line).startsWith("WARNING LIM06 " + NeverMade.class.getName()),
                            line -> assertThat(line).startsWith("WARNING LIM06 " + NoBean.class.getName()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                CountsResponses.class,
                OfRequests.class,
                MayBeMissing.class,
                Parameters.class,
                Missed.class,
                FinalInLimited.class,
                Sealed.class,
                OfAnotherPackage.class,
                OfHidden.class,
                Inherits.class,
                InheritsMore.class,
                Unseen.class,
                Ordinary.class
            })
    void deploymentIsRefusedWithEachMistake(Class<?> bean) {
        assertThatThrownBy(() -> new Beans(bean).close()).satisfies(refused -> {
            String told = refused.toString();
            assertThat(told).contains(bean.getAnnotation(Says.class).value());
            assertThat(told.split("@RateLimited", -1))
                    .hasSize(bean.getAnnotation(Says.class).value().length + 1);
        });
    }
}
