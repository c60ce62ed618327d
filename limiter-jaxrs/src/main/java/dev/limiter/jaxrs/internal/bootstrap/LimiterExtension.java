package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.RateLimited;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.declaration.DeclarationWarnings;
import dev.limiter.jaxrs.internal.platform.OptionalLibrary;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.settings.MicroProfileSettings;
import dev.limiter.jaxrs.internal.settings.RestProperties;
import dev.limiter.jaxrs.internal.signals.Listeners;
import dev.limiter.spi.Settings;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.BeforeShutdown;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.enterprise.inject.spi.ProcessBean;
import jakarta.enterprise.inject.spi.WithAnnotations;
import jakarta.enterprise.inject.spi.configurator.BeanConfigurator;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.lang.annotation.Annotation;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Makes the limiter a CDI bean, for the filter and for {@code @Inject RateLimiter}. If the
 * application has a bean of that type itself, that bean is used. It also adds
 * {@link DeployedLimits}, {@link RateLimits} of the current request, and the health check.
 */
public final class LimiterExtension implements Extension {
    /** The attribute of a servlet context that has the {@link ApplicationRuntime}. */
    public static final String RUNTIME = "dev.limiter.runtime";

    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");

    private boolean applicationHasItsOwn;
    private volatile String contextPath = "";
    /** What Jakarta REST has told, or limited beans have asked for before it; null until then. */
    private volatile ApplicationRuntime runtime;

    /** Those of the limiter's bean; null until it is made, or Jakarta REST has told its own. */
    private volatile Settings settings;
    /** The properties of Jakarta REST among these settings. */
    private volatile RestProperties properties = RestProperties.NONE;

    private volatile boolean severalHaveLimits;
    /** Made for limited beans; null for none, or if Jakarta REST has taken it. */
    private volatile ApplicationRuntime made;
    /** Made for Jakarta REST, which may not have told it yet; null for none. */
    private ApplicationRuntime ofRest;

    /** For the CDI container. */
    public LimiterExtension() {}

    void found(@Observes ProcessBean<?> event) {
        applicationHasItsOwn |= event.getBean().getTypes().contains(RateLimiter.class);
    }

    /**
     * Logs a warning for a service with limit annotations. Jakarta REST does not report such a
     * class. The module limiter-cdi limits it, and warns itself of what it does not limit.
     */
    void limited(
            @Observes @WithAnnotations({RateLimited.class, RateLimited.List.class}) ProcessAnnotatedType<?> event) {
        Optional.of(event.getAnnotatedType().getJavaClass())
                .filter(type -> !Platform.isPresent("dev.limiter.cdi.internal.BeanLimitsExtension"))
                .flatMap(DeclarationWarnings::ofBean)
                .ifPresent(warning -> LOG.log(System.Logger.Level.WARNING, warning));
    }

    void add(@Observes AfterBeanDiscovery event) {
        if (!applicationHasItsOwn) {
            bean(event, RateLimiter.class, ApplicationScoped.class)
                    .produceWith(beans -> limiter(beans.select(Listeners.class).get()))
                    .disposeWith((limiter, beans) -> limiter.close());
        }
        bean(event, DeployedLimits.class, ApplicationScoped.class).produceWith(beans -> deployed());
        bean(event, ApplicationRuntime.class, Dependent.class).produceWith(beans -> runtime());
        bean(event, RateLimits.class, ApplicationScoped.class).produceWith(beans -> CurrentLimits.ofEachRequest());
        bean(event, CurrentRequest.class, RequestScoped.class).produceWith(beans -> new CurrentRequest());
        bean(event, Listeners.class, Singleton.class)
                .produceWith(CdiEvents::listeners)
                .disposeWith((listeners, beans) -> listeners.close());
        OptionalLibrary.HEALTH.ifUsable(() -> StoreHealth.readiness()).ifPresent(readiness -> StoreHealth.addTo(event));
    }

    static <T> BeanConfigurator<T> bean(AfterBeanDiscovery event, Class<T> type, Class<? extends Annotation> scope) {
        return event.<T>addBean().id(id(type)).types(type, Object.class).scope(scope);
    }

    /**
     * The id of a bean by its type or qualifier, and by the file of this copy of the library. Weld
     * would give a bean of each WAR of an EAR the same id, and one WAR the instance of another.
     */
    private static String id(Class<?> bean) {
        return bean.getName() + " of " + LimiterExtension.class.getResource("LimiterExtension.class");
    }

    private RateLimiter limiter(Listeners listeners) {
        if (settings == null) {
            settings = MicroProfileSettings.ofApplication(RestProperties.NONE);
        }
        return RateLimiterFactory.create(settings, contextPath, listeners);
    }

    /**
     * Has the limiter's bean made from these settings. It has its settings already if a bean has
     * used it, or another application of Jakarta REST.
     *
     * @param properties those of Jakarta REST among the settings
     * @throws RateLimitDeploymentException if these are others
     */
    static void use(Settings settings, RestProperties properties) {
        ofApplication().ifPresent(extension -> {
            if (extension.settings == null) {
                extension.settings = settings;
                extension.properties = properties;
            } else {
                MicroProfileSettings.requireNotLate(properties, extension.settings);
                MicroProfileSettings.requireSame(extension.properties, extension.settings, settings);
            }
        });
    }

    /**
     * In a web application the event carries its servlet context; CDI offers no other portable
     * way to it before a request.
     */
    void started(
            @Observes @Initialized(ApplicationScoped.class) @Priority(Interceptor.Priority.PLATFORM_BEFORE)
                    Object application) {
        String path = Platform.contextPathOf(application);
        if (!path.isEmpty()) {
            contextPath = path;
        }
        if (Platform.attributeOf(application, RUNTIME) instanceof ApplicationRuntime known) {
            runtime = known;
        }
    }

    /** Closes a runtime that limited beans have, and no application of Jakarta REST. */
    void ends(@Observes BeforeShutdown event) {
        if (made != null) {
            made.close();
        }
    }

    /**
     * Tells CDI of an application. Some servers tell CDI its context path later than Jakarta REST,
     * or in another form.
     */
    public static void tell(String path, ApplicationRuntime runtime) {
        ofApplication().ifPresent(extension -> {
            extension.contextPath = path;
            extension.runtime = runtime;
        });
    }

    /**
     * Tells CDI of an application without a servlet container. Each such application of Jakarta
     * REST has limits of its own.
     */
    static void tell(ApplicationRuntime runtime) {
        ofApplication().ifPresent(extension -> {
            extension.severalHaveLimits = extension.runtime != null && extension.runtime != runtime;
            extension.runtime = runtime;
        });
    }

    /**
     * The runtime that limited beans have asked for before Jakarta REST, which goes on with it and
     * closes it. If there is none, or the second time, a new one. On WildFly beans may ask
     * meanwhile: they wait, and have the same.
     */
    static ApplicationRuntime forRest(Supplier<ApplicationRuntime> making, Consumer<ApplicationRuntime> goingOn) {
        return ofApplication()
                .map(extension -> extension.takeOrMake(making, goingOn))
                .orElseGet(making);
    }

    private synchronized ApplicationRuntime takeOrMake(
            Supplier<ApplicationRuntime> making, Consumer<ApplicationRuntime> goingOn) {
        ApplicationRuntime taken = made;
        if (taken == null) {
            ofRest = making.get();
            return ofRest;
        }
        made = null;
        goingOn.accept(taken);
        return taken;
    }

    private static Optional<LimiterExtension> ofApplication() {
        try {
            return Optional.of(CDI.current().getBeanManager().getExtension(LimiterExtension.class));
        } catch (IllegalStateException | IllegalArgumentException | UnsupportedOperationException absent) {
            return Optional.empty(); // CDI is not running, or not for this application, or is ArC
        }
    }

    private DeployedLimits deployed() {
        if (severalHaveLimits) {
            throw new IllegalStateException("several applications of Jakarta REST have limits of their own here;"
                    + " RateLimits.deployed() gives those of the application that serves a request");
        }
        if (runtime == null) {
            throw new IllegalStateException(
                    "the limits of the application are not there: it has not started yet, or its"
                            + " start was refused");
        }
        return runtime.limits();
    }

    private synchronized ApplicationRuntime runtime() {
        if (runtime == null) {
            runtime = ofRest;
        }
        if (runtime == null) {
            made = ApplicationRuntime.ofApplication(
                    ServerContext.withoutServlets(null), RestProperties.NONE, new DeploymentFailure());
            runtime = made;
        }
        return runtime;
    }
}
