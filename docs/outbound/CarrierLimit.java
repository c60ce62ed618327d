import dev.limiter.outbound.RateLimitClientFeature;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;

/** The limit of a partner, for {@code @RegisterProvider} on the interface of its client. */
public class CarrierLimit implements Feature {
    @Override
    public boolean configure(FeatureContext context) {
        return RateLimitClientFeature.of("carrier").configure(context);
    }
}
