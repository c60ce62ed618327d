package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;

/** Keys of every kind, as far as {@link KeysResource} has not got them. */
@Path("expressions")
public class ExpressionsResource {

    @GET
    @Path("claim")
    @RateLimited(name = "claim", key = "{claim:tenant}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String claim() {
        return "claim";
    }

    @GET
    @Path("bean")
    @RateLimited(name = "bean", key = "{bean:tenantKey}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String bean() {
        return "bean";
    }

    @GET
    @Path("method")
    @RateLimited(
            name = "method",
            key = "#{request.header('X-Tenant')}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String method() {
        return "method";
    }

    @GET
    @Path("user")
    @RateLimited(name = "user", key = "#{user.name}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String user() {
        return "user";
    }

    @GET
    @Path("property")
    @RateLimited(
            name = "property",
            key = "#{visitor.group}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String property() {
        return "property";
    }

    @GET
    @Path("folded")
    @RateLimited(
            name = "folded",
            key = "{header:X-Name~fold}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String folded() {
        return "folded";
    }

    @GET
    @Path("attribute")
    @RateLimited(
            name = "attribute",
            key = "{attribute:shelf}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String attribute() {
        return "attribute";
    }

    @GET
    @Path("parts")
    @RateLimited(
            name = "parts",
            key = "{attribute:shelf}/#{user.name}-{header:X-Name|'nobody'}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 10,
            window = "1h")
    public String parts() {
        return "parts";
    }

    /** The form is for the method, too. */
    @POST
    @Path("form")
    @RateLimited(name = "form", key = "{form:name~fold}", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String form(@FormParam("name") String name, @FormParam("rest") String rest) {
        return name + " and " + (rest == null ? 0 : rest.length());
    }
}
