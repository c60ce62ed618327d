package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Stage.BEFORE_AUTHENTICATION;

import dev.limiter.RateLimited;
import io.quarkus.security.Authenticated;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Methods that limit guesses of passwords, or that know their caller. */
@Path("login")
public class Login {
    private static String thread() {
        return Thread.currentThread().getName();
    }

    @GET
    @Path("method")
    @Authenticated
    @RateLimited(
            name = "method",
            key = "{ip}",
            algorithm = FIXED_WINDOW,
            limit = 3,
            window = "1d",
            stage = BEFORE_AUTHENTICATION)
    public String method() {
        return thread();
    }

    @GET
    @Path("uni")
    @Authenticated
    @RateLimited(
            name = "uni",
            key = "{ip}",
            algorithm = FIXED_WINDOW,
            limit = 3,
            window = "1d",
            stage = BEFORE_AUTHENTICATION)
    public Uni<String> uni() {
        return Uni.createFrom().item(Login::thread);
    }

    @GET
    @Path("guesses")
    @Authenticated
    @RateLimited(
            name = "guesses",
            key = "{ip}",
            algorithm = FIXED_WINDOW,
            limit = 3,
            window = "1d",
            countOn = "401",
            stage = BEFORE_AUTHENTICATION)
    public Uni<String> guesses() {
        return Uni.createFrom().item(Login::thread);
    }

    @Path("sub")
    public Object sub() {
        return new Sub();
    }

    public static class Sub {
        @GET
        @Authenticated
        @RateLimited(
                name = "sub",
                key = "{ip}",
                algorithm = FIXED_WINDOW,
                limit = 3,
                window = "1d",
                stage = BEFORE_AUTHENTICATION)
        public Uni<String> get() {
            return Uni.createFrom().item(Login::thread);
        }
    }

    @Path("described")
    @RateLimited(
            name = "described",
            key = "{ip}",
            algorithm = FIXED_WINDOW,
            limit = 3,
            window = "1d",
            stage = BEFORE_AUTHENTICATION)
    public interface Described {
        @GET
        @Authenticated
        Uni<String> get();
    }

    public static class Describing implements Described {
        @Override
        @Authenticated
        public Uni<String> get() {
            return Uni.createFrom().item(Login::thread);
        }
    }

    @GET
    @Path("who")
    @RateLimited(name = "who", key = "{user|ip}", algorithm = FIXED_WINDOW, limit = 2, window = "1d")
    public Uni<String> who() {
        return Uni.createFrom().item(Login::thread);
    }

    @GET
    @Path("anybody")
    @RateLimited(name = "anybody", key = "{ip}", algorithm = FIXED_WINDOW, limit = 2, window = "1d")
    public Uni<String> anybody() {
        return Uni.createFrom().item(Login::thread);
    }

    @GET
    @Path("address")
    @RateLimited(name = "address", key = "{ip}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
    public String address() {
        return thread();
    }
}
