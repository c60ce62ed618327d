package dev.limiter.servers.war;

import static dev.limiter.Enforcement.SHADOW;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotAuthorizedException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Form;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.atomic.AtomicInteger;

/** A log-in where only failures count: the password of all users is "right". */
@Path("login")
public class LoginResource {
    private static final AtomicInteger REACHED = new AtomicInteger();

    /** How many requests have reached a method. */
    @GET
    public String reached() {
        return String.valueOf(REACHED.get());
    }

    @DELETE
    public void forget() {
        REACHED.set(0);
    }

    @POST
    @RateLimited(
            name = "login",
            key = "{form:username~fold}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 5,
            window = "1h",
            countOn = "401")
    public Response logIn(@FormParam("username") String username, @FormParam("password") String password) {
        REACHED.incrementAndGet();
        return Response.status("right".equals(password) ? 200 : 401)
                .entity(String.valueOf(username))
                .build();
    }

    /** The same with one failure an hour, which is thrown. */
    @POST
    @Path("once")
    @RateLimited(
            name = "single",
            key = "{form:username~fold}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 1,
            window = "1h",
            countOn = "401")
    public String logInOnce(MultivaluedMap<String, String> form) {
        REACHED.incrementAndGet();
        if (!"right".equals(form.getFirst("password"))) {
            throw new NotAuthorizedException(
                    Response.status(401).entity("wrong").build());
        }
        return form.getFirst("username");
    }

    /** Shows the form by its parameters. */
    @POST
    @Path("parameters")
    @RateLimited(
            name = "parameters",
            key = "{form:username}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String parameters(@FormParam("username") String username, @FormParam("filler") String filler) {
        return username + " " + (filler == null ? "null" : filler.length());
    }

    /** Shows the form as a whole. */
    @POST
    @Path("map")
    @RateLimited(name = "map", key = "{form:username}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String map(MultivaluedMap<String, String> form) {
        String filler = form.getFirst("filler");
        return form.getFirst("username") + " " + (filler == null ? "null" : filler.length());
    }

    /** A form of its own, which some servers read from a body of any type. */
    @POST
    @Path("entity")
    @RateLimited(name = "entity", key = "{form:username}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String entity(Form form) {
        REACHED.incrementAndGet();
        return form.asMap().getFirst("username");
    }

    /** The same for forms alone: a body without a type matches, too. */
    @POST
    @Path("consumed")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @RateLimited(
            name = "consumed",
            key = "{form:username}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String consumed(Form form) {
        return entity(form);
    }

    /** Takes a body as it is. */
    @POST
    @Path("text")
    @RateLimited(name = "text", key = "{form:username}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String text(String body) {
        REACHED.incrementAndGet();
        return body;
    }

    /** Has a shadow limit. */
    @POST
    @Path("shadowed")
    @RateLimited(
            name = "shadowed",
            key = "{form:username}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h",
            enforcement = SHADOW)
    public String shadowed(@FormParam("username") String username, @FormParam("filler") String filler) {
        return username + " " + (filler == null ? "null" : filler.length());
    }

    @POST
    @Path("status/{status}")
    @RateLimited(
            name = "served",
            key = "'all'",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h",
            countOn = "!5xx")
    public Response status(@PathParam("status") int status) {
        return Response.status(status).entity("as told").build();
    }
}
