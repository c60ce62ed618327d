package dev.limiter.jaxrs;

import dev.limiter.RateLimitExempt;
import java.util.ArrayList;
import java.util.List;

/** What {@code @RateLimitExempt} takes out of limits declared further out: all, or those of some names. */
record Exemption(boolean present, List<String> names, Place place) {

    static Exemption of(LimitAnnotations.Written written, Place place) {
        List<String> names =
                written.exemption().map(RateLimitExempt::value).map(List::of).orElse(List.of());
        return new Exemption(written.exemption().isPresent(), names, place);
    }

    /** The limits that stay, in a list that can grow; a name that none of them has is a problem. */
    List<Limit> from(List<Limit> limits, List<String> problems) {
        if (!present) {
            return new ArrayList<>(limits);
        }
        List<String> known = limits.stream().map(Limit::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                problems.add("@RateLimitExempt.value on " + place.shortName() + ": \"" + name
                        + "\" names no limit of the class or the application; " + Nearest.suggest(name, known));
            }
        }
        return new ArrayList<>(limits.stream()
                .filter(limit -> !names.isEmpty() && !names.contains(limit.name()))
                .toList());
    }
}
