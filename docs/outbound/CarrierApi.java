import dev.limiter.RateLimiter;
import dev.limiter.outbound.RateLimitClientFeature;
import jakarta.ws.rs.POST;
import java.net.URI;
import org.eclipse.microprofile.rest.client.RestClientBuilder;

public interface CarrierApi {
    @POST
    String send(String parcel);

    static CarrierApi at(URI carrier, RateLimiter limiter) {
        return RestClientBuilder.newBuilder()
                .baseUri(carrier)
                .register(RateLimitClientFeature.of("carrier").using(limiter))
                .build(CarrierApi.class);
    }
}
