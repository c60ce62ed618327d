package dev.limiter.jaxrs;

import dev.limiter.RateLimiter;
import dev.limiter.spi.Settings;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What one application's filter needs, put together once all parts of the server have said what they know. */
final class Deployment implements ClientAddress {
    private final Settings settings;
    private String contextPath = "";
    private Supplier<String> peer;
    private Consumer<RateLimiter> closedWithApplication = limiter -> {};
    private volatile RateLimiter limiter;
    private volatile ClientAddress addresses;

    Deployment(Settings settings) {
        this.settings = settings;
    }

    /**
     * Said by a servlet container.
     *
     * @param path the application's context path
     * @param peerAddress the other end of the current request's connection
     * @param closer takes a limiter that has to be closed when the application ends
     */
    void inServletContainer(String path, Supplier<String> peerAddress, Consumer<RateLimiter> closer) {
        contextPath = path;
        peer = peerAddress;
        closedWithApplication = closer;
    }

    /**
     * The limiter: the application's CDI bean, else one made from the settings.
     *
     * @throws dev.limiter.spi.InvalidSettingException if a setting cannot be used
     */
    RateLimiter limiter() {
        return limiter != null ? limiter : makeLimiter();
    }

    @Override
    public String of(ContainerRequestContext request) {
        String address = addresses().of(request);
        if (address == null) {
            throw new IllegalStateException("the bean of type " + ClientAddress.class.getName() + ", a "
                    + addresses.getClass().getName() + ", gave null; it must name every client");
        }
        return address;
    }

    /** Makes now what would else be made by the first request, so that what is wrong fails the deployment. */
    void prepare() {
        limiter();
        addresses();
    }

    private synchronized RateLimiter makeLimiter() {
        if (limiter == null) {
            limiter = Surroundings.bean(RateLimiter.class).orElseGet(() -> {
                RateLimiter made = Limiters.create(settings, contextPath);
                closedWithApplication.accept(made);
                return made;
            });
        }
        return limiter;
    }

    private ClientAddress addresses() {
        return addresses != null ? addresses : findAddresses();
    }

    private synchronized ClientAddress findAddresses() {
        if (addresses == null) {
            addresses = Surroundings.bean(ClientAddress.class).orElseGet(this::builtInAddresses);
        }
        return addresses;
    }

    private ClientAddress builtInAddresses() {
        if (peer == null) {
            throw new RateLimitDeploymentException(
                    List.of("Without a servlet container the client's address, on which a"
                            + " request without a key is counted, is not known: provide a CDI bean of type "
                            + ClientAddress.class.getName()));
        }
        return ForwardedAddress.configured(settings, peer);
    }
}
