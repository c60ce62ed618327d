package dev.limiter.example;

import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.Provider;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * HTTP Basic with three users, and guests from {@code guest-1} to {@code guest-999}, whose
 * passwords are their names. Each user has a billing day. A request without credentials passes
 * and has no user. A request with wrong credentials is answered 401.
 */
@Provider
@Priority(Priorities.AUTHENTICATION)
public class DemoUsers implements ContainerRequestFilter {

    private static final Map<String, Integer> BILLING_DAYS = Map.of("member", 15, "keeper", 31);
    private static final Pattern NAMES = Pattern.compile("visitor|member|keeper|guest-[1-9][0-9]{0,2}");
    private static final String SCHEME = "Basic ";

    @Override
    public void filter(ContainerRequestContext request) {
        String authorization = request.getHeaderString(HttpHeaders.AUTHORIZATION);
        if (authorization == null) {
            return;
        }
        user(authorization)
                .ifPresentOrElse(
                        name -> accept(request, new DemoUser(name, request.getSecurityContext())),
                        () -> request.abortWith(unauthorized()));
    }

    private static void accept(ContainerRequestContext request, DemoUser user) {
        request.setSecurityContext(user);
        request.setProperty("billing-day", billingDay(user.getUserPrincipal()));
    }

    /**
     * The day on which the user's months begin, the 1st unless agreed otherwise.
     *
     * @param user null for a caller without a log-in
     */
    static int billingDay(Principal user) {
        return user == null ? 1 : BILLING_DAYS.getOrDefault(user.getName(), 1);
    }

    private static Optional<String> user(String authorization) {
        if (!authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        try {
            byte[] credentials = Base64.getDecoder()
                    .decode(authorization.substring(SCHEME.length()).strip());
            String[] nameAndPassword = new String(credentials, StandardCharsets.UTF_8).split(":", 2);
            return Optional.of(nameAndPassword[0])
                    .filter(name -> NAMES.matcher(name).matches())
                    .filter(name -> nameAndPassword.length == 2 && name.equals(nameAndPassword[1]));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    private static Response unauthorized() {
        return Response.status(Response.Status.UNAUTHORIZED)
                .header(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"zoo\", charset=\"UTF-8\"")
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(Map.of("error", "unknown user or wrong password"))
                .build();
    }
}
