package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.DeployedLimits;
import io.quarkus.test.QuarkusUnitTest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Settings name limits of beans beside those of resources. */
class SettingsOfBeansTest {
    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = new QuarkusUnitTest()
            .withApplicationRoot(jar -> jar.addClasses(Limited.class, Mail.class))
            .overrideConfigKey("limiter.policy.mail.limit", "5");

    @Path("limited")
    public static class Limited {
        @GET
        @RateLimited(name = "limited", key = "{ip}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        public String get() {
            return "";
        }
    }

    @ApplicationScoped
    public static class Mail {
        @RateLimited(name = "mail", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        public void send() {}
    }

    @Inject
    DeployedLimits limits;

    @Inject
    Mail mail;

    @Test
    void limitOfABeanHasItsSetting() {
        mail.send();
        assertThat(limits.policy("mail").limit()).isEqualTo(5);
    }
}
