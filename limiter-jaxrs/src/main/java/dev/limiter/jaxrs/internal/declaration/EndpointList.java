package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.jaxrs.Endpoint;
import dev.limiter.jaxrs.Endpoint.Coverage;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** What the log and the error say of endpoints without limits. */
final class EndpointList {
    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");
    /** A longer list would hide the rest of the log. */
    private static final int MOST = 20;

    private EndpointList() {}

    /**
     * Logs which endpoints no limit protects.
     *
     * @param whose such as {@code endpoints of ZooApplication}
     */
    static void log(String whose, Collection<Endpoint> endpoints, RequireLimits required) {
        LOG.log(Level.INFO, text(whose, endpoints));
        if (required != RequireLimits.LIST) {
            warn(whose, endpoints);
        }
    }

    /** Warns of the endpoints that have neither a limit nor an exemption. */
    static void warn(String whose, Collection<Endpoint> endpoints) {
        List<Endpoint> missing = missing(endpoints);
        if (!missing.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "LIM17 " + missing.size() + " of " + endpoints.size() + ' ' + whose + have(missing)
                            + " neither a limit nor @RateLimitExempt: " + named(missing));
        }
    }

    static String text(String whose, Collection<Endpoint> endpoints) {
        List<Endpoint> unlimited = of(endpoints, Coverage.UNLIMITED);
        return unlimited.size() + " of " + endpoints.size() + ' ' + whose + have(unlimited) + " no limit"
                + (unlimited.isEmpty() ? "" : ": " + named(unlimited))
                + line("exempt", of(endpoints, Coverage.EXEMPT))
                + line("on trial, soft or switched off alone", of(endpoints, Coverage.NOT_REJECTING))
                + line("not known", of(endpoints, Coverage.UNKNOWN));
    }

    /**
     * @throws RateLimitDeploymentException with all endpoints that have no limit, if limits are
     *     required
     */
    static void check(Collection<Endpoint> endpoints, RequireLimits required) {
        List<Endpoint> missing = missing(endpoints);
        if (required == RequireLimits.FAIL && !missing.isEmpty()) {
            throw new RateLimitDeploymentException(
                    List.of(RequireLimits.SETTING.name() + ": is \"fail\", and " + missing.size() + " of "
                            + endpoints.size() + " endpoints" + have(missing)
                            + " neither a limit nor @RateLimitExempt: " + all(missing)
                            + " (paths of libraries: " + RequireLimits.EXEMPT.name() + ')'));
        }
    }

    static List<Endpoint> missing(Collection<Endpoint> endpoints) {
        return endpoints.stream()
                .filter(each -> each.coverage() == Coverage.UNLIMITED || each.coverage() == Coverage.UNKNOWN)
                .toList();
    }

    static String named(List<Endpoint> endpoints) {
        return endpoints.size() <= MOST
                ? all(endpoints)
                : all(endpoints.subList(0, MOST)) + " and " + (endpoints.size() - MOST) + " more";
    }

    private static String have(List<Endpoint> endpoints) {
        return endpoints.size() == 1 ? " has" : " have";
    }

    private static String line(String what, List<Endpoint> endpoints) {
        return endpoints.isEmpty() ? "" : "\n  " + endpoints.size() + ' ' + what + ": " + named(endpoints);
    }

    private static String all(List<Endpoint> endpoints) {
        return endpoints.stream().map(Endpoint::toString).collect(Collectors.joining(", "));
    }

    private static List<Endpoint> of(Collection<Endpoint> endpoints, Coverage coverage) {
        return endpoints.stream().filter(each -> each.coverage() == coverage).toList();
    }
}
