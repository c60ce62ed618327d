package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.store.PreparedLimiter;
import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.Endpoint;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.address.ExemptAddresses;
import dev.limiter.jaxrs.internal.declaration.ApplicationEndpoints;
import dev.limiter.jaxrs.internal.declaration.BuiltEndpoint;
import dev.limiter.jaxrs.internal.declaration.DeployedEndpoints;
import dev.limiter.jaxrs.internal.declaration.EarlyValidator;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.platform.OwnJars;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.policy.PolicyOverrides;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.request.LeaseRenewer;
import dev.limiter.jaxrs.internal.request.LimitEvaluator;
import dev.limiter.jaxrs.internal.request.RequestServices;
import dev.limiter.jaxrs.internal.request.SlotWait;
import dev.limiter.jaxrs.internal.request.UnreservedLimits;
import dev.limiter.jaxrs.internal.response.Problems;
import dev.limiter.jaxrs.internal.response.RateLimitHeaders;
import dev.limiter.jaxrs.internal.response.RetryAfterHeader;
import dev.limiter.jaxrs.internal.settings.MicroProfileSettings;
import dev.limiter.jaxrs.internal.settings.RestProperties;
import dev.limiter.jaxrs.internal.settings.SettingsCheck;
import dev.limiter.jaxrs.internal.signals.Listeners;
import dev.limiter.jaxrs.internal.signals.LogThrottle;
import dev.limiter.jaxrs.internal.signals.StoreFailureLog;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Makes the collaborators of one application and connects them. The Jakarta REST applications
 * and the servlets of one WAR share them: a name is one bucket for all of them. Classes that
 * connect filters with the server take the collaborators from here; filters get theirs by
 * constructor.
 */
public final class ApplicationRuntime implements AutoCloseable {
    private final Settings settings;
    private volatile ServerContext server;
    private volatile DeploymentFailure failure;
    private final Lazy<Listeners> listeners = new Lazy<>(this::findListeners);
    private final Lazy<RateLimiter> found = new Lazy<>(this::findLimiter);
    private final Lazy<RateLimiter> limiter = new Lazy<>(this::operatedLimiter);
    private final PolicyRegistry policies;
    private final EarlyValidator validator;
    private final DeployedEndpoints endpoints;
    private final ApplicationLimits limits;
    /** Null without the module for operators. */
    private final Operations operations;

    private final RequestServices requests;
    private RateLimiter given;
    private Listeners closedHere;
    /** Closed here; null if the application gave a limiter or a bean. */
    private volatile RateLimiter made;

    /** @throws RateLimitDeploymentException with every setting that is wrong, or that nothing reads */
    public ApplicationRuntime(Settings settings, ServerContext server) {
        this(settings, server, System::nanoTime);
    }

    /**
     * @param nanos a clock that does not step, in ns: it says when configuration is read again,
     *     and how long contract quotas hold
     */
    ApplicationRuntime(Settings settings, ServerContext server, LongSupplier nanos) {
        this(settings, server, nanos, new DeploymentFailure());
    }

    private ApplicationRuntime(Settings settings, ServerContext server, LongSupplier nanos, DeploymentFailure failure) {
        this.settings = settings;
        this.server = server;
        this.failure = failure;
        requireUsable(settings);
        Duration lease = LeaseRenewer.LEASE.in(settings);
        Optional<Operations.Provider> operators = ServiceLoader.load(
                        Operations.Provider.class, ApplicationRuntime.class.getClassLoader())
                .findFirst();
        this.policies = new PolicyRegistry(settings, lease, nanos, listeners::get, operators.isPresent());
        policies.reportSettings();
        this.validator = new EarlyValidator(settings, policies);
        StoreFailureLog failures = new StoreFailureLog();
        this.endpoints = new DeployedEndpoints(settings, policies);
        RateLimitHeaders headers = RateLimitHeaders.SETTING.in(settings);
        RetryAfterHeader retryAfter = RetryAfterHeader.configured(settings);
        SlotWait slots = SlotWait.configured(settings, failures);
        LeaseRenewer leases = new LeaseRenewer(
                limiter::get,
                failures,
                listeners::get,
                lease,
                LeaseRenewer.longest(lease).in(settings));
        ExemptAddresses exempt = new ExemptAddresses(ExemptAddresses.EXEMPT.in(settings));
        Lazy<ClientAddress> addresses = new Lazy<>(() -> this.server.addresses(settings));
        this.limits = new ApplicationLimits(limiter, policies, exempt, addresses, endpoints);
        this.operations = operators
                .map(each -> each.begin(new OperatedApplication(settings, policies, limits, listeners)))
                .orElse(null);
        this.requests = new RequestServices(
                limiter,
                policies,
                new LimitEvaluator(policies, exempt, limiter, slots, listeners),
                limits,
                leases,
                failures,
                new UnreservedLimits(),
                retryAfter,
                headers,
                new Problems(policies, retryAfter, headers.haveProblemTypes(), new LogThrottle(System::nanoTime)),
                addresses);
    }

    /** Names all mistakes at once, not the first alone. */
    private static void requireUsable(Settings settings) {
        Set<String> problems = new LinkedHashSet<>(SettingsCheck.problems(settings));
        for (Consumer<Settings> check : List.<Consumer<Settings>>of(
                RateLimiterFactory::check,
                now -> LeaseRenewer.longest(LeaseRenewer.LEASE.in(now)).in(now),
                PolicyOverrides::requireReadable,
                now -> new PolicyRegistry(now, Policy.DEFAULT_LEASE, System::nanoTime))) {
            try {
                check.accept(settings);
            } catch (InvalidSettingException | RateLimitDeploymentException wrong) {
                problems.addAll(wrong.getMessage().lines().toList());
            }
        }
        if (!problems.isEmpty()) {
            throw new RateLimitDeploymentException(List.copyOf(problems));
        }
    }

    /**
     * The collaborators of an application, with its settings: those that its limited beans have,
     * or new ones.
     *
     * @param properties of Jakarta REST, as far as they are known
     * @param failure takes and logs what cannot be put in force
     * @throws InvalidSettingException if a setting cannot be used
     * @throws RateLimitDeploymentException if there are settings that nothing reads, or two
     *     versions of the limiter
     */
    public static ApplicationRuntime ofApplication(
            ServerContext server, RestProperties properties, DeploymentFailure failure) {
        return Platform.hasCdi()
                ? LimiterExtension.forRest(
                        () -> make(server, properties, failure), made -> made.goesOn(server, properties, failure))
                : make(server, properties, failure);
    }

    private static ApplicationRuntime make(ServerContext server, RestProperties properties, DeploymentFailure failure) {
        try {
            OwnJars.requireSingle();
            Settings settings = MicroProfileSettings.ofApplication(properties);
            ApplicationRuntime runtime = new ApplicationRuntime(settings, server, System::nanoTime, failure);
            if (Platform.hasCdi()
                    && (!server.hasServlets() || !properties.values().isEmpty())) {
                LimiterExtension.use(settings, properties);
            }
            return runtime;
        } catch (InvalidSettingException | RateLimitDeploymentException wrong) {
            RuntimeException named = MicroProfileSettings.named(properties, wrong);
            failure.failed(named);
            throw named;
        } catch (RuntimeException | Error wrong) {
            failure.failed(wrong);
            throw wrong;
        }
    }

    private void goesOn(ServerContext with, RestProperties properties, DeploymentFailure taking) {
        server = with;
        failure = taking;
        requireNotLate(properties);
    }

    /**
     * Refuses properties of Jakarta REST that would change settings, when these are in use.
     *
     * @throws RateLimitDeploymentException with all of them
     */
    public void requireNotLate(RestProperties properties) {
        try {
            MicroProfileSettings.requireNotLate(properties, settings);
        } catch (RuntimeException wrong) {
            failure.failed(wrong);
            throw wrong;
        }
    }

    /** Checks declarations before they are in force. */
    public EarlyValidator validator() {
        return validator;
    }

    /** The endpoints, with and without limits. */
    public DeployedEndpoints endpoints() {
        return endpoints;
    }

    /**
     * Takes the classes that the server has found.
     *
     * @param servlets those that are known so far
     * @throws RateLimitDeploymentException if limits are required, and an endpoint has none
     */
    public void found(Set<Class<?>> classes, List<Endpoint> servlets) {
        endpoints.found(classes, server::path, servlets);
    }

    /**
     * The endpoints of an application that starts.
     *
     * @param roots its root resources; null if it has all that the server has found
     * @param built what builders of resources made
     * @throws RateLimitDeploymentException if limits are required, and an endpoint has none
     */
    ApplicationEndpoints started(Class<?> application, Set<Class<?>> roots, List<BuiltEndpoint> built) {
        return endpoints.started(application, server.path(application).orElse(""), roots, built);
    }

    /**
     * Refuses properties of an application for policies that it does not have, where no
     * initializer could look for them.
     *
     * @throws RateLimitDeploymentException with all of them
     */
    void requirePolicies(RestProperties properties) {
        if (endpoints.areKnown()) {
            SettingsCheck.checkPolicies(settings, properties.values().keySet(), policies.names());
        }
    }

    /** Records why the limits cannot be in force. */
    public DeploymentFailure failure() {
        return failure;
    }

    /**
     * To be called when the deployment has failed. Jersey then ends no feature, so without a
     * servlet container the runtime is closed here.
     */
    void failed(RuntimeException why) {
        failure.failed(why);
        if (!server.hasServlets()) {
            close();
        }
    }

    public PolicyRegistry policies() {
        return policies;
    }

    /** Makes the state of each request. */
    public RequestServices requests() {
        return requests;
    }

    /** The limits for code that is not about a request. */
    public DeployedLimits limits() {
        return limits;
    }

    /** The listeners for decisions, and for events of the store. */
    Listeners signals() {
        return listeners.get();
    }

    /** What lets operators change limits; null without that module. */
    Operations operations() {
        return operations;
    }

    /**
     * The limiter: the application's CDI bean, else one made from the settings.
     *
     * @throws InvalidSettingException if a setting cannot be used
     */
    public RateLimiter limiter() {
        return limiter.get();
    }

    /**
     * Takes the limiter that the application names by a property, such as one with the clock of a
     * test. The application closes it.
     *
     * @throws IllegalStateException if another limiter is in use
     */
    public synchronized void use(RateLimiter named) {
        given = named;
        if (found.get() != named) {
            throw new IllegalStateException(
                    "the property " + RateLimiter.class.getName() + " names a limiter, but a limited"
                            + " servlet or another Application already uses another one; use one for all");
        }
    }

    /**
     * Makes now what the first request would otherwise make, so that mistakes fail the
     * deployment.
     */
    public void prepare() {
        prepareLimits();
        requests.addresses().get();
    }

    /** The same for limits that no address is needed for. */
    public void prepareLimits() {
        limiter.get().toString(); // a bean is a proxy: its first call makes the instance
        limiter.get()
                .unwrap(PreparedLimiter.class)
                .ifPresent(each -> policies.inForce().forEach(each::prepare));
        policies.inForce().forEach(each -> listeners.get().deployed(each.name()));
        listeners.get().leases(requests.leases()::held, requests.leases()::oldestSeconds);
    }

    /** Ends the threads beside requests, and closes a limiter that was made here. */
    @Override
    public synchronized void close() {
        requests.leases().close();
        policies.contracts().close();
        if (operations != null) {
            operations.close();
        }
        if (closedHere != null) {
            closedHere.close();
        }
        if (made != null) {
            made.close();
            made = null; // a container that found the initializer twice also ends it twice
        }
    }

    private RateLimiter operatedLimiter() {
        return operations == null ? found.get() : operations.over(found.get());
    }

    private RateLimiter findLimiter() {
        if (given != null) {
            return given;
        }
        server.beforeBeans().run();
        return Platform.bean(RateLimiter.class).orElseGet(() -> {
            made = RateLimiterFactory.create(settings, server.contextPath(), listeners.get());
            return made;
        });
    }

    private synchronized Listeners findListeners() {
        return Platform.bean(Listeners.class).orElseGet(() -> {
            closedHere = Listeners.withoutBeans();
            return closedHere;
        });
    }
}
