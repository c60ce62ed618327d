package dev.limiter.jaxrs;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;

/**
 * Tells the deployment what only a servlet container knows. Registered only where there is one: no other class of the request
 * path names a servlet type, so that the library runs without them.
 */
final class ServletSurroundings implements Feature {

    @Context
    private HttpServletRequest currentRequest;

    @Context
    private ServletContext application;

    /** For the Jakarta REST runtime. */
    public ServletSurroundings() {}

    @Override
    public boolean configure(FeatureContext context) {
        Deployment deployment = (Deployment) context.getConfiguration().getProperty(RateLimitFeature.DEPLOYMENT);
        deployment.inServletContainer(
                application.getContextPath(),
                currentRequest::getRemoteAddr,
                limiter -> LimiterCloser.closeWith(application, limiter));
        return true;
    }
}
