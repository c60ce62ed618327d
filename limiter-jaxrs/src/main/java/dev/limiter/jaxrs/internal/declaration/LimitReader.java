package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.Algorithm;
import dev.limiter.Algorithm.Member;
import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.Stage;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.plan.CostExpression;
import dev.limiter.jaxrs.internal.plan.Limit;
import dev.limiter.jaxrs.internal.plan.StatusSet;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
import dev.limiter.jaxrs.internal.policy.NameConflict;
import dev.limiter.jaxrs.internal.policy.PartitionChoice;
import dev.limiter.jaxrs.internal.policy.PolicyDeclaration;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.policy.ReloadablePolicy;
import dev.limiter.spi.DurationNotation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Reads the members of {@link RateLimited}: makes a {@link Limit}, or reports the problems. No
 * other class reads them.
 */
final class LimitReader {
    private final PolicyRegistry policies;
    private final boolean beansAreThere;

    /**
     * @param beansAreThere whether CDI has started, so that a bean that cannot be found is a
     *     mistake
     */
    LimitReader(PolicyRegistry policies, boolean beansAreThere) {
        this.policies = policies;
        this.beansAreThere = beansAreThere;
    }

    /** All limits written on one element. */
    List<Limit> read(
            AnnotationFinder.Written written, DeclarationSite place, boolean onApplication, List<String> problems) {
        List<Limit> limits = new ArrayList<>();
        int declared = written.limits().size();
        for (AnnotationFinder.Found found : written.limits()) {
            DeclarationSite here = place.via(found.via());
            if (declared > 1 && found.limited().name().isEmpty()) {
                problems.add(here.address("name") + "is missing; where one element carries " + declared
                        + " limits, each must have a name");
                continue;
            }
            Limit limit = limit(found.limited(), here, onApplication, problems);
            if (limit != null) {
                limits.add(limit);
            }
        }
        return limits;
    }

    /** Reads a limit and reports all its problems, not only the first; null if there are any. */
    private Limit limit(RateLimited limited, DeclarationSite place, boolean onApplication, List<String> problems) {
        int before = problems.size();
        KeyExpression key = read("key", limited.key(), KeyExpression::compile, place, problems);
        CostExpression cost = read("cost", limited.cost(), CostExpression::compile, place, problems);
        StatusSet countOn = read("countOn", limited.countOn(), StatusSet::parse, place, problems);
        PolicyDeclaration declaration = declaration(limited, place, problems);
        KeyExpression.Segment tier =
                TierReader.compile(limited, place, problems, policies.hasTiersInConfiguration(name(limited, place)));
        if (limited.stage() == Stage.BEFORE_MATCHING && !onApplication) {
            problems.add(place.address("stage")
                    + "BEFORE_MATCHING is for the Application only: before matching nobody knows of this place");
        }
        PlaceholderValidator sources = new PlaceholderValidator(limited.stage(), beansAreThere, place, problems);
        sources.check("key", key == null ? List.of() : key.sources());
        sources.check("cost", cost == null ? List.of() : cost.sources());
        sources.check("tier", tier == null ? List.of() : tier.alternatives());
        if (problems.size() > before) {
            return null;
        }
        NameConflict.Choice choice = new NameConflict.Choice(limited.key(), limited.tier());
        ReloadablePolicy policy =
                policies.admit(declaration, choice, !limited.name().isEmpty(), place, problems);
        if (policy == null) {
            return null;
        }
        requireFitting(limited, cost, declaration.policy(), place, problems);
        Limit limit = new Limit(policy, key.whenMissing(policy::keyMissing), cost, tier, countOn, limited.stage());
        policy.chosenBy(new PartitionChoice(limit.key(), tier));
        return limit;
    }

    private static String name(RateLimited limited, DeclarationSite place) {
        return limited.name().isEmpty() ? place.shortName() : limited.name();
    }

    private static PolicyDeclaration declaration(RateLimited limited, DeclarationSite place, List<String> problems) {
        Duration window = read("window", limited.window(), LimitReader::span, place, problems);
        Duration maxWait = read("maxWait", limited.maxWait(), LimitReader::span, place, problems);
        boolean windowless = !limited.algorithm().accepts(Member.WINDOW);
        if (windowless && !limited.window().isEmpty()) {
            problems.add(place.address("window") + "\"" + limited.window() + "\" has no meaning for "
                    + limited.algorithm() + ", whose limit is how many are in flight; leave it out");
        }
        if (!windowless && limited.window().isEmpty()) {
            problems.add(place.address("window") + "window is missing; write how long " + limited.limit()
                    + " units last, such as \"10s\"");
        }
        return new PolicyDeclaration(
                name(limited, place),
                limited.algorithm(),
                limited.limit(),
                windowless ? Policy.DEFAULT_LEASE : window,
                limited.burst(),
                limited.refill(),
                limited.borrow(),
                maxWait,
                false,
                limited.shadow(),
                TierReader.read(limited, place, problems),
                limited.onStoreFailure());
    }

    /** Reads a span; null if it is not written. The policy checks whether it may be missing. */
    private static Duration span(String text) {
        return text.isEmpty() ? null : DurationNotation.parse(text);
    }

    private static <T> T read(
            String member, String text, Function<String, T> reader, DeclarationSite place, List<String> problems) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException wrong) {
            problems.add(place.address(member) + wrong.getMessage());
            return null;
        }
    }

    private static void requireFitting(
            RateLimited limited, CostExpression cost, Policy policy, DeclarationSite place, List<String> problems) {
        Algorithm algorithm = policy.algorithm();
        if (!algorithm.accepts(Member.COST) && cost.fixed() != 1) {
            problems.add(place.address("cost") + algorithm
                    + " counts requests in flight, each as 1; leave it out, was \"" + limited.cost() + "\"");
        } else if (cost.fixed() > policy.maxCost()) {
            problems.add(place.address("cost") + "a request of " + cost.fixed()
                    + " units could never pass: one may take at most " + policy.maxCost());
        }
        if (!limited.countOn().isEmpty() && !algorithm.accepts(Member.COUNT_ON)) {
            problems.add(place.address("countOn") + "\"" + limited.countOn() + "\" has no meaning for " + algorithm
                    + ", which counts requests and no responses; leave it out");
        }
    }
}
