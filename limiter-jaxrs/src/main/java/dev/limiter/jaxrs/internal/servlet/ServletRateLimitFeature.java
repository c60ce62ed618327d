package dev.limiter.jaxrs.internal.servlet;

import dev.limiter.jaxrs.internal.bootstrap.ApplicationRuntime;
import dev.limiter.jaxrs.internal.bootstrap.RestComponents;
import dev.limiter.jaxrs.internal.settings.RestProperties;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;

/**
 * Passes on the data that only a servlet container has. It is registered only if there is one:
 * no class on the request path of Jakarta REST names a servlet type, so that the library runs
 * without servlets.
 *
 * <p>Public, because RESTEasy constructs it without asking for access. Not every server injects
 * into an instance that the library creates.
 */
public final class ServletRateLimitFeature implements Feature {

    @Context
    private HttpServletRequest currentRequest;

    @Context
    private ServletContext application;

    /** For the Jakarta REST runtime. */
    public ServletRateLimitFeature() {}

    @Override
    public boolean configure(FeatureContext context) {
        RestComponents components = (RestComponents) context.getConfiguration().getProperty(RestComponents.PROPERTY);
        if (application == null) {
            // The servlet API is on the class path, but no servlet container runs: JerseyTest,
            // an SE server.
            components.registerWithoutServlets(context);
        } else {
            ApplicationRuntime runtime =
                    ServletInitializer.of(application, RestProperties.of(context.getConfiguration()));
            ServletInitializer.requireFilters(application, runtime);
            if (!ServletInitializer.hasRun(application)) {
                components.closeAtTheEnd(context, runtime);
            }
            components.register(context, runtime, currentRequest::getRemoteAddr, currentRequest::getParameterMap);
        }
        return true;
    }
}
