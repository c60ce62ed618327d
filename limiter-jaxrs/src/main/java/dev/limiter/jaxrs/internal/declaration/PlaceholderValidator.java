package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.Stage;
import dev.limiter.jaxrs.KeyResolver;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.key.Placeholder;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
import java.util.List;

/**
 * Checks that the placeholders of a limit can have a value when it is decided. A request has no
 * user before authentication. It has no path parameter before matching. A bean exists only if
 * the application declares it.
 *
 * @param ofCalls whether calls of a bean's method are counted, which alone have parameters
 * @param beansAreThere whether CDI has started, so that a bean that cannot be found is a mistake
 * @param problems takes a line for each placeholder that cannot
 */
record PlaceholderValidator(
        Stage stage, boolean ofCalls, boolean beansAreThere, DeclarationSite place, List<String> problems) {

    /**
     * @param member of the annotation that has these placeholders
     */
    void check(String member, List<KeyValueSource> sources) {
        String instead = member.equals("key") ? "count on \"{ip}\", or choose" : "choose";
        for (KeyValueSource source : sources) {
            String placeholder = '"' + source.written() + '"';
            if (stage != Stage.AFTER_AUTHENTICATION && source.needsUser()) {
                problems.add(place.address(member) + placeholder + " is not known in stage " + stage + "; " + instead
                        + " AFTER_AUTHENTICATION");
            }
            if (stage == Stage.BEFORE_MATCHING && source.needsMatch()) {
                problems.add(place.address(member) + placeholder + " is not known before matching; " + instead
                        + " a later stage");
            }
            if (!ofCalls && source.placeholders().contains(Placeholder.PARAM)) {
                problems.add(place.address(member) + placeholder + " is a parameter of a bean's method, and a request"
                        + " has none; count on \"{query:...}\", \"{path:...}\" or \"{form:...}\"");
            }
            if (beansAreThere && source.is(Placeholder.BEAN)) {
                Platform.whyNoBean(KeyResolver.class, source.parameter())
                        .ifPresent(why -> problems.add(place.address(member)
                                + why
                                + (ofCalls
                                        ? ""
                                        : ", or have a filter set an attribute, for \"{attribute:" + source.parameter()
                                                + "}\"")));
            }
        }
    }
}
