package dev.limiter.cdi;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.limiter.Check;
import dev.limiter.Enforcement;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.DeploymentFailure;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.settings.RestProperties;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The settings of the limits of beans, which are those of all limits. */
class SettingsOfBeansTest {

    @ApplicationScoped
    static class Mail {
        @RateLimited(name = "mail", key = "{param:to|'none'}", algorithm = FIXED_WINDOW, limit = 2, window = "1h")
        public void send(String to) {}

        @RateLimited(
                name = "shadow",
                key = "'all'",
                algorithm = FIXED_WINDOW,
                limit = 1,
                window = "1h",
                enforcement = Enforcement.SHADOW)
        public void look() {}
    }

    @AfterEach
    void unset() {
        System.getProperties().keySet().removeIf(name -> name.toString().startsWith("limiter."));
    }

    private static long admitted(Beans beans) {
        return admitted(beans, "ann");
    }

    private static long admitted(Beans beans, String to) {
        return IntStream.range(0, 5)
                .filter(i -> {
                    try {
                        beans.get(Mail.class).send(to);
                        return true;
                    } catch (RateLimitExceededException rejected) {
                        return false;
                    }
                })
                .count();
    }

    @Test
    void policyHasTheLimitOfItsSetting() {
        System.setProperty("limiter.policy.mail.limit", "3");
        try (Beans beans = new Beans(Mail.class)) {
            assertThat(admitted(beans)).isEqualTo(3);
            assertThat(beans.get(DeployedLimits.class).policy("mail").limit()).isEqualTo(3);
        }
    }

    /** A job may call, and no request; each look has a partition of its own. */
    @Test
    void changedSettingIsInForceWithTheCallsThatFollow() {
        try (Beans beans = new Beans(Mail.class)) {
            assertThat(admitted(beans)).isEqualTo(2);
            System.setProperty("limiter.policy.mail.limit", "3");
            AtomicInteger look = new AtomicInteger();
            await().until(() -> admitted(beans, "look " + look.incrementAndGet()) == 3);
        }
    }

    @Test
    void nothingIsCountedIfLimitsAreNotEnabled() {
        System.setProperty("limiter.enabled", "false");
        try (Beans beans = new Beans(Mail.class)) {
            assertThat(admitted(beans)).isEqualTo(5);
        }
    }

    @ApplicationScoped
    static class Meters {
        @Produces
        @ApplicationScoped
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    /** So that a dashboard shows a limit that nobody has met yet. */
    @Test
    void policyIsMeasuredFromTheStart() {
        try (Beans beans = new Beans(Mail.class, Meters.class)) {
            assertThat(beans.get(MeterRegistry.class).getMeters())
                    .anySatisfy(
                            meter -> assertThat(meter.getId().getTag("policy")).isEqualTo("mail"));
        }
    }

    /** A call outside of a request has no address. */
    @Test
    void callThatHasNoAddressIsNotExempt() {
        System.setProperty("limiter.exempt-addresses", "192.0.2.0/24");
        try (Beans beans = new Beans(Mail.class)) {
            assertThat(admitted(beans)).isEqualTo(2);
        }
    }

    /** As on WildFly, which starts both at a time: Jakarta REST has not told its runtime yet. */
    @Test
    void beanThatAsksWhileJakartaRestStartsHasItsRuntime() {
        try (Beans beans = new Beans()) {
            ApplicationRuntime ofRest = ApplicationRuntime.ofApplication(
                    ServerContext.withoutServlets(null), RestProperties.NONE, new DeploymentFailure());
            assertThat(beans.get(ApplicationRuntime.class)).isSameAs(ofRest);
            ofRest.close();
        }
    }

    @Test
    void shadowRejectsNothing() {
        try (Beans beans = new Beans(Mail.class)) {
            for (int i = 0; i < 3; i++) {
                beans.get(Mail.class).look();
            }
        }
    }

    @Test
    void settingThatCannotBeUsedFailsTheStart() {
        System.setProperty("limiter.policy.mail.limit", "many");
        assertThatThrownBy(() -> new Beans(Mail.class).close())
                .hasStackTraceContaining("limiter.policy.mail.limit")
                .hasStackTraceContaining("many");
    }

    @ApplicationScoped
    static class Wrong {
        @RateLimited(key = "{usr|'none'}", algorithm = FIXED_WINDOW, limit = 2, window = "1h")
        public void send() {}
    }

    /** A build does not have the settings of the place where the application will run. */
    @Test
    void settingThatCannotBeUsedHidesNoWrongDeclaration() {
        System.setProperty("limiter.enabled", "perhaps");
        assertThatThrownBy(() -> new Beans(Wrong.class).close())
                .hasStackTraceContaining("@RateLimited.key on Wrong.send: unknown name \"usr\"");
    }

    @Test
    void operatorsSeeThePartitionOfAStatedCaller() {
        try (Beans beans = new Beans(Mail.class)) {
            DeployedLimits limits = beans.get(DeployedLimits.class);
            beans.get(Mail.class).send("ann");
            Check ann = limits.check("mail", Map.of("param:to", "ann")).orElseThrow();
            assertThat(limits.limiter().peek(ann.policy(), ann.key()).remaining())
                    .isEqualTo(1);
        }
    }
}
