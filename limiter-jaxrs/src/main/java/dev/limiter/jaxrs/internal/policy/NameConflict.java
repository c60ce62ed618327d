package dev.limiter.jaxrs.internal.policy;

import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Checks whether two declarations may share a name. A name is one bucket, so both must state it,
 * with the same key and the same members.
 */
public final class NameConflict {
    private NameConflict() {}

    /**
     * The expressions by which a limit chooses partition, tier and quota, as written.
     *
     * @param tier empty for a limit without tiers
     * @param quota empty for a limit without a bean that has its quotas
     */
    public record Choice(String key, String tier, String quota) {
        private Map<String, String> members() {
            return Map.of("key", key, "tier", tier, "quota", quota);
        }
    }

    /** A policy with its declaration. It has no site if configuration alone declares it. */
    record Declared(ReloadablePolicy policy, Choice choice, boolean named, DeclarationSite place) {}

    /**
     * Why a later declaration may not have the name of another one; null if it may.
     *
     * @param before the policy that has the name
     * @param named whether the name of the later declaration was written
     */
    static String of(
            Declared before, PolicyDeclaration declaration, Choice choice, boolean named, DeclarationSite place) {
        PolicyDeclaration other = before.policy().declaration();
        if (before.place().equals(place) && other.equals(declaration)) {
            return null;
        }
        if (!named || !before.named()) {
            return place.address("name") + "\"" + declaration.name() + "\" is also the name of the limit on "
                    + before.place().identity() + "; give both a name";
        }
        String difference = difference(declaration, other);
        if (difference != null) {
            return place.address(difference) + "\"" + declaration.name() + "\" is " + text(difference, declaration)
                    + " here and " + text(difference, other) + " on "
                    + before.place().shortName()
                    + "; one name is one bucket, so make them equal or rename one";
        }
        for (String member : List.of("key", "tier", "quota")) {
            String here = choice.members().get(member);
            String there = before.choice().members().get(member);
            if (!here.equals(there)) {
                return place.address(member) + "\"" + declaration.name() + "\" has the " + member + " \"" + here
                        + "\" here and \"" + there + "\" on " + before.place().shortName()
                        + "; one name is one bucket, so make them equal or rename one";
            }
        }
        return null;
    }

    /** A policy in a few words, including the member in which it differs from another. */
    private static String text(String difference, PolicyDeclaration declaration) {
        return switch (difference) {
            case "window" ->
                PolicyText.of(declaration.policy(), declaration.window().text());
            case "tiers" -> PolicyText.of(declaration.policy()) + " with " + PolicyText.of(declaration.tiers());
            case "onStoreFailure" ->
                PolicyText.of(declaration.policy()) + ", on store failure "
                        + declaration.policy().onStoreFailure();
            default -> PolicyText.of(declaration.policy());
        };
    }

    /** The first member in which two declarations of one name differ; null if they are equal. */
    private static String difference(PolicyDeclaration a, PolicyDeclaration b) {
        PolicyMembers one = a.policy().members();
        PolicyMembers other = b.policy().members();
        return PolicyMember.ALL.stream()
                .filter(member -> member != PolicyMember.LIMIT_VARIES && member != PolicyMember.PERIOD)
                .filter(member -> member == PolicyMember.WINDOW
                        ? !a.window().equals(b.window())
                        : !Objects.equals(one.get(member), other.get(member)))
                .findFirst()
                .map(PolicyMember::name)
                .orElse(a.tiers().equals(b.tiers()) ? null : "tiers");
    }
}
