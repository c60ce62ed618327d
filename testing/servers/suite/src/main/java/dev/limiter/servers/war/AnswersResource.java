package dev.limiter.servers.war;

import static dev.limiter.Enforcement.SHADOW;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;

/** Responses of every kind that clients can get. */
@Path("answers")
public class AnswersResource {

    @GET
    @Path("once")
    @RateLimited(name = "once", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 1, window = "1h")
    public String once() {
        return "once";
    }

    @GET
    @Path("shadowed")
    @RateLimited(
            name = "shadow",
            key = "'all'",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 1,
            window = "1h",
            enforcement = SHADOW)
    public String shadowed() {
        return "shadowed";
    }

    /** A shadow beside a limit that is enforced. */
    @GET
    @Path("beside")
    @RateLimited(
            name = "shadow",
            key = "'all'",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 1,
            window = "1h",
            enforcement = SHADOW)
    @RateLimited(name = "enforced", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String beside() {
        return "beside";
    }

    /** Two policies, of which configuration publishes the second only. */
    @GET
    @Path("unpublished")
    @RateLimited(name = "hidden", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 1, window = "1h")
    @RateLimited(name = "shown", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public String unpublished() {
        return "unpublished";
    }

    /** Nothing of it is published. */
    @GET
    @Path("secret")
    @RateLimited(name = "hidden", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 1, window = "1h")
    public String secret() {
        return "secret";
    }

    @GET
    @Path("unchanged")
    @RateLimited(name = "unchanged", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 10, window = "1h")
    public Response unchanged() {
        return Response.notModified().build();
    }

    @GET
    @Path("costly")
    @RateLimited(
            name = "costly",
            key = "'all'",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 100,
            window = "1h",
            cost = "{query:size|'20'}")
    public String costly() {
        return "costly";
    }

    @POST
    @Path("upload")
    @RateLimited(name = "once", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 1, window = "1h")
    public String upload(byte[] body) {
        return body.length + " bytes";
    }
}
