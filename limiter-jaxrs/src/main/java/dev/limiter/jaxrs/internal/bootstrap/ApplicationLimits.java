package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import dev.limiter.jaxrs.internal.policy.ReloadablePolicy;
import java.util.Map;
import java.util.Optional;

/** The limits of an application, from its deployment. */
public record ApplicationLimits(ApplicationRuntime deployment) implements DeployedLimits {

    @Override
    public RateLimiter limiter() {
        return deployment.limiter();
    }

    @Override
    public Policy policy(String name) {
        return deployment.policies().named(name).numbers().policy();
    }

    @Override
    public Optional<Check> demand(String policy, Map<String, String> caller) {
        ReloadablePolicy live = deployment.policies().named(policy);
        if (live.choice() == null) {
            throw new IllegalArgumentException(
                    "policy \"" + policy + "\" is declared in configuration alone, and the code"
                            + " that asks it makes its keys; use policy(\"" + policy + "\") with such a key");
        }
        StatedCaller stated = new StatedCaller(live, caller, deployment);
        EffectivePolicy quota = live.numbers().of(stated.tier());
        boolean counted = quota != null && deployment.policies().enabled() && !stated.isExempt();
        return counted ? Optional.of(Check.of(quota.policy(), stated.partition())) : Optional.empty();
    }
}
