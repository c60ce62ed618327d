package dev.limiter.jaxrs;

import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.QueueFullException;
import dev.limiter.RateLimiter;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the requests of one application share, put together once all parts of the server have said what they know. The Jakarta
 * REST applications and the servlets of one WAR share it: a name is one bucket for all of them.
 */
final class Deployment implements ClientAddress, AutoCloseable {
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);
    private static final Duration LONGEST_LEASE = Duration.ofHours(1);

    private final Settings settings;
    private final Duration lease;
    private final StoreFailureLog failures = new StoreFailureLog();
    private final Policies policies;
    private final Fields fields;
    private final RetryAfter retryAfter;
    private final Delay delay;
    private final Leases leases;
    private final List<Network> exempt;
    private String contextPath = "";
    private boolean inServletContainer;
    private Consumer<RateLimiter> closedWithApplication = limiter -> {};
    private volatile RateLimiter limiter;
    private volatile Listeners listeners;
    private Listeners closedHere;
    private volatile ClientAddress addresses;

    /**
     * @throws InvalidSettingException if a setting cannot be used
     */
    Deployment(Settings settings) {
        this.settings = settings;
        this.lease = settings.duration("limiter.lease", Policy.DEFAULT_LEASE, SHORTEST_LEASE, LONGEST_LEASE);
        this.policies = new Policies(settings, lease, System::nanoTime, this::signals);
        this.fields = Fields.configured(settings);
        this.retryAfter = RetryAfter.configured(settings);
        this.delay = Delay.configured(settings, failures);
        this.leases = new Leases(this::limiter, failures, lease.toMillis());
        this.exempt = Network.listed("limiter.exempt-addresses", settings);
    }

    /**
     * Said by a servlet container.
     *
     * @param path the application's context path
     * @param closer takes a limiter that has to be closed when the application ends
     */
    void inServletContainer(String path, Consumer<RateLimiter> closer) {
        inServletContainer = true;
        contextPath = path;
        closedWithApplication = closer;
    }

    /**
     * Whether limits on these classes can be put in force; it does not do so.
     *
     * @throws RateLimitDeploymentException with every problem of every class
     */
    void check(Set<Class<?>> classes) {
        new DeclarationCheck(new Policies(settings, lease, System::nanoTime)).check(classes);
    }

    Policies policies() {
        return policies;
    }

    Fields fields() {
        return fields;
    }

    RetryAfter retryAfter() {
        return retryAfter;
    }

    /** The answer to a rejection. */
    Problem problem(Decision.Rejected rejected) {
        return Problem.rejected(rejected, retryAfter.seconds(rejected), policies::isPublished);
    }

    /** The answer to an offer that was refused. */
    Problem problem(QueueFullException full) {
        return Problem.queueFull(full.queue(), retryAfter.seconds(full.refusal().retryAfter()));
    }

    Delay delay() {
        return delay;
    }

    Leases leases() {
        return leases;
    }

    StoreFailureLog failures() {
        return failures;
    }

    /** Who is told how requests come to the limits. */
    RequestSignals signals() {
        return listeners();
    }

    /**
     * The limiter: the application's CDI bean, else one made from the settings.
     *
     * @throws InvalidSettingException if a setting cannot be used
     */
    RateLimiter limiter() {
        return limiter != null ? limiter : makeLimiter();
    }

    @Override
    public String of(LimitedRequest request) {
        String address = addresses().of(request);
        if (address == null) {
            throw new IllegalStateException("the bean of type " + ClientAddress.class.getName() + ", a "
                    + addresses.getClass().getName() + ", gave null; it must name every client");
        }
        return address;
    }

    /** Whether a request comes from an address that is not limited, such as that of a health check. */
    boolean isExempt(LimitedRequest request) {
        return !exempt.isEmpty()
                && IpAddress.parse(of(request).split("/", 2)[0])
                        .filter(client -> Network.contains(exempt, client))
                        .isPresent();
    }

    /** Makes now what would else be made by the first request, so that what is wrong fails the deployment. */
    void prepare() {
        limiter().toString(); // a bean is a proxy: what it stands for is made when it is first asked something
        listeners();
        addresses();
    }

    /** Ends what runs beside requests; the limiter is closed by whoever made it. */
    @Override
    public synchronized void close() {
        leases.close();
        if (closedHere != null) {
            closedHere.close();
        }
    }

    private synchronized RateLimiter makeLimiter() {
        if (limiter == null) {
            if (inServletContainer) {
                Surroundings.underContextPath(contextPath);
            }
            limiter = Surroundings.bean(RateLimiter.class).orElseGet(() -> {
                RateLimiter made = Limiters.create(settings, contextPath, listeners());
                closedWithApplication.accept(made);
                return made;
            });
        }
        return limiter;
    }

    private Listeners listeners() {
        return listeners != null ? listeners : findListeners();
    }

    private synchronized Listeners findListeners() {
        if (listeners == null) {
            listeners = Surroundings.bean(Listeners.class).orElseGet(() -> {
                closedHere = Listeners.withoutBeans();
                return closedHere;
            });
        }
        return listeners;
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
        if (!inServletContainer) {
            throw new RateLimitDeploymentException(
                    List.of("Without a servlet container the client's address, on which a"
                            + " request without a key is counted, is not known: provide a CDI bean of type "
                            + ClientAddress.class.getName()));
        }
        return ForwardedAddress.configured(settings);
    }
}
