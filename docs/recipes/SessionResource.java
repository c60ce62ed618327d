import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.OnStoreFailure.CLOSED;
import static dev.limiter.Stage.BEFORE_AUTHENTICATION;
import static java.text.Normalizer.Form.NFKC;

import dev.limiter.RateLimited;
import dev.limiter.jaxrs.RateLimits;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import java.text.Normalizer;
import java.util.Locale;

/** A log-in by JSON: five attempts close an account, and a right password forgets the wrong ones. */
@Path("sessions")
@RequestScoped
public class SessionResource {
    @Inject
    RateLimits limits;

    public record Credentials(String name, String password) {}

    @POST
    @Consumes("application/json")
    @RateLimited(name = "session-address", key = "{ip}", algorithm = SLIDING_LOG, limit = 50, window = "10m",
            countOn = "401", stage = BEFORE_AUTHENTICATION, onStoreFailure = CLOSED)
    public Response logIn(Credentials caller) {
        if (caller == null || caller.name() == null) {
            return Response.status(401).entity("no").build();
        }
        String account = Normalizer.normalize(caller.name(), NFKC).strip().toLowerCase(Locale.ROOT);
        limits.acquire("session-account", account); // or throws the 429
        if (!"correct horse".equals(caller.password())) { // yours: that of the account
            return Response.status(401).entity("no").build();
        }
        limits.forgive("session-account");
        return Response.ok("welcome, " + account).build();
    }
}
