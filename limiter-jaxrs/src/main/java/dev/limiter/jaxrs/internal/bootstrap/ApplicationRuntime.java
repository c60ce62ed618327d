package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.Decision;
import dev.limiter.NotAdmittedException;
import dev.limiter.Policy;
import dev.limiter.RateLimitExceededException;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.address.CidrRange;
import dev.limiter.jaxrs.internal.address.ForwardedClientAddress;
import dev.limiter.jaxrs.internal.address.IpAddress;
import dev.limiter.jaxrs.internal.declaration.EarlyValidator;
import dev.limiter.jaxrs.internal.form.UnreadableFormException;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.request.LeaseRenewer;
import dev.limiter.jaxrs.internal.request.SlotWait;
import dev.limiter.jaxrs.internal.response.ProblemDetails;
import dev.limiter.jaxrs.internal.response.RateLimitHeaders;
import dev.limiter.jaxrs.internal.response.RetryAfterHeader;
import dev.limiter.jaxrs.internal.settings.MicroProfileSettings;
import dev.limiter.jaxrs.internal.settings.UnknownSettings;
import dev.limiter.jaxrs.internal.signals.Listeners;
import dev.limiter.jaxrs.internal.signals.LogThrottle;
import dev.limiter.jaxrs.internal.signals.RefusedFormLog;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import dev.limiter.jaxrs.internal.signals.StoreFailureLog;
import dev.limiter.jaxrs.internal.text.LogText;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What the requests of one application share, put together once all parts of the server have said what they know. The Jakarta
 * REST applications and the servlets of one WAR share it: a name is one bucket for all of them.
 */
public final class ApplicationRuntime implements ClientAddress, AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);
    private static final Duration LONGEST_LEASE = Duration.ofHours(1);

    private final Settings settings;
    private final Duration lease;
    private final StoreFailureLog failures = new StoreFailureLog();
    private final RefusedFormLog refusedForms = new RefusedFormLog(System::nanoTime);
    private final PolicyRegistry policies;
    private final RateLimitHeaders fields;
    private final RetryAfterHeader retryAfter;
    private final SlotWait delay;
    private final LeaseRenewer leases;
    private final List<CidrRange> exempt;
    private String contextPath = "";
    private boolean inServletContainer;
    private Consumer<RateLimiter> closedWithApplication = limiter -> {};
    private Runnable beforeBeans = () -> {};
    private volatile RateLimiter limiter;
    private volatile Listeners listeners;
    private Listeners closedHere;
    private volatile ClientAddress addresses;
    private final LogThrottle reminders = new LogThrottle(System::nanoTime);
    private volatile String failure;

    /**
     * @throws InvalidSettingException if a setting cannot be used
     */
    public ApplicationRuntime(Settings settings) {
        this.settings = settings;
        this.lease = settings.duration("limiter.lease", Policy.DEFAULT_LEASE, SHORTEST_LEASE, LONGEST_LEASE);
        this.policies = new PolicyRegistry(settings, lease, System::nanoTime, this::signals);
        policies.reportSettings();
        this.fields = RateLimitHeaders.configured(settings);
        this.retryAfter = RetryAfterHeader.configured(settings);
        this.delay = SlotWait.configured(settings, failures);
        this.leases = new LeaseRenewer(this::limiter, failures, lease.toMillis());
        this.exempt = CidrRange.listed("limiter.exempt-addresses", settings);
    }

    /**
     * Said by a servlet container.
     *
     * @param path the application's context path
     * @param closer takes a limiter that has to be closed when the application ends
     * @param beforeBeans runs before the limiter's bean is looked for, which needs the context path
     */
    public void inServletContainer(String path, Consumer<RateLimiter> closer, Runnable beforeBeans) {
        inServletContainer = true;
        contextPath = path;
        closedWithApplication = closer;
        this.beforeBeans = beforeBeans;
    }

    /**
     * The deployment of an application, with the settings that it has. What fails it is logged.
     *
     * @throws InvalidSettingException if a setting cannot be used
     * @throws RateLimitDeploymentException if there are settings that nothing reads
     */
    public static ApplicationRuntime ofApplication() {
        try {
            return new ApplicationRuntime(MicroProfileSettings.ofApplication());
        } catch (InvalidSettingException | RateLimitDeploymentException wrong) {
            logFailure(wrong);
            throw wrong;
        }
    }

    /**
     * Whether the settings can be used, and the limits on these classes be put in force, as far as that can be told before CDI and
     * Jakarta REST start; it does not do so.
     *
     * @param classes those of the application
     * @param others classes whose limits may be in force too, and which are not checked
     * @throws InvalidSettingException if a setting cannot be used
     * @throws RateLimitDeploymentException with every problem of every class, or with the settings of policies that are not there
     */
    public void check(Set<Class<?>> classes, Set<Class<?>> others) {
        RateLimiterFactory.check(settings);
        ForwardedClientAddress.configured(settings);
        EarlyValidator check = declarations(false);
        check.checkLimits(classes);
        check.checkPlans(classes);
        check.learnNames(others);
        Map<String, Set<String>> names = new TreeMap<>(policies.names());
        names.putAll(check.names());
        boolean limitsAreShown =
                !policies.names().keySet().containsAll(check.names().keySet());
        if (limitsAreShown && !check.hasUnreadLocators()) {
            UnknownSettings.checkPolicies(settings, names);
        } // else a class that is not seen here may have the policy: the first request warns
    }

    /**
     * The same of what is known when CDI has started: the beans that keys name.
     *
     * @throws RateLimitDeploymentException with every problem of every class
     */
    public void checkBeans(Set<Class<?>> classes) {
        if (Platform.beansAreKnown()) {
            declarations(true).checkLimits(classes);
        }
    }

    private EarlyValidator declarations(boolean beansAreThere) {
        return new EarlyValidator(() -> new PolicyRegistry(settings, lease, System::nanoTime), beansAreThere);
    }

    /** Takes note of why the limits cannot be in force, and logs it: some servers go on, and hide it. */
    public void failed(RuntimeException why) {
        String said = LogText.ofAll(String.valueOf(why.getMessage()));
        if (!said.equals(failure)) {
            failure = said;
            logFailure(why);
        }
    }

    /** To be called when a request has failed: says at most once a minute why that may be so. */
    public void remindOfFailure() {
        if (failure != null && reminders.times() > 0) {
            LOG.log(System.Logger.Level.ERROR, "Requests fail, and limits could not be put in force: {0}", failure);
        }
    }

    private static void logFailure(RuntimeException why) {
        LOG.log(
                System.Logger.Level.ERROR,
                "Limits cannot be put in force: {0}",
                LogText.ofAll(String.valueOf(why.getMessage())));
    }

    /**
     * Reports context parameters that begin like settings and that nothing reads.
     *
     * @throws RateLimitDeploymentException if there are any, unless services share the configuration
     */
    public void checkContextParameters(List<String> names) {
        UnknownSettings.checkContextParameters(settings, names);
    }

    public PolicyRegistry policies() {
        return policies;
    }

    public RateLimitHeaders fields() {
        return fields;
    }

    public RetryAfterHeader retryAfter() {
        return retryAfter;
    }

    /** The answer to a rejection. */
    public ProblemDetails problem(Decision.Rejected rejected) {
        return ProblemDetails.rejected(rejected, retryAfter.seconds(rejected), policies::isPublished);
    }

    /** The answer to a request that was not admitted, whatever refused it. It says nothing of where the store is. */
    public ProblemDetails problem(NotAdmittedException refused) {
        if (refused instanceof RateLimitExceededException exceeded) {
            return problem(exceeded.rejection());
        }
        return refused.clientDetail()
                .map(detail -> ProblemDetails.rejected(detail, retryAfter.seconds(refused.retryAfter())))
                .orElseGet(ProblemDetails::unavailable);
    }

    /** The answer to a form that a limit cannot read, of which the log is told. */
    public ProblemDetails problem(UnreadableFormException refused) {
        refusedForms.log(refused);
        return ProblemDetails.refused(refused.status(), refused.title(), refused.getMessage());
    }

    public SlotWait delay() {
        return delay;
    }

    public LeaseRenewer leases() {
        return leases;
    }

    public StoreFailureLog failures() {
        return failures;
    }

    /** Who is told how requests come to the limits. */
    public RequestSignals signals() {
        return listeners();
    }

    /**
     * The limiter: the application's CDI bean, else one made from the settings.
     *
     * @throws InvalidSettingException if a setting cannot be used
     */
    public RateLimiter limiter() {
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
    public boolean isExempt(LimitedRequest request) {
        return !exempt.isEmpty() && isExempt(of(request));
    }

    /** Whether an address, as requests from it are counted, is not limited. */
    boolean isExempt(String clientAddress) {
        return IpAddress.parse(clientAddress.split("/", 2)[0])
                .filter(client -> CidrRange.contains(exempt, client))
                .isPresent();
    }

    /**
     * An address as requests from it are counted; where a bean of the application names clients, as it is written.
     *
     * @throws IllegalArgumentException if it is none
     */
    String partitionOf(String address) {
        return addresses() instanceof ForwardedClientAddress builtIn ? builtIn.partition(address) : address;
    }

    /** Names clients where no servlet container and no CDI bean does. */
    void addressesBy(ClientAddress given) {
        addresses = given;
    }

    /** Makes now what would else be made by the first request, so that what is wrong fails the deployment. */
    public void prepare() {
        limiter().toString(); // a bean is a proxy: what it stands for is made when it is first asked something
        listeners();
        addresses();
    }

    /** Ends what runs beside requests. The creator of the limiter closes it. */
    @Override
    public synchronized void close() {
        leases.close();
        if (closedHere != null) {
            closedHere.close();
        }
    }

    private synchronized RateLimiter makeLimiter() {
        if (limiter == null) {
            beforeBeans.run();
            limiter = Platform.bean(RateLimiter.class).orElseGet(() -> {
                RateLimiter made = RateLimiterFactory.create(settings, contextPath, listeners());
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
            listeners = Platform.bean(Listeners.class).orElseGet(() -> {
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
            addresses = Platform.bean(ClientAddress.class).orElseGet(this::builtInAddresses);
        }
        return addresses;
    }

    private ClientAddress builtInAddresses() {
        if (!inServletContainer) {
            throw new RateLimitDeploymentException(
                    List.of("Without a servlet container the client's address, on which a"
                            + " request without a key is counted, is not known: provide a CDI bean of type "
                            + ClientAddress.class.getName()
                            + ", or one as the property of that name of the application:"
                            + " new ResourceConfig(...).property(ClientAddress.class.getName(), address)"));
        }
        return ForwardedClientAddress.configured(settings);
    }
}
