package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.Check;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.ClientAddress;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.Endpoint;
import dev.limiter.jaxrs.internal.address.ExemptAddresses;
import dev.limiter.jaxrs.internal.address.ForwardedClientAddress;
import dev.limiter.jaxrs.internal.declaration.DeployedEndpoints;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.policy.ReloadablePolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The limits of an application, for code that is not about a request. */
record ApplicationLimits(
        Lazy<RateLimiter> limiters,
        PolicyRegistry policies,
        ExemptAddresses exempt,
        Lazy<ClientAddress> addresses,
        DeployedEndpoints deployed)
        implements DeployedLimits {

    @Override
    public RateLimiter limiter() {
        return limiters.get();
    }

    @Override
    public Policy policy(String name) {
        return policies.namedNow(name).version().policy();
    }

    @Override
    public Set<String> policyNames() {
        return policies.names().keySet();
    }

    @Override
    public Optional<Check> check(String policy, Map<String, String> caller) {
        ReloadablePolicy live = policies.namedNow(policy);
        StatedCaller stated = stated(live, caller);
        stated.tier(); // is refused if it is not stated, also where nothing counts the caller
        if (!policies.enabled() || stated.hasAddress() && exempt.contains(stated)) {
            return Optional.empty();
        }
        return Optional.ofNullable(live.of(stated)).map(effective -> Check.of(effective.policy(), stated.key()));
    }

    /** The partition of a caller, also of one that the policy does not count. */
    PartitionKey partition(String policy, Map<String, String> caller) {
        return stated(policies.named(policy), caller).key();
    }

    private StatedCaller stated(ReloadablePolicy live, Map<String, String> caller) {
        if (live.choice() == null) {
            throw new IllegalArgumentException("policy \"" + live.name()
                    + "\" of the configuration has a key without a placeholder, so it cannot tell callers apart;"
                    + " use policy(\"" + live.name() + "\") with a key of your own");
        }
        return new StatedCaller(live, caller, this::partition);
    }

    @Override
    public List<Endpoint> endpoints() {
        return deployed.all();
    }

    /**
     * An address as requests from it are counted; as it is written, if a bean of the application
     * names clients.
     *
     * @throws IllegalArgumentException if it is no address
     */
    private String partition(String address) {
        return addresses.get() instanceof ForwardedClientAddress builtIn ? builtIn.partition(address) : address;
    }
}
