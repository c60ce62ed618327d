package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.RateLimitExempt;
import dev.limiter.jaxrs.internal.platform.Suggestions;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
import dev.limiter.jaxrs.internal.policy.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The {@code @RateLimitExempt} of an element. It exempts from limits of the class or the
 * application: from all, or from those of some names.
 */
record ExemptionReader(boolean present, List<String> names, DeclarationSite place) {

    static ExemptionReader of(AnnotationFinder.Written written, DeclarationSite place) {
        List<RateLimitExempt> exemptions = written.exemptions();
        boolean ofAll = exemptions.stream().anyMatch(each -> each.value().length == 0);
        List<String> names = exemptions.stream()
                .flatMap(each -> Stream.of(each.value()))
                .distinct()
                .toList();
        return new ExemptionReader(!exemptions.isEmpty(), ofAll ? List.of() : names, place);
    }

    /**
     * The limits that stay, in a list that can grow; a name that none of them has is a problem.
     *
     * @param early the limits that are decided before matching, when the filter knows no
     *     exemption
     */
    List<Limit> from(List<Limit> limits, List<Limit> early, List<String> problems) {
        if (!present) {
            return new ArrayList<>(limits);
        }
        List<String> known = limits.stream().map(Limit::name).toList();
        for (String name : names) {
            if (early.stream().anyMatch(limit -> limit.name().equals(name))) {
                problems.add("@RateLimitExempt.value on " + place.shortName() + ": \"" + name
                        + "\" is decided before matching, when this place is not known; leave it out, or give the limit"
                        + " a later stage");
            } else if (!known.contains(name)) {
                problems.add("@RateLimitExempt.value on " + place.shortName() + ": \"" + name
                        + "\" names no limit of the class or the application; " + Suggestions.suggest(name, known));
            }
        }
        return new ArrayList<>(limits.stream()
                .filter(limit -> !names.isEmpty() && !names.contains(limit.name()))
                .toList());
    }
}
