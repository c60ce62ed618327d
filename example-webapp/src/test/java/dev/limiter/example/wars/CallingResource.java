package dev.limiter.example.wars;

import dev.limiter.outbound.RateLimitClientFeature;
import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;

/** Calls a partner, as configuration and the application's own limiter let it. */
@Path("calls")
@RequestScoped
public class CallingResource {
    @GET
    public String call(@QueryParam("partner") String partner, @QueryParam("policy") String policy) {
        Client client = ClientBuilder.newClient().register(RateLimitClientFeature.of(policy));
        try {
            return "answered " + client.target(partner).request().get().getStatus();
        } catch (ProcessingException failure) {
            return RateLimitClientFeature.rejectionIn(failure)
                    .map(rejected -> rejected.getMessage().replaceAll(";.*", ""))
                    .orElseThrow(() -> failure);
        } finally {
            client.close();
        }
    }
}
