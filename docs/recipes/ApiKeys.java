import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;
import java.util.Map;

/** Looks up the API key of a request. */
@Provider
@Priority(Priorities.AUTHENTICATION - 600) // before all limits
public class ApiKeys implements ContainerRequestFilter {
    private static final Map<String, String> CLIENTS = Map.of("k-7f3a", "acme", "k-91c2", "zoo"); // yours: a table, hashed

    @Override
    public void filter(ContainerRequestContext request) {
        String client = CLIENTS.get(String.valueOf(request.getHeaderString("X-Api-Key")));
        if (client != null) {
            request.setProperty("client", client);
            request.setProperty("plan", client.equals("acme") ? "gold" : "free");
            request.setProperty("caller", "known");
            request.setProperty("billing_day", client.equals("acme") ? "15" : "1");
        }
    }

    /** Refuses unknown keys. */
    @Provider
    @Priority(Priorities.AUTHENTICATION) // after the limits BEFORE_AUTHENTICATION
    public static class Required implements ContainerRequestFilter {
        @Override
        public void filter(ContainerRequestContext request) {
            boolean needsKey = request.getUriInfo().getPath().endsWith("orders"); // yours: all paths that need one
            if (needsKey && request.getProperty("client") == null) {
                request.abortWith(Response.status(401).entity("unknown key").build());
            }
        }
    }
}
