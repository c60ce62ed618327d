package dev.limiter.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.FailingStore;
import dev.limiter.jaxrs.ServletLimits;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.servlet.ServletInitializer;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.testkit.guide.Guide;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.core.Feature;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The files beside docs/outbound.md, compiled as they are, configured as the page says, and run.
 * No thread sleeps.
 */
class OutboundGuideTest {
    @TempDir
    private static Path directory;

    private final Properties settings = new Properties();
    private long nowMicros = 1_700_000_000_000_000L;
    private final LocalRateLimiter limiter = new LocalRateLimiter(
            () -> Instant.ofEpochSecond(nowMicros / 1_000_000, nowMicros % 1_000_000 * 1_000),
            span -> nowMicros += span.toNanos() / 1_000);

    @BeforeEach
    void configure() throws IOException {
        settings.load(new StringReader(blocks("properties").get(0)));
        settings.forEach((name, value) -> System.setProperty((String) name, (String) value));
    }

    @AfterEach
    void forget() {
        settings.keySet().forEach(name -> System.clearProperty((String) name));
    }

    @Test
    void theClientsOfJakartaRestAndOfMicroProfileShareThePartnersLimit() throws Exception {
        try (Partner partner = new Partner()) {
            partner.answers(200, Map.of());
            Object client = at("CarrierClient", partner.uri());
            Object api = at("CarrierApi", partner.uri());
            long began = nowMicros;
            for (int i = 0; i < 5; i++) {
                send(client);
                send(api);
            }
            assertThat(partner.calls()).isEqualTo(10);
            assertThat(nowMicros - began).as("nine slots of 21 ms").isEqualTo(189_000);
            partner.answers(200, Map.of("RateLimit", "\"parcels\";r=0;t=60"));
            send(api);
            assertThat(send(client)).asString().startsWith("come again in PT1M");
            assertThat(partner.calls()).isEqualTo(11);
        }
    }

    @Test
    void theClientHandlesAStoreThatGivesNoAnswer() throws Exception {
        try (Partner partner = new Partner()) {
            FailingStore store = new FailingStore(limiter);
            Object client = compiled("CarrierClient")
                    .getMethod("at", URI.class, RateLimiter.class)
                    .invoke(null, partner.uri(), store);
            store.fails = true;
            assertThat(send(client)).isEqualTo("come again later");
            assertThat(partner.calls()).isZero();
        }
    }

    @Test
    void theListenerAsksTheLimiterOfTheFilters() throws Exception {
        Map<String, Object> attributes = new HashMap<>();
        ServletContext application = (ServletContext) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ServletContext.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getAttribute" -> attributes.get(arguments[0]);
                    case "setAttribute" -> attributes.put((String) arguments[0], arguments[1]);
                    case "getContextPath" -> "/shop";
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        ServletContextListener setup = (ServletContextListener)
                compiled("CarrierSetup").getConstructor().newInstance();
        setup.contextInitialized(new ServletContextEvent(application));
        ApplicationRuntime runtime = ServletInitializer.of(application);
        try (RateLimiter own = runtime.limiter();
                Client client = (Client) attributes.get("carrier");
                Partner partner = new Partner()) {
            Policy carrier = ServletLimits.of(application).policy("carrier").withDelayVariation(Duration.ofMillis(50));
            PartitionKey all = PartitionKey.of("literal", "all");
            own.closeGate(carrier, all, Duration.ofHours(1));
            Throwable failure =
                    catchThrowable(() -> client.target(partner.uri()).request().get());
            assertThat(RateLimitClientFeature.rejectionIn(failure)).isPresent();
        } finally {
            runtime.close();
        }
    }

    @Test
    void theClassForAnnotationsIsAFeature() throws Exception {
        assertThat(compiled("CarrierLimit").getConstructor().newInstance()).isInstanceOf(Feature.class);
    }

    @Test
    void theBillingRunWaitsForItsTurnAndForTheGateway() throws Exception {
        List<String> tried = new ArrayList<>();
        Function<String, Duration> gateway = payment -> {
            tried.add(payment);
            return tried.size() == 200 ? Duration.ofSeconds(90) : Duration.ZERO;
        };
        Class<?> type = compiled("BillingRun");
        Object run = type.getConstructor(RateLimiter.class, Function.class).newInstance(limiter, gateway);
        Method pay = type.getMethod("pay", String.class, List.class);
        long began = nowMicros;
        assertThat(pay.invoke(run, "visa", Collections.nCopies(500, "payment"))).isEqualTo(500);
        assertThat(tried).hasSize(501);
        assertThat(nowMicros - began)
                .as("the gateway's 90 s, in which the first 200 left the window: 301 fit into the next")
                .isEqualTo(90_000_000);
        assertThat(pay.invoke(run, "visa", Collections.nCopies(150, "payment"))).isEqualTo(150);
        assertThat(nowMicros - began)
                .as("a minute and the delay variation later")
                .isEqualTo(90_000_000 + 60_050_000);
    }

    @Test
    @SuppressWarnings("unchecked") // the example says what it returns
    void anotherCarrierIsTakenWhenTheWaitIsTooLong() throws Exception {
        Class<?> type = compiled("CarrierChoice");
        Object choice =
                type.getConstructor(RateLimiter.class, List.class).newInstance(limiter, List.of("post", "express"));
        Policy calls = (Policy) field(type, "CALLS");
        PartitionKey post = PartitionKey.of("carrier", "post");
        Method next = type.getMethod("next");
        assertThat((Optional<String>) next.invoke(choice)).contains("post");
        limiter.charge(calls, post, 3); // other instances have taken the next slots
        long began = nowMicros;
        assertThat((Optional<String>) next.invoke(choice)).contains("express");
        assertThat(nowMicros).isEqualTo(began);
        limiter.closeGate(calls, PartitionKey.of("carrier", "express"), Duration.ofMinutes(1));
        assertThat((Optional<String>) next.invoke(choice)).isEmpty();
        nowMicros += 200_000;
        assertThat((Optional<String>) next.invoke(choice)).contains("post");
    }

    private static Object field(Class<?> type, String name) throws Exception {
        java.lang.reflect.Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(null);
    }

    private Object at(String type, URI partner) throws Exception {
        return compiled(type).getMethod("at", URI.class, RateLimiter.class).invoke(null, partner, limiter);
    }

    private static Object send(Object to) throws Exception {
        Class<?> type = to instanceof Record ? to.getClass() : to.getClass().getInterfaces()[0];
        return type.getMethod("send", String.class).invoke(to, "a parcel");
    }

    private static List<String> blocks(String language) throws IOException {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Guide.text("docs/outbound.md"))
                .results()
                .map(block -> block.group(1))
                .toList();
    }

    private static Class<?> compiled(String name) throws Exception {
        Path file = Guide.PROJECT.resolve("docs/outbound/" + name + ".java");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-proc:none", "-d", directory.toString(), "-classpath", System.getProperty("java.class.path"));
            assertThat(compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(file))
                            .call())
                    .isTrue();
        }
        return new URLClassLoader(
                        new java.net.URL[] {directory.toUri().toURL()}, OutboundGuideTest.class.getClassLoader())
                .loadClass(name);
    }
}
