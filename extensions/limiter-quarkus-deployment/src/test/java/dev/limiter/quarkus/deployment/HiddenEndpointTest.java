package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimited;
import io.quarkus.resteasy.reactive.spi.AdditionalResourceClassBuildItem;
import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import org.jboss.jandex.Index;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Endpoints and limits that are not in the class which Quarkus matches, where limits are required. */
class HiddenEndpointTest {
    @RegisterExtension
    static final QuarkusUnitTest APPLICATION = new QuarkusUnitTest()
            .withApplicationRoot(jar -> jar.addClasses(Client.class))
            .overrideConfigKey("limiter.require-limits", "fail")
            .addBuildChainCustomizer(chain -> chain.addBuildStep(context -> {
                        try {
                            context.produce(new AdditionalResourceClassBuildItem(
                                    Index.singleClass(Controller.class), "controller"));
                        } catch (IOException impossible) {
                            throw new UncheckedIOException(impossible);
                        }
                    })
                    .produces(AdditionalResourceClassBuildItem.class)
                    .build());

    @TestHTTPResource
    URI root;

    /** As those of Spring Web, it has no path of Jakarta REST. */
    @ApplicationScoped
    public static class Controller {
        @GET
        @RateLimited(name = "controller", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        public String get() {
            return "controller";
        }

        @GET
        @Path("open")
        public String open() {
            return "open";
        }
    }

    public static class Plain {
        public String get() {
            return "plain";
        }

        public String limited(String what) {
            return what;
        }
    }

    @Path("api")
    public interface Api<T> {
        @GET
        String get();

        @POST
        @RateLimited(name = "api", key = "'all'", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        String limited(T what);
    }

    public static class Implemented extends Plain implements Api<String> {}

    @Test
    void limitOfAControllerHolds() {
        assertThat(new Client(root).statuses(2, "/controller")).doesNotContainSequence(200, 200);
    }

    @Test
    void controllerWithoutLimitIsRefused() {
        assertThat(new Client(root).get("/controller/open").statusCode()).isNotEqualTo(200);
    }

    @Test
    void limitOfAnInterfaceThatASuperClassImplementsHolds() {
        Client client = new Client(root);
        assertThat(client.post("/api", "a=b").statusCode()).isEqualTo(200);
        assertThat(client.post("/api", "a=b").statusCode()).isEqualTo(429);
    }

    @Test
    void methodOfASuperClassIsRefused() {
        assertThat(new Client(root).get("/api").statusCode()).isNotEqualTo(200);
    }
}
