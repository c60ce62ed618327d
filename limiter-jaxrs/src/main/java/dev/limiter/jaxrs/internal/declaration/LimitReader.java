package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.Algorithm;
import dev.limiter.Algorithm.Member;
import dev.limiter.Policy;
import dev.limiter.RateLimited;
import dev.limiter.Stage;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.internal.key.CostExpression;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.StatusSet;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.policy.CallerPeriod;
import dev.limiter.jaxrs.internal.policy.DeclarationSite;
import dev.limiter.jaxrs.internal.policy.DeclaredWindow;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.NameConflict;
import dev.limiter.jaxrs.internal.policy.PolicyDeclaration;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.policy.ReloadablePolicy;
import dev.limiter.jaxrs.internal.quota.QuotaBean;
import dev.limiter.jaxrs.internal.signals.MeterSheet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Reads the members of {@link RateLimited}: makes a {@link Limit}, or reports the problems. No
 * other class reads them.
 *
 * @param ofCalls whether the limits count calls of a bean's method instead of requests
 * @param beansAreThere whether CDI has started, so that a bean that cannot be found is a mistake
 */
record LimitReader(PolicyRegistry policies, boolean ofCalls, boolean beansAreThere) {
    /** All limits written on one element. */
    List<Limit> read(
            AnnotationFinder.Written written, DeclarationSite place, boolean onApplication, List<String> problems) {
        List<Limit> limits = new ArrayList<>();
        int declared = written.limits().size();
        for (AnnotationFinder.Found found : written.limits()) {
            DeclarationSite here = place.via(found.via());
            if (declared > 1 && found.limited().name().isEmpty()) {
                problems.add(here.address("name") + "is missing; there are " + declared
                        + " limits here, so each needs a name");
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
        KeyExpression.Segment tier = tier(limited, place, problems);
        QuotaBean quota = quota(limited, place, problems);
        if (limited.stage() == Stage.BEFORE_MATCHING && !onApplication) {
            problems.add(place.address("stage")
                    + "BEFORE_MATCHING is for the Application only: before matching this place is not known");
        }
        PlaceholderValidator sources =
                new PlaceholderValidator(limited.stage(), ofCalls, beansAreThere, place, problems);
        sources.check("key", key == null ? List.of() : key.sources());
        sources.check("cost", cost == null ? List.of() : cost.sources());
        sources.check("tier", tier == null ? List.of() : tier.alternatives());
        CallerPeriod periods = declaration == null ? null : declaration.callerPeriod();
        sources.check("window", periods == null ? List.of() : periods.sources());
        if (problems.size() > before) {
            return null;
        }
        NameConflict.Choice choice = new NameConflict.Choice(limited.key(), limited.tier(), limited.quota());
        ReloadablePolicy policy =
                policies.admit(declaration, choice, !limited.name().isEmpty(), place, problems);
        if (policy == null) {
            return null;
        }
        requireFitting(limited, cost, declaration.policy(), place, problems);
        policy.quotaFrom(quota);
        policy.chosenBy(new ReloadablePolicy.Choice(key, tier));
        return new Limit(
                policy,
                key.whenMissing(() -> policy.lacks(MeterSheet.KEY_MISSING)),
                cost,
                tier,
                countOn,
                limited.stage());
    }

    /** The expression that names the caller's tier; null without one, or with a wrong one. */
    private KeyExpression.Segment tier(RateLimited limited, DeclarationSite place, List<String> problems) {
        boolean declared = limited.tiers().length > 0;
        boolean has = declared || policies.hasTiersInConfiguration(name(limited, place));
        if (limited.tier().isEmpty()) {
            if (has) {
                problems.add(place.address("tier") + "is missing"
                        + (declared ? "" : ", but configuration has numbers of a tier")
                        + "; write where to find the caller's tier, such as \"{claim:plan}\"");
            }
            return null;
        }
        if (!has) {
            problems.add(place.address("tiers") + "is missing; write limit and burst of each tier, such as"
                    + " tiers = @Tier(name = \"gold\", limit = 6000)");
        }
        Function<String, KeyExpression.Segment> reader =
                text -> KeyExpression.ofServer(text, "{claim:plan}", "choose the best tier");
        return read("tier", limited.tier(), reader, place, problems);
    }

    /** The bean that has the quotas of partitions; null without one, or with a wrong one. */
    private QuotaBean quota(RateLimited limited, DeclarationSite place, List<String> problems) {
        QuotaBean bean =
                read("quota", limited.quota(), text -> QuotaBean.compile(text, policies.contracts()), place, problems);
        if (!limited.quota().isEmpty() && (!limited.tier().isEmpty() || limited.tiers().length > 0)) {
            problems.add(
                    place.address("quota")
                            + "cannot be combined with tier and tiers; let the bean return the quota of each tier, or leave it out");
        } else if (bean != null && beansAreThere) {
            Platform.whyNoBean(QuotaSource.class, bean.name())
                    .ifPresent(why -> problems.add(place.address("quota") + why));
        }
        return bean;
    }

    private static String name(RateLimited limited, DeclarationSite place) {
        return limited.name().isEmpty() ? place.shortName() : limited.name();
    }

    private static PolicyDeclaration declaration(RateLimited limited, DeclarationSite place, List<String> problems) {
        boolean windowless = !limited.algorithm().accepts(Member.WINDOW);
        if (windowless && !limited.window().isEmpty()) {
            problems.add(place.address("window") + "\"" + limited.window() + "\" has no meaning for "
                    + limited.algorithm() + ", whose limit is how many are in flight; leave it out");
        }
        if (!windowless && limited.window().isEmpty()) {
            problems.add(place.address("window") + "window is missing; write how long " + limited.limit()
                    + " units last, such as \"10s\"");
        }
        DeclaredWindow window = windowless
                ? DeclaredWindow.of(Policy.DEFAULT_LEASE)
                : read("window", limited.window(), LimitReader::window, place, problems);
        PolicyMembers written = PolicyMembers.of(name(limited, place), limited.algorithm(), limited.limit());
        for (PolicyMember<?> member : PolicyMember.ALL) {
            written = declared(written, member, limited, place, problems);
        }
        return new PolicyDeclaration(
                written,
                window,
                TierReader.read(limited, place, problems),
                !limited.quota().isEmpty());
    }

    private static <T> PolicyMembers declared(
            PolicyMembers written,
            PolicyMember<T> member,
            RateLimited limited,
            DeclarationSite place,
            List<String> problems) {
        return member == PolicyMember.NAME
                ? written
                : written.with(member, read(member.name(), limited, member::declared, place, problems));
    }

    /** Reads a window; null if it is not written, which is a problem of its own. */
    private static DeclaredWindow window(String text) {
        return text.isEmpty() ? null : DeclaredWindow.parse(text);
    }

    private static <S, T> T read(
            String member, S written, Function<S, T> reader, DeclarationSite place, List<String> problems) {
        try {
            return reader.apply(written);
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
        } else if (cost == CostExpression.BY_METHOD && !algorithm.accepts(Member.COUNT_ON)) {
            problems.add(place.address("cost") + "\"0\" lets the method settle the units, but " + algorithm
                    + " gives none back; use another algorithm");
        } else if (cost == CostExpression.BY_METHOD && algorithm == Algorithm.UNIFORM) {
            problems.add(place.address("cost") + "\"0\" lets the method set the units, but " + algorithm
                    + " counts each request as 1; use GCRA, or leave it out");
        } else if (cost.fixed() > policy.maxCost()) {
            problems.add(place.address("cost") + "a request of " + cost.fixed()
                    + " units could never pass; write at most " + policy.maxCost());
        }
        if (!limited.countOn().isEmpty() && !algorithm.accepts(Member.COUNT_ON)) {
            problems.add(place.address("countOn") + "\"" + limited.countOn() + "\" has no meaning for " + algorithm
                    + ", which counts requests and no responses; leave it out");
        }
    }
}
