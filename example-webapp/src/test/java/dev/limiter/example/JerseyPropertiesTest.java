package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.Endpoint;
import dev.limiter.jaxrs.RateLimitFeature;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.net.URI;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.process.Inflector;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.model.Resource;
import org.junit.jupiter.api.Test;

/** Settings that a Jersey in the process of its application has as properties. */
class JerseyPropertiesTest {
    private static final URI BASE = URI.create("http://localhost/");

    @Test
    void aPropertyChangesALimit() throws Exception {
        ApplicationHandler jersey = new ApplicationHandler(started().property("limiter.policy.guarded.limit", 2));
        assertThat(status(jersey)).isEqualTo(200);
        assertThat(status(jersey)).isEqualTo(200);
        assertThat(status(jersey)).isEqualTo(429);
    }

    @Test
    void wrongPropertiesAreAllNamedAsSuch() {
        ResourceConfig wrong =
                application().property("limiter.lease", "20").property("limiter.redis.url", "redis://localhost");
        assertThatThrownBy(() -> new ApplicationHandler(wrong))
                .hasMessageContaining("limiter.lease: \"20\" is not a duration")
                .hasMessageContaining("limiter.redis.url: no such setting; the nearest is \"limiter.redis.uri\"")
                .satisfies(refused -> assertThat(refused.getMessage().lines())
                        .hasSize(2)
                        .allMatch(line -> line.endsWith(" (a property of Jakarta REST)")));
    }

    @Test
    void aPropertyForAPolicyThatIsNotThereIsRefusedAtTheStart() {
        ResourceConfig wrong = started().property("limiter.policy.guardd.limit", 2);
        assertThatThrownBy(() -> new ApplicationHandler(wrong))
                .hasMessageContaining(
                        "limiter.policy.guardd.limit: no policy of this application has that name; did you"
                                + " mean \"guarded\"?");
    }

    /** As those of an actuator that Jersey serves. */
    @Test
    void whatABuilderMadeIsNamedByItsPathAndCanBeExempt() {
        assertThatThrownBy(() -> new ApplicationHandler(withBuiltResources("/else")))
                .hasMessageContaining("2 of 3 endpoints have neither a limit nor @RateLimitExempt: ")
                .hasMessageContaining("POST /actuator/loggers (")
                .hasMessageContaining("GET /actuator/loggers/{name} (")
                .hasMessageEndingWith("(paths of libraries: limiter.require-limits.exempt)");
        ApplicationHandler jersey = new ApplicationHandler(withBuiltResources("/actuator"));
        DeployedLimits limits = (DeployedLimits) jersey.getConfiguration().getProperty(DeployedLimits.class.getName());
        assertThat(limits.withoutLimits()).isEmpty();
        assertThat(limits.endpoints()).hasSize(3).anyMatch(each -> each.coverage() == Endpoint.Coverage.EXEMPT);
    }

    private static ResourceConfig withBuiltResources(String exempt) {
        Resource.Builder loggers = Resource.builder("actuator/loggers");
        loggers.addMethod("POST").handledBy(new Inflecting());
        loggers.addChildResource("{name}").addMethod("GET").handledBy(new Inflecting());
        return started()
                .registerResources(loggers.build())
                .property("limiter.require-limits", "fail")
                .property("limiter.require-limits.exempt", exempt);
    }

    /** Answers for a resource that a builder makes. */
    private static final class Inflecting implements Inflector<ContainerRequestContext, String> {
        @Override
        public String apply(ContainerRequestContext request) {
            return "levels";
        }
    }

    private static ResourceConfig started() {
        ClientAddress client = request -> "192.0.2.1";
        return application().property(ClientAddress.class.getName(), client);
    }

    private static ResourceConfig application() {
        return new ResourceConfig(WithoutServletsTest.Guarded.class).register(RateLimitFeature.class);
    }

    private static int status(ApplicationHandler jersey) throws Exception {
        return jersey.apply(new ContainerRequest(
                        BASE,
                        BASE.resolve("guarded"),
                        "GET",
                        null,
                        new MapPropertiesDelegate(),
                        jersey.getConfiguration()))
                .get()
                .getStatus();
    }
}
