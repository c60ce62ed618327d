package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Algorithm;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.jaxrs.RateLimitDeploymentException;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.settings.PolicySettingNames;
import dev.limiter.jaxrs.internal.settings.SettingsCheck;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A policy that configuration alone declares: it has a key, an algorithm, a limit and a window
 * there.
 *
 * @param name of the policy
 */
record ConfigurationPolicy(String name, Settings settings) {

    /**
     * @param lease how long a lease lasts without renewal
     * @param operated whether operators may change it
     * @throws RateLimitDeploymentException with every member that has no meaning
     * @throws InvalidSettingException if a member is missing, or cannot be used
     */
    ReloadablePolicy read(Duration lease, boolean operated) {
        SettingsCheck.refuse(PolicySettingNames.problems(name, null, settings));
        KeyExpression key = key();
        requireWhole();
        PolicyDeclaration nothing = new PolicyDeclaration(PolicyMembers.of(name, null, 0), null, Map.of(), operated);
        ReloadablePolicy policy =
                new ReloadablePolicy(nothing, new PolicyOverrides(name, settings, lease, operated).over(nothing));
        if (!key.sources().stream().allMatch(KeyValueSource::isLiteral)) {
            policy.chosenBy(new ReloadablePolicy.Choice(key, null));
        }
        return policy;
    }

    private KeyExpression key() {
        try {
            return KeyExpression.compile(settings.value(member("key")).orElse(""));
        } catch (IllegalArgumentException wrong) {
            throw new InvalidSettingException(member("key"), wrong.getMessage());
        }
    }

    /**
     * Refuses a key without other members: it is an unfinished declaration, or was meant for the
     * policy of an annotation.
     */
    private void requireWhole() {
        String algorithm = settings.value(member("algorithm")).orElse("").strip();
        boolean leases = Stream.of(Algorithm.values())
                .anyMatch(each ->
                        !each.accepts(Algorithm.Member.WINDOW) && each.name().equalsIgnoreCase(algorithm));
        String missing = Stream.of("algorithm", "limit", "window")
                .filter(each -> !(leases && each.equals("window")))
                .filter(each -> settings.value(member(each)).isEmpty())
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            throw new InvalidSettingException(
                    member("key"),
                    "declares a policy without " + missing + "; set them, or remove the key if an"
                            + " annotation declares the policy");
        }
    }

    private String member(String each) {
        return PolicySettingNames.PREFIX + name + '.' + each;
    }
}
