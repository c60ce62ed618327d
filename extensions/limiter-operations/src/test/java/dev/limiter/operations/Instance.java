package dev.limiter.operations;

import com.sun.net.httpserver.HttpServer;
import dev.limiter.Algorithm;
import dev.limiter.OnStoreFailure;
import dev.limiter.RateLimited;
import dev.limiter.Tier;
import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.RateLimitFeature;
import jakarta.annotation.Priority;
import jakarta.annotation.security.DenyAll;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.io.InputStream;
import java.net.URI;
import java.security.Principal;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

/**
 * An instance of an application, in this process or as a process of its own. Windows are long, so
 * that none ends in a test.
 */
public final class Instance implements AutoCloseable {
    static final String LISTENING = "listening ";

    private final HttpServer server;

    /** Methods with limits. */
    @Path("tickets")
    public static class Tickets {
        @GET
        @RateLimited(name = "buyer", key = "{user}", algorithm = Algorithm.GCRA, limit = 5, window = "1h")
        public String buy() {
            return "sold";
        }

        @GET
        @Path("many")
        @RateLimited(name = "many", key = "{user}", algorithm = Algorithm.FIXED_WINDOW, limit = 100000, window = "300d")
        public String many() {
            return "sold";
        }

        @GET
        @Path("tiered")
        @RateLimited(
                name = "tiered",
                key = "{user|ip}",
                algorithm = Algorithm.FIXED_WINDOW,
                limit = 3,
                window = "300d",
                tier = "{attribute:tier}",
                tiers = {@Tier(name = "gold", limit = 50), @Tier(name = "staff", unlimited = true)})
        public String tiered() {
            return "sold";
        }

        @GET
        @Path("login")
        @RateLimited(name = "login", key = "{user}", algorithm = Algorithm.FIXED_WINDOW, limit = 3, window = "300d")
        public String login() {
            return "welcome";
        }

        @GET
        @Path("plan")
        @RateLimited(
                name = "plan",
                key = "{user}",
                algorithm = Algorithm.FIXED_WINDOW,
                limit = 1000,
                window = "1 month",
                onStoreFailure = OnStoreFailure.CLOSED)
        public String plan() {
            return "used";
        }

        /** None of these keys says for certain who calls, and nothing else. */
        @GET
        @Path("keyed")
        @RateLimited(name = "header", key = "{header:X-Key|user}", algorithm = Algorithm.GCRA, limit = 5, window = "1h")
        @RateLimited(name = "cookie", key = "{user}/{cookie:c}", algorithm = Algorithm.GCRA, limit = 5, window = "1h")
        @RateLimited(name = "verb", key = "{user}/{verb}", algorithm = Algorithm.GCRA, limit = 5, window = "1h")
        public String keyed() {
            return "sold";
        }

        @GET
        @Path("show/{show}")
        @RateLimited(name = "show", key = "{path:show}", algorithm = Algorithm.SLIDING_LOG, limit = 9, window = "1h")
        public String show() {
            return "sold";
        }
    }

    /** The resource of operators. */
    @Path("limits")
    @RolesAllowed("operator")
    public static class Limits extends LimitsResource {}

    /** A method with a role of its own, and a method for no role. */
    @Path("strict")
    @RolesAllowed("operator")
    public static class StrictLimits extends LimitsResource {
        @Override
        @RolesAllowed("admin")
        public Response change(String policy, InputStream body) {
            return super.change(policy, body);
        }

        @Override
        @DenyAll
        public Response forgive(String policy) {
            return super.forgive(policy);
        }
    }

    /** As CDI makes one of {@link StrictLimits}: its methods have no annotations. */
    @Path("proxied")
    public static class ProxiedLimits extends StrictLimits {
        @Override
        public Response limits() {
            return super.limits();
        }

        @Override
        public Response change(String policy, InputStream body) {
            return super.change(policy, body);
        }

        @Override
        public Response forgive(String policy) {
            return super.forgive(policy);
        }
    }

    /** A resource for no role, whatever the methods have that it inherits. */
    @Path("closed")
    @RolesAllowed({})
    public static class ClosedLimits extends ProxiedLimits {}

    /** The resource of callers. */
    @Path("limits/me")
    public static class MyLimits extends CallerLimits {}

    /** Names the caller as a header says. */
    @Priority(Priorities.AUTHENTICATION)
    public static class Users implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            String name = request.getHeaderString("X-User");
            request.setSecurityContext(new User(name == null ? null : () -> name));
            request.setProperty("tier", request.getHeaderString("X-Tier"));
        }
    }

    private record User(Principal principal) implements SecurityContext {
        @Override
        public Principal getUserPrincipal() {
            return principal;
        }

        @Override
        public boolean isUserInRole(String role) {
            return principal != null && principal.getName().equals(role);
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

    /** @param settings of the limiter */
    public Instance(Map<String, String> settings) {
        this(new ResourceConfig(), settings);
    }

    /** @param application may have limits of its own */
    Instance(ResourceConfig application, Map<String, String> settings) {
        ClientAddress address =
                request -> request.header("X-Client") == null ? "192.0.2.1" : request.header("X-Client");
        application
                .registerClasses(
                        Tickets.class,
                        Limits.class,
                        StrictLimits.class,
                        ProxiedLimits.class,
                        ClosedLimits.class,
                        MyLimits.class,
                        Users.class)
                .register(RateLimitFeature.class)
                .property(ClientAddress.class.getName(), address)
                .property("jersey.config.server.wadl.disableWadl", true)
                .property("limiter.policy.login.ban", "1h after 20");
        settings.forEach(application::property);
        this.server = JdkHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), application, false);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    /** @param arguments settings, as name=value */
    public static void main(String[] arguments) throws Exception {
        Map<String, String> settings = new HashMap<>();
        for (String each : arguments) {
            settings.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
        }
        Instance instance = new Instance(settings);
        System.out.println(LISTENING + instance.port());
        while (System.in.read() >= 0) {
            // until the test ends
        }
        System.exit(0);
    }
}
