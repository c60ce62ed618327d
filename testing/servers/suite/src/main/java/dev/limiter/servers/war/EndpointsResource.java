package dev.limiter.servers.war;

import dev.limiter.RateLimitExempt;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.Endpoint;
import dev.limiter.jaxrs.ServletLimits;
import jakarta.servlet.ServletContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import java.util.List;
import java.util.stream.Collectors;

/** Which endpoints the limiter knows, a line for each. */
@Path("endpoints")
@RateLimitExempt
public class EndpointsResource {

    @GET
    public String all(@Context ServletContext application) {
        return lines(ServletLimits.of(application).endpoints());
    }

    @GET
    @Path("without")
    public String withoutLimits(@Context ServletContext application) {
        DeployedLimits limits = ServletLimits.of(application);
        return lines(limits.withoutLimits());
    }

    private static String lines(List<Endpoint> endpoints) {
        return endpoints.stream()
                .map(each -> each.coverage() + " " + each + (each.limits().isEmpty() ? "" : " " + each.limits()))
                .collect(Collectors.joining("\n"));
    }
}
