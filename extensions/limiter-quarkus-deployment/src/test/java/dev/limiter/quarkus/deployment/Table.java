package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.LEAKY_BUCKET;

import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import dev.limiter.Tier;
import dev.limiter.jaxrs.KeyResolver;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.RateLimits;
import io.quarkus.security.Authenticated;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One method for each kind of method, key and answer. */
@Path("table")
public class Table {
    @Inject
    RateLimits limits;

    @Inject
    Mails mails;

    private static String thread() {
        return Thread.currentThread().toString();
    }

    @GET
    @Path("free")
    public Uni<String> free() {
        return Uni.createFrom().item(Table::thread);
    }

    @GET
    @Path("blocking")
    @RateLimited(name = "blocking", key = "{ip}", algorithm = FIXED_WINDOW, limit = 3, window = "1d")
    public String blocking() {
        return thread();
    }

    @GET
    @Path("uni")
    @RateLimited(name = "uni", key = "{user|ip}", algorithm = FIXED_WINDOW, limit = 3, window = "1d")
    public Uni<String> uni() {
        return Uni.createFrom().item(Table::thread);
    }

    @GET
    @Path("stage")
    @RateLimited(name = "stage", key = "{ip}", algorithm = FIXED_WINDOW, limit = 3, window = "1d")
    public CompletionStage<String> stage() {
        return CompletableFuture.completedFuture(thread());
    }

    @GET
    @Path("multi")
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @RateLimited(name = "multi", key = "{ip}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
    public Multi<String> multi() {
        return Multi.createFrom().item(Table::thread);
    }

    @GET
    @Path("user")
    @Authenticated
    @RateLimited(name = "user", key = "{user}", algorithm = FIXED_WINDOW, limit = 2, window = "1d")
    public Uni<String> user() {
        return Uni.createFrom().item(Table::thread);
    }

    @GET
    @Path("claim")
    @Authenticated
    @RateLimited(
            name = "claim",
            key = "{claim:tenant}",
            algorithm = FIXED_WINDOW,
            limit = 1,
            window = "1d",
            tier = "{claim:plan}",
            tiers = @Tier(name = "gold", limit = 3))
    public Uni<String> claim() {
        return Uni.createFrom().item(Table::thread);
    }

    @GET
    @Path("status/{kind}/{status}")
    @RateLimited(
            name = "status",
            key = "{path:kind}",
            algorithm = FIXED_WINDOW,
            limit = 2,
            window = "1d",
            countOn = "401")
    public Response status(@PathParam("kind") String kind, @PathParam("status") int status) {
        return Response.status(status).entity(kind).build();
    }

    @GET
    @Path("status-uni/{kind}/{status}")
    @RateLimited(
            name = "status-uni",
            key = "{path:kind}",
            algorithm = FIXED_WINDOW,
            limit = 2,
            window = "1d",
            countOn = "401")
    public Uni<Response> statusOfUni(@PathParam("kind") String kind, @PathParam("status") int status) {
        return Uni.createFrom().item(() -> status(kind, status));
    }

    @GET
    @Path("unwritable")
    @Produces(MediaType.APPLICATION_JSON)
    @RateLimited(name = "unwritable", key = "{ip}", algorithm = FIXED_WINDOW, limit = 1, window = "1d", countOn = "5xx")
    public Unwritable unwritable() {
        return new Unwritable();
    }

    public static class Unwritable {
        public String getText() {
            throw new IllegalStateException("cannot be written, on purpose");
        }
    }

    @GET
    @Path("failing")
    @RateLimited(name = "failing", key = "{ip}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
    public Uni<String> failing() {
        return Uni.createFrom().failure(new IllegalStateException("on purpose"));
    }

    @GET
    @Path("slot")
    @RateLimited(name = "slot", key = "{ip}", algorithm = LEAKY_BUCKET, limit = 2, window = "1s", maxWait = "10s")
    public Uni<String> slot() {
        return Uni.createFrom().item(Table::thread);
    }

    @GET
    @Path("bean")
    @RateLimited(name = "bean", key = "{bean:tenant}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
    public Uni<String> bean() {
        return Uni.createFrom().item(Table::thread);
    }

    @POST
    @Path("form")
    @RateLimited(name = "form", key = "{form:username}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
    public String form(@FormParam("username") String user) {
        return user + ' ' + thread();
    }

    @POST
    @Path("form-uni")
    @RateLimited(name = "form-uni", key = "{form:username}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
    public Uni<String> formOfUni(@FormParam("username") String user) {
        return Uni.createFrom().item(() -> user + ' ' + thread());
    }

    @POST
    @Path("form-body")
    @RateLimited(name = "form-body", key = "{form:username}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
    public Uni<String> formAsBody(String body) {
        return Uni.createFrom().item(() -> body + ' ' + thread());
    }

    @GET
    @Path("code/{account}")
    public String code(@PathParam("account") String account) {
        limits.acquire("account", account);
        return thread();
    }

    /** On the event loop, where nothing may wait. */
    @GET
    @Path("code-uni/{account}")
    public Uni<String> codeOfUni(@PathParam("account") String account) {
        return Uni.createFrom().item(() -> code(account));
    }

    @GET
    @Path("mail/{to}")
    public String mail(@PathParam("to") String to) {
        return mails.send(to);
    }

    @GET
    @Path("mail-uni/{to}")
    public Uni<String> mailOfUni(@PathParam("to") String to) {
        return mails.sendLater(to);
    }

    @ApplicationScoped
    public static class Mails {
        @RateLimited(name = "mail", key = "{param:to|'none'}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        public String send(String to) {
            return thread();
        }

        @RateLimited(name = "later", key = "{param:to|'none'}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        public Uni<String> sendLater(String to) {
            return Uni.createFrom().item(Table::thread);
        }
    }

    /** An endpoint whose annotations are on what it implements. */
    @Path("interface")
    @RateLimited(name = "interface", key = "{ip}", algorithm = FIXED_WINDOW, limit = 2, window = "1d")
    public interface Described<T> {
        @POST
        Uni<String> post(T body);

        @GET
        @RateLimited(name = "method-of-interface", key = "{ip}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        Uni<String> get();

        @GET
        @Path("exempt")
        @RateLimitExempt
        Uni<String> exempt();
    }

    public static class Describing implements Described<String> {
        @Override
        @RateLimited(name = "generic", key = "{ip}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        public Uni<String> post(String body) {
            return exempt();
        }

        @Override
        public Uni<String> get() {
            return exempt();
        }

        @Override
        public Uni<String> exempt() {
            return Uni.createFrom().item(Table::thread);
        }
    }

    @Named("tenant")
    @RequestScoped
    public static class Tenant implements KeyResolver {
        @Context
        HttpHeaders headers;

        @Override
        public String key(LimitedRequest request) {
            return headers.getHeaderString("Tenant");
        }
    }
}
