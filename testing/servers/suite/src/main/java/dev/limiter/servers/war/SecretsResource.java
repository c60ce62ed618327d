package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.Refill;
import jakarta.ws.rs.CookieParam;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** Counts secret values of callers, in every kind of state. */
@Path("secrets")
public class SecretsResource {

    /** A limit for each source of a value and each algorithm; in flight until a test lets go. */
    @POST
    @Path("all/{account}")
    @RateLimited(name = "of-user", key = "{user}", algorithm = Algorithm.FIXED_WINDOW, limit = 9, window = "1h")
    @RateLimited(name = "of-ip", key = "{ip}", algorithm = Algorithm.SLIDING_WINDOW, limit = 9, window = "1h")
    @RateLimited(
            name = "of-header",
            key = "{header:X-Api-Key}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 9,
            window = "1h")
    @RateLimited(name = "of-form", key = "{form:email~fold}", algorithm = Algorithm.GCRA, limit = 9, window = "1h")
    @RateLimited(
            name = "of-cookie",
            key = "{cookie:session}",
            algorithm = Algorithm.TOKEN_BUCKET,
            limit = 9,
            window = "1h")
    @RateLimited(
            name = "of-query",
            key = "{query:phone}",
            algorithm = Algorithm.TOKEN_BUCKET,
            refill = Refill.INTERVAL,
            limit = 9,
            window = "1h")
    @RateLimited(name = "of-path", key = "{path:account}", algorithm = Algorithm.UNIFORM, limit = 1, window = "1h")
    @RateLimited(
            name = "of-claim",
            key = "{claim:tenant}",
            algorithm = Algorithm.LEAKY_BUCKET,
            limit = 9,
            window = "1h",
            maxWait = "1h")
    @RateLimited(name = "of-bean", key = "{bean:tenantKey}", algorithm = Algorithm.GCRA, limit = 9, window = "1h")
    @RateLimited(
            name = "of-flight",
            key = "#{user.name}/{attribute:shelf}",
            algorithm = Algorithm.CONCURRENCY,
            limit = 9)
    public String all() {
        Gate.await();
        return "done";
    }

    @GET
    @Path("query")
    @RateLimited(name = "ofQuery", key = "{query:q}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String query() {
        return "query";
    }

    @GET
    @Path("cookie")
    @RateLimited(name = "ofCookie", key = "{cookie:c}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String cookie(@CookieParam("c") String value) {
        return "cookie";
    }

    @POST
    @Path("form")
    @RateLimited(name = "ofForm", key = "{form:f~fold}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String form(@FormParam("f") String value) {
        return "form";
    }

    /** Two values of the caller beside each other. */
    @GET
    @Path("pair")
    @RateLimited(
            name = "pair",
            key = "{header:A}:{header:B}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String pair() {
        return "pair";
    }

    /** Fails with the value of the caller, which is no number. */
    @GET
    @Path("number")
    @RateLimited(
            name = "number",
            key = "#{request.header('X-Api-Key') + 1}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String number() {
        return "number";
    }

    /** The same of a path. */
    @GET
    @Path("number/{number}")
    @RateLimited(
            name = "pathNumber",
            key = "#{request.pathParameter('number') + 1}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String pathNumber() {
        return "number";
    }
}
