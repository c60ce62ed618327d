package dev.limiter.quarkus;

import jakarta.inject.Singleton;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;

/**
 * Has the limits of each method decided and told, around what Jakarta REST does by priority. A
 * method that no limit can count costs no more than without the limiter.
 */
@Singleton
class LimitedMethods implements DynamicFeature {
    private final RestApplication application;
    private final ContainerRequestFilter afterAuthentication;
    private final ContainerResponseFilter end = LimitedMethods::respond;

    LimitedMethods(RestApplication application, Decisions decisions) {
        this.application = application;
        this.afterAuthentication = request -> decisions.afterAuthentication(ServerRequest.of(request));
    }

    @Override
    public void configure(ResourceInfo resource, FeatureContext filters) {
        String method = ((ResteasyReactiveResourceInfo) resource).getName();
        if (!application.isFree(resource.getResourceClass().getName(), method)) {
            filters.register(afterAuthentication, Priorities.AUTHENTICATION + 500);
            filters.register(end, 100); // nearly last, because other filters may change the status
        }
    }

    private static void respond(ContainerRequestContext request, ContainerResponseContext response) {
        RequestEnd end = RequestEnd.of(ServerRequest.of(request));
        if (end != null) {
            end.respond(response);
        }
    }
}
