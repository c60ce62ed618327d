package dev.limiter.cdi;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.RateLimitFeature;
import dev.limiter.jaxrs.RateLimits;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.SecurityContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.util.List;
import java.util.stream.IntStream;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Beans that resources of Jakarta REST call: they share the limiter, the user and the response. */
class RequestsAndBeansTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @ApplicationScoped
    static class Mail {
        @Inject
        RateLimits limits;

        @RateLimited(name = "mail", key = "{user|'nobody'}", algorithm = FIXED_WINDOW, limit = 2, window = "1h")
        public String send() {
            return limits.remaining("mail") + " " + limits.decisions().size();
        }

        @RateLimited(name = "both", key = "'all'", algorithm = FIXED_WINDOW, limit = 3, window = "1h")
        public void share() {}
    }

    /** Jersey is given it, with the beans that it calls. */
    @Path("mail")
    public record Resource(Mail mail, RateLimits limits) {
        @GET
        @Path("limited")
        @RateLimited(name = "resource", key = "{user|ip}", algorithm = FIXED_WINDOW, limit = 5, window = "1h")
        public String limited() {
            String inside = mail.send();
            return inside + " " + limits.remaining("resource");
        }

        @GET
        @Path("unlimited")
        public String unlimited() {
            return mail.send();
        }

        @GET
        @Path("both")
        @RateLimited(name = "both", key = "'all'", algorithm = FIXED_WINDOW, limit = 3, window = "1h")
        public String both() {
            mail.share();
            return "shared";
        }
    }

    /** Names the caller as a header says, after the contexts of CDI that a server would begin. */
    @PreMatching
    @Priority(-1)
    public record Server(RequestContextController requests) implements ContainerRequestFilter, ContainerResponseFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            requests.activate();
        }

        @Override
        public void filter(ContainerRequestContext request, ContainerResponseContext response) {
            requests.deactivate();
        }
    }

    @Priority(Priorities.AUTHENTICATION)
    public static class Users implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            String name = request.getHeaderString("X-User");
            request.setSecurityContext(new User(name == null ? null : () -> name));
        }
    }

    private record User(Principal principal) implements SecurityContext {
        @Override
        public Principal getUserPrincipal() {
            return principal;
        }

        @Override
        public boolean isUserInRole(String role) {
            return false;
        }

        @Override
        public boolean isSecure() {
            return false;
        }

        @Override
        public String getAuthenticationScheme() {
            return BASIC_AUTH;
        }
    }

    private Beans beans;
    private HttpServer server;

    @BeforeEach
    void starts() {
        beans = new Beans(Mail.class);
        ClientAddress address = request -> "192.0.2.1";
        ResourceConfig application = new ResourceConfig()
                .register(new Server(beans.get(RequestContextController.class)))
                .register(Users.class)
                .register(RateLimitFeature.class)
                .register(new Resource(beans.get(Mail.class), beans.get(RateLimits.class)))
                .property(ClientAddress.class.getName(), address)
                .property("jersey.config.server.wadl.disableWadl", true);
        server = JdkHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), application, true);
    }

    @AfterEach
    void ends() {
        server.stop(0);
        beans.close();
    }

    private HttpResponse<String> get(String path, String user) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mail/" + path));
        if (user != null) {
            request.header("X-User", user);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private List<Integer> statuses(int times, String path, String user) {
        return IntStream.range(0, times)
                .mapToObj(i -> {
                    try {
                        return get(path, user).statusCode();
                    } catch (Exception failed) {
                        throw new AssertionError(failed);
                    }
                })
                .toList();
    }

    @Test
    void rejectionWithinARequestIs429WithTheTimeToComeBack() throws Exception {
        assertThat(statuses(2, "unlimited", "ann")).containsExactly(200, 200);
        HttpResponse<String> third = get("unlimited", "ann");
        assertThat(third.statusCode()).isEqualTo(429);
        assertThat(third.headers().firstValueAsLong("Retry-After").orElse(0)).isBetween(1L, 3600L);
        assertThat(third.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(third.body()).contains("\"mail\"");
    }

    @Test
    void userIsThatOfTheRequestAlsoIfItsMethodHasNoLimit() {
        assertThat(statuses(3, "unlimited", "ann")).containsExactly(200, 200, 429);
        assertThat(statuses(3, "unlimited", "bob")).containsExactly(200, 200, 429);
        assertThat(statuses(3, "unlimited", null)).containsExactly(200, 200, 429);
        assertThatExceptionOfType(RateLimitExceededException.class)
                .as("outside of a request there is no user either")
                .isThrownBy(() -> beans.get(Mail.class).send());
    }

    @Test
    void limitedResourceThatCallsALimitedBeanCountsEachOnce() throws Exception {
        assertThat(get("limited", "ann").body()).isEqualTo("1 1 4");
        assertThat(get("limited", "ann").body()).isEqualTo("0 1 3");
        assertThat(statuses(4, "limited", "ann")).containsExactly(429, 429, 429, 429);
        assertThat(get("limited", "ann").body()).contains("\"resource\"");
    }

    @Test
    void oneNameIsOneBucketForResourcesAndBeans() {
        assertThat(statuses(2, "both", "ann")).containsExactly(200, 429);
    }

    @Test
    void limitsOfBothAreThoseOfTheApplication() {
        assertThat(beans.get(DeployedLimits.class).policyNames()).containsExactly("both", "mail", "resource");
    }
}
