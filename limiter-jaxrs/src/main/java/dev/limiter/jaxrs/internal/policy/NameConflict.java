package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Policy;
import java.util.List;
import java.util.Objects;

/**
 * Checks whether two declarations may share a name. A name is one bucket, so both must state it,
 * with the same key and the same numbers.
 */
public final class NameConflict {
    private NameConflict() {}

    /**
     * The expressions by which a limit chooses partition and tier of a request, as written.
     *
     * @param tier empty for a limit without tiers
     */
    public record Choice(String key, String tier) {}

    /**
     * @param before the policy that has the name
     * @param named whether the name of the later declaration was written
     * @param problems takes the reason if they may not
     */
    static boolean isAllowed(
            PolicyRegistry.Declared before,
            PolicyDeclaration declaration,
            Choice choice,
            boolean named,
            DeclarationSite place,
            List<String> problems) {
        PolicyDeclaration other = before.policy().declaration();
        if (before.place().equals(place) && other.equals(declaration)) {
            return true;
        }
        if (!named || !before.named()) {
            problems.add(place.address("name") + "\"" + declaration.name() + "\" is also the name of the limit on "
                    + before.place().identity() + "; give both a name");
            return false;
        }
        String difference = difference(declaration, other);
        if (difference != null) {
            problems.add(
                    place.address(difference) + "\"" + declaration.name() + "\" is " + text(difference, declaration)
                            + " here and " + text(difference, other) + " on "
                            + before.place().shortName()
                            + "; one name is one bucket, so give equal numbers or another name");
            return false;
        }
        if (!choice.equals(before.choice())) {
            problems.add(chosenOtherwise(before, declaration, choice, place));
            return false;
        }
        return true;
    }

    private static String chosenOtherwise(
            PolicyRegistry.Declared before, PolicyDeclaration declaration, Choice choice, DeclarationSite place) {
        boolean keys = !choice.key().equals(before.choice().key());
        String here = keys ? choice.key() : choice.tier();
        String there = keys ? before.choice().key() : before.choice().tier();
        return place.address(keys ? "key" : "tier") + "\"" + declaration.name() + "\" has "
                + (keys ? "the key \"" : "the tier \"") + here + "\" here and \"" + there + "\" on "
                + before.place().shortName() + "; one name is one bucket, so give equal " + (keys ? "keys" : "tiers")
                + " or another name";
    }

    /** A policy in a few words, including the member in which it differs from another. */
    private static String text(String difference, PolicyDeclaration declaration) {
        return switch (difference) {
            case "tiers" -> PolicyText.of(declaration.policy()) + " with " + PolicyText.of(declaration.tiers());
            case "onStoreFailure" ->
                PolicyText.of(declaration.policy()) + ", on store failure " + declaration.onStoreFailure();
            default -> PolicyText.of(declaration.policy());
        };
    }

    /** The first member in which two declarations of one name differ; null if they are equal. */
    private static String difference(PolicyDeclaration a, PolicyDeclaration b) {
        Policy one = a.policy();
        Policy other = b.policy();
        if (one.algorithm() != other.algorithm()) {
            return "algorithm";
        }
        if (one.limit() != other.limit()) {
            return "limit";
        }
        if (!one.window().equals(other.window())) {
            return "window";
        }
        if (one.burst() != other.burst()) {
            return "burst";
        }
        if (one.refill() != other.refill()) {
            return "refill";
        }
        if (one.borrow() != other.borrow()) {
            return "borrow";
        }
        if (!one.maxWait().equals(other.maxWait())) {
            return "maxWait";
        }
        if (one.shadow() != other.shadow()) {
            return "shadow";
        }
        if (!Objects.equals(a.tiers(), b.tiers())) {
            return "tiers";
        }
        return a.onStoreFailure() == b.onStoreFailure() ? null : "onStoreFailure";
    }
}
