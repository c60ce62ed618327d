package dev.limiter.quarkus;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.Config;

/** What Quarkus refuses by the path of a request, before Jakarta REST and so before all limits. */
final class HttpPermissions {
    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");
    private static final Pattern POLICY = Pattern.compile("(quarkus\\.http\\.auth\\.permission\\..+)\\.policy");

    private HttpPermissions() {}

    /** Warns that limits before authentication do not count what is refused so. */
    static void warn(Config config) {
        List<String> refusing = StreamSupport.stream(config.getPropertyNames().spliterator(), false)
                .map(POLICY::matcher)
                .filter(Matcher::matches)
                .filter(policy -> !isPermit(config, policy.group()) && !isOfRest(config, policy.group(1)))
                .map(Matcher::group)
                .sorted()
                .toList();
        if (!refusing.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Limits before authentication do not count what {0} refuses, since that is before Jakarta REST;"
                            + " write applies-to=jaxrs beside it, or guard the methods by annotations",
                    String.join(" and ", refusing));
        }
    }

    private static boolean isPermit(Config config, String policy) {
        return config.getValue(policy, String.class).equals("permit");
    }

    private static boolean isOfRest(Config config, String permission) {
        return config.getOptionalValue(permission + ".applies-to", String.class)
                .filter("jaxrs"::equalsIgnoreCase)
                .isPresent();
    }
}
