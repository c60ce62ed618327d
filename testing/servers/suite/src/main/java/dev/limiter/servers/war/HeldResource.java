package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A request that is in flight until another one lets it go. */
@Path("held")
public class HeldResource {
    private static final CountDownLatch LET_GO = new CountDownLatch(1);
    private static final int PATIENCE_SECONDS = 25;

    @GET
    @RateLimited(name = "held", key = "'all'", algorithm = Algorithm.CONCURRENCY, limit = 3)
    public String held() throws InterruptedException {
        return LET_GO.await(PATIENCE_SECONDS, TimeUnit.SECONDS) ? "let go" : "forgotten";
    }

    @PUT
    @Path("end")
    public void letGo() {
        LET_GO.countDown();
    }
}
