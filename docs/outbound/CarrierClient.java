import dev.limiter.NotAdmittedException;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimiter;
import dev.limiter.outbound.RateLimitClientFeature;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.Entity;
import java.net.URI;

/** Sends parcels to a carrier, within the limit of the policy {@code carrier}. */
public record CarrierClient(Client client, URI carrier) {
    public static CarrierClient at(URI carrier, RateLimiter limiter) {
        RateLimitClientFeature limit = RateLimitClientFeature.of("carrier").using(limiter);
        return new CarrierClient(ClientBuilder.newClient().register(limit), carrier);
    }

    public String send(String parcel) {
        try {
            return client.target(carrier).request().post(Entity.text(parcel), String.class);
        } catch (ProcessingException failure) {
            NotAdmittedException refused = RateLimitClientFeature.notAdmittedIn(failure)
                    .orElseThrow(() -> failure); // the call was made, and failed
            return refused instanceof RateLimitExceededException rejected
                    ? "come again in " + rejected.rejection().retryAfter()
                    : "come again later"; // CLOSED, and Redis gave no answer
        }
    }
}
