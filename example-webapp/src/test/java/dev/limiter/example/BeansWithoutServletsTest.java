package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.RateLimitFeature;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.bootstrap.LimiterExtension;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import org.glassfish.jersey.ext.cdi1x.internal.CdiComponentProvider;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ResourceConfig;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Jersey and Weld as servers without servlets run them: each request has a request scope, and no
 * servlet container knows it. The API of servlets is on the class path.
 */
class BeansWithoutServletsTest {
    private static final URI BASE = URI.create("http://localhost/");

    private final WeldContainer cdi = new Weld()
            .disableDiscovery()
            .extensions(new LimiterExtension(), new CdiComponentProvider())
            .beanClasses(BeansWithoutServletsTest.class)
            .initialize();

    private final RateLimits injected = cdi.select(RateLimits.class).get();
    private final DeployedLimits deployed = cdi.select(DeployedLimits.class).get();

    /** Limited, and not limited. */
    @Path("shelves")
    public class Shelves {
        @GET
        @RateLimited(name = "shelves", key = "{ip}", algorithm = Algorithm.SLIDING_LOG, limit = 2, window = "1h")
        public String get() {
            return "left: " + injected.remaining("shelves");
        }

        @GET
        @Path("book")
        public String book() {
            injected.acquire("shelves", "book");
            return "lent";
        }
    }

    @AfterEach
    void stop() {
        cdi.close();
    }

    @Test
    void theRequestOfThisThreadIsFound() {
        ApplicationHandler jersey = start();
        assertThat(answer(jersey, "shelves")).isEqualTo("200 left: 1");
        assertThat(answer(jersey, "shelves")).isEqualTo("200 left: 0");
        assertThat(answer(jersey, "shelves")).startsWith("429 ");
    }

    @Test
    void aMethodWithoutLimitsAsksPolicies() {
        ApplicationHandler jersey = start();
        assertThat(answer(jersey, "shelves/book")).isEqualTo("200 lent");
        assertThat(answer(jersey, "shelves/book")).isEqualTo("200 lent");
        assertThat(answer(jersey, "shelves/book")).startsWith("429 ");
    }

    @Test
    void outsideOfARequestTheErrorSaysWhatToInject() {
        start();
        assertThatThrownBy(() -> injected.remaining("shelves"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("there is no request here")
                .hasMessageContaining("inject DeployedLimits into a job");
    }

    /** CDI beside Jersey, which does not know it. */
    @Test
    void withoutARequestScopeTheLimitsHoldAllTheSame() throws Exception {
        ApplicationHandler jersey = start();
        assertThat(jersey.apply(request(jersey, "shelves/nothing")).get().getStatus())
                .isEqualTo(404);
    }

    @Test
    void aJobFindsTheLimitsOfTheApplication() {
        assertThatThrownBy(() -> deployed.policy("shelves"))
                .hasMessageContaining("it has not started yet, or its start was refused");
        start();
        assertThat(deployed.policy("shelves").limit()).isEqualTo(2);
    }

    @Test
    void ofSeveralApplicationsAJobIsToldThatThereAreSeveral() {
        start();
        start();
        assertThatThrownBy(() -> deployed.policy("shelves"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("several applications of Jakarta REST have limits of their own");
    }

    /** They share the limiter's bean, which has one set of settings. */
    @Test
    void severalApplicationsHaveTheSameSettings() {
        start("limiter.lease", "20s");
        start("limiter.lease", "20s");
        assertThatThrownBy(() -> start("limiter.lease", "40s"))
                .hasMessageStartingWith("limiter.lease: is a property of Jakarta REST, which starts after the limiter");
    }

    /** The second would count in the Redis of the first. */
    @Test
    void anApplicationWithoutThePropertiesOfTheFirstIsRefused() {
        start("limiter.application", "shop");
        assertThatThrownBy(this::start)
                .hasMessage(
                        "limiter.application: is a property of another application of Jakarta REST, whose limiter"
                                + " this one shares; set it for both, or write it into META-INF/microprofile-config.properties");
    }

    private ApplicationHandler start() {
        return start("any.other", "property");
    }

    private ApplicationHandler start(String property, String value) {
        ClientAddress address = request -> "192.0.2.1";
        return new ApplicationHandler(new ResourceConfig()
                .register(new Shelves())
                .register(RateLimitFeature.class)
                .property(ClientAddress.class.getName(), address)
                .property(property, value));
    }

    private String answer(ApplicationHandler jersey, String path) {
        RequestContextController scope =
                cdi.select(RequestContextController.class).get();
        scope.activate();
        try {
            var response = jersey.apply(request(jersey, path)).get();
            return response.getStatus() + " " + response.getEntity();
        } catch (Exception failed) {
            throw new AssertionError(failed);
        } finally {
            scope.deactivate();
        }
    }

    private static ContainerRequest request(ApplicationHandler jersey, String path) {
        return new ContainerRequest(
                BASE, BASE.resolve(path), "GET", null, new MapPropertiesDelegate(), jersey.getConfiguration());
    }
}
