import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.OnStoreFailure.CLOSED;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;

/**
 * Ten attempts close an account. A right password forgets the wrong ones, and a solved challenge
 * opens a closed account, three times a day. If {@code attempts} had {@code countOn}, each request
 * that is under way during {@code forgive} could let one more guess pass.
 */
@Path("account")
@RequestScoped
public class AccountResource {
    @Inject
    RateLimits limits;

    @POST
    @Path("login")
    @RateLimited(name = "attempts", key = "{form:username~fold}", algorithm = SLIDING_LOG,
            limit = 10, window = "15m",
            onStoreFailure = CLOSED)
    @RateLimited(name = "attempts-address", key = "{ip}", algorithm = SLIDING_LOG, limit = 50, window = "10m",
            countOn = "401", onStoreFailure = CLOSED)
    public Response login(@FormParam("username") String name, @FormParam("password") String password) {
        if (!"correct horse".equals(password)) {
            return Response.status(401).entity("no").build();
        }
        limits.forgive("attempts"); // as if there had been none
        return Response.ok("welcome, " + name).build();
    }

    @POST
    @Path("challenge")
    @RateLimited(name = "challenges-address", key = "{ip}", algorithm = SLIDING_LOG, limit = 20, window = "1d",
            onStoreFailure = CLOSED)
    @RateLimited(name = "challenges", key = "{form:username~fold}", algorithm = SLIDING_LOG, limit = 3, window = "1d",
            onStoreFailure = CLOSED)
    @RateLimited(name = "attempts", key = "{form:username~fold}", algorithm = SLIDING_LOG,
            limit = 10, window = "15m",
            cost = "0", onStoreFailure = CLOSED) // chooses the account, rejects none
    public Response challenge(@FormParam("username") String name, @FormParam("answer") String answer) {
        if (!"42".equals(answer)) { // of a CAPTCHA, or of a mail to the owner
            return Response.status(403).entity("wrong").build();
        }
        limits.forgive("attempts");
        return Response.ok("try again, " + name).build();
    }
}
