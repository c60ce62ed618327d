package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.StreamingOutput;
import java.nio.charset.StandardCharsets;

/** Requests that last until a test lets them go; of each kind one at a time. */
@Path("lasting/{kind}")
@RateLimited(name = "lasting", key = "{path:kind}", algorithm = Algorithm.CONCURRENCY, limit = 1)
public class LastingResource {

    @GET
    @Path("plain")
    public String plain(@PathParam("kind") String kind) {
        Gate.await();
        return "plain";
    }

    @GET
    @Path("async")
    public void async(@Suspended AsyncResponse response) {
        Gate.whenOpen(() -> response.resume("async"));
    }

    @GET
    @Path("stream")
    public StreamingOutput stream() {
        return output -> {
            output.write("first ".getBytes(StandardCharsets.UTF_8));
            output.flush();
            Gate.await();
            output.write("last".getBytes(StandardCharsets.UTF_8));
        };
    }
}
