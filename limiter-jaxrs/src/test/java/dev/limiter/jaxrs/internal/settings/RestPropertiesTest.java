package dev.limiter.jaxrs.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.jaxrs.MapSettings;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import jakarta.ws.rs.core.Configuration;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings that an application has among the properties of Jakarta REST, beside its file. */
class RestPropertiesTest {
    private static final String DEADLINE = "limiter.redis.deadline";

    @TempDir
    Path classes;

    private final ClassLoader before = Thread.currentThread().getContextClassLoader();
    private final Map<String, Object> properties = new HashMap<>();
    private URLClassLoader application;

    @BeforeEach
    void writeTheFile() throws Exception {
        Path file = classes.resolve("META-INF/microprofile-config.properties");
        Files.createDirectories(file.getParent());
        Files.writeString(file, DEADLINE + "=200ms\nlimiter.headers=legacy\n");
        application = new URLClassLoader(new URL[] {classes.toUri().toURL()}, before);
        Thread.currentThread().setContextClassLoader(application);
    }

    @AfterEach
    void forgetIt() throws Exception {
        System.clearProperty(DEADLINE);
        Thread.currentThread().setContextClassLoader(before);
        application.close();
    }

    @Test
    void aPropertyStandsBeforeTheFileAndBehindSystemProperties() {
        properties.put(DEADLINE, "300ms");
        assertThat(settings().value(DEADLINE)).contains("300ms");
        assertThat(settings().value("limiter.headers")).contains("legacy");
        System.setProperty(DEADLINE, "400ms");
        assertThat(settings().value(DEADLINE)).contains("400ms");
        System.setProperty(DEADLINE, "");
        assertThat(settings().value(DEADLINE)).isEmpty();
    }

    /** As YAML has them. */
    @Test
    void aValueThatIsNoTextIsReadAsItsText() {
        properties.put("limiter.expected-instances", 3);
        properties.put("limiter.cache-rejections", false);
        properties.put("limiter.lease", new StringBuilder("20s"));
        assertThat(settings().value("limiter.expected-instances")).contains("3");
        assertThat(settings().value("limiter.cache-rejections")).contains("false");
        assertThat(settings().value("limiter.lease")).contains("20s");
    }

    @Test
    void aBlankPropertyTakesOutWhatTheFileSaysAndNullIsNone() {
        properties.put(DEADLINE, " ");
        assertThat(settings().value(DEADLINE)).isEmpty();
        properties.put(DEADLINE, null);
        assertThat(settings().value(DEADLINE)).contains("200ms");
    }

    @Test
    void itsNamesAreThoseOfTheLimiterOnly() {
        properties.put("limiter.policy.buyer.limit", 5);
        properties.put("jersey.config.server.wadl.disableWadl", true);
        assertThat(settings().names())
                .contains("limiter.policy.buyer.limit", DEADLINE)
                .doesNotContain("jersey.config.server.wadl.disableWadl");
    }

    /** The framework of the application replaces its own variables before. */
    @Test
    void aVariableIsRefused() {
        properties.put("limiter.key-secret", "abc${SECRET}");
        assertThatThrownBy(() -> settings().value("limiter.key-secret"))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessage("limiter.key-secret: has a \"${\", which nothing replaces here; write the value");
    }

    @Test
    void anErrorNamesThePropertiesAmongItsSettings() {
        properties.put(DEADLINE, "1h");
        properties.put("limiter.headers", "none");
        RuntimeException wrong = new IllegalArgumentException(DEADLINE + ": too long\nlimiter.lease: too short");
        assertThat(MicroProfileSettings.named(rest(), wrong))
                .hasMessage(DEADLINE + ": too long (a property of Jakarta REST)\nlimiter.lease: too short");
        System.setProperty(DEADLINE, "1h");
        assertThat(MicroProfileSettings.named(rest(), wrong)).isSameAs(wrong);
    }

    /** As those of an Application in a WAR, whose container starts the limiter first. */
    @Test
    void aPropertyThatComesTooLateIsRefusedUnlessItChangesNothing() {
        MapSettings inForce = new MapSettings().with(DEADLINE, "200ms").with("limiter.lease", "20s");
        assertThatCode(() -> MicroProfileSettings.requireNotLate(rest(), inForce))
                .doesNotThrowAnyException();
        properties.put("limiter.lease", "20s");
        assertThatCode(() -> MicroProfileSettings.requireNotLate(rest(), inForce))
                .doesNotThrowAnyException();
        properties.put(DEADLINE, "300ms");
        assertThatThrownBy(() -> MicroProfileSettings.requireNotLate(rest(), inForce))
                .hasMessage(DEADLINE + ": is a property of Jakarta REST, which starts after the limiter here; write it"
                        + " into META-INF/microprofile-config.properties");
        System.setProperty(DEADLINE, "200ms");
        assertThatCode(() -> MicroProfileSettings.requireNotLate(rest(), inForce))
                .doesNotThrowAnyException();
    }

    private Settings settings() {
        return MicroProfileSettings.ofApplication(rest());
    }

    private RestProperties rest() {
        return RestProperties.of((Configuration) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Configuration.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getPropertyNames" -> properties.keySet();
                    case "getProperty" -> properties.get(arguments[0]);
                    default -> throw new AssertionError(method);
                }));
    }
}
