package dev.limiter.quarkus;

import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.CdiEvents;
import dev.limiter.jaxrs.internal.bootstrap.CurrentLimits;
import dev.limiter.jaxrs.internal.bootstrap.CurrentRequest;
import dev.limiter.jaxrs.internal.bootstrap.DeploymentFailure;
import dev.limiter.jaxrs.internal.bootstrap.RateLimiterFactory;
import dev.limiter.jaxrs.internal.bootstrap.RestLimits;
import dev.limiter.jaxrs.internal.bootstrap.ServerContext;
import dev.limiter.jaxrs.internal.response.NotAdmittedMapper;
import dev.limiter.jaxrs.internal.settings.MicroProfileSettings;
import dev.limiter.jaxrs.internal.settings.RestProperties;
import dev.limiter.jaxrs.internal.signals.Listeners;
import io.quarkus.arc.DefaultBean;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.List;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.resteasy.reactive.server.core.CurrentRequestManager;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;

/** The beans of an application, which the portable extension makes on other servers. */
@Singleton
class LimiterBeans {

    /** Before the application uses its limits, so that mistakes fail the start. */
    void start(
            @Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) StartupEvent event,
            RestApplication application,
            Instance<RestLimits> limits) {
        RestLimits inForce = limits.get();
        if (application.isLimited()) {
            inForce.runtime().prepare();
        }
        if (application.isLimitedEarly()) {
            HttpPermissions.warn(ConfigProvider.getConfig());
        }
    }

    @Produces
    @Singleton
    ApplicationRuntime runtime() {
        ServerContext server = ServerContext.withoutServlets(null).withPeers(LimitedRequest::peerAddress);
        return ApplicationRuntime.ofApplication(server, RestProperties.NONE, new DeploymentFailure());
    }

    void close(@Disposes ApplicationRuntime runtime) {
        runtime.close();
    }

    @Produces
    @Singleton
    RestLimits limits(ApplicationRuntime runtime, RestApplication application) {
        return RestLimits.of(runtime, application.type(), application.roots(), List.of(), ServerRequest.access());
    }

    @Produces
    @Singleton
    NotAdmittedMapper mapper(RestLimits limits, HttpHeaders request) {
        return limits.mapper(request);
    }

    @Produces
    @DefaultBean
    @ApplicationScoped
    RateLimiter limiter(Listeners listeners) {
        return new OffTheEventLoop(
                RateLimiterFactory.create(MicroProfileSettings.ofApplication(RestProperties.NONE), "", listeners));
    }

    void close(@Disposes RateLimiter limiter) {
        limiter.close();
    }

    @Produces
    @ApplicationScoped
    DeployedLimits deployed(Instance<RestLimits> limits) {
        return limits.get().runtime().limits();
    }

    @Produces
    @ApplicationScoped
    RateLimits ofEachRequest() {
        return CurrentLimits.ofEachRequest();
    }

    @Produces
    @RequestScoped
    CurrentRequest request(Decisions decisions) {
        CurrentRequest current = new CurrentRequest();
        ResteasyReactiveRequestContext request = CurrentRequestManager.get();
        if (request != null) {
            current.begins(decisions.state(request));
        }
        return current;
    }

    @Produces
    @Singleton
    Listeners listeners(Instance<Object> beans) {
        return CdiEvents.listeners(beans);
    }

    void close(@Disposes Listeners listeners) {
        listeners.close();
    }
}
