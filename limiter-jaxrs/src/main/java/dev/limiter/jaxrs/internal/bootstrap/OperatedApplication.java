package dev.limiter.jaxrs.internal.bootstrap;

import dev.limiter.Check;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.key.Placeholder;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.platform.Platform;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.policy.PolicyDeclaration;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.policy.PolicyVersion;
import dev.limiter.jaxrs.internal.policy.ReloadablePolicy;
import dev.limiter.jaxrs.internal.request.BoundLimit;
import dev.limiter.jaxrs.internal.request.RequestLimits;
import dev.limiter.jaxrs.internal.settings.ChangedSettings;
import dev.limiter.jaxrs.internal.settings.PolicySettingNames;
import dev.limiter.jaxrs.internal.signals.Listeners;
import dev.limiter.jaxrs.internal.signals.StoreState;
import dev.limiter.spi.Settings;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** What the module for operators sees of an application, and may change in it. */
public final class OperatedApplication {
    /** They say what is called. */
    private static final Set<Placeholder> OF_A_REQUEST = Set.of(Placeholder.VERB, Placeholder.ENDPOINT);

    private final Settings settings;
    private final PolicyRegistry policies;
    private final ApplicationLimits limits;
    private final Lazy<Listeners> listeners;

    OperatedApplication(
            Settings settings, PolicyRegistry policies, ApplicationLimits limits, Lazy<Listeners> listeners) {
        this.settings = settings;
        this.policies = policies;
        this.limits = limits;
        this.listeners = listeners;
    }

    public Settings settings() {
        return settings;
    }

    public DeployedLimits limits() {
        return limits;
    }

    /**
     * A policy in force.
     *
     * @param tiers those with numbers of their own; null for one that is not limited
     * @param origins by member, where its value comes from
     */
    public record PolicyInForce(
            Policy policy, Map<String, Policy> tiers, boolean enabled, Map<String, String> origins) {}

    /** All policies, in the order of their names. */
    public List<PolicyInForce> policies() {
        return policies.all().stream().map(this::inForce).toList();
    }

    private PolicyInForce inForce(ReloadablePolicy live) {
        PolicyVersion version = live.version();
        Map<String, Policy> tiers = new LinkedHashMap<>();
        version.tiers().forEach((tier, each) -> tiers.put(tier, each.policy()));
        version.unlimited().forEach(tier -> tiers.put(tier, null));
        return new PolicyInForce(version.policy(), tiers, version.enabled(), origins(live.name(), version));
    }

    private Map<String, String> origins(String name, PolicyVersion version) {
        Map<String, String> origins = new LinkedHashMap<>();
        for (String configured : version.configured()) {
            String member = configured.substring(0, configured.indexOf('='));
            String changed = policies.operators().values().get(PolicySettingNames.PREFIX + name + '.' + member);
            boolean isInForce = changed != null && configured.equals(member + '=' + changed.strip());
            origins.put(member, isInForce ? "change" : "configuration");
        }
        return origins;
    }

    /** Whether a policy of this name is deployed. */
    public boolean has(String policy) {
        return policies.version(policy) != null;
    }

    /**
     * A policy that is decided beside one in force, and rejects nothing.
     *
     * @param version equal for the same numbers
     */
    public record Candidate(Policy policy, Object version) {}

    /** The candidate for the callers of a policy in force; null if there is none. */
    public Candidate candidate(Policy inForce) {
        PolicyVersion version = policies.version(inForce.name());
        Policy candidate = version == null ? null : version.candidateFor(inForce);
        return candidate == null ? null : new Candidate(candidate, candidateVersion(inForce.name()));
    }

    /** The version of a policy's candidate, equal for equal numbers; null if there is none. */
    public Object candidateVersion(String policy) {
        PolicyVersion version = policies.version(policy);
        return version == null || version.candidate() == null
                ? null
                : version.candidate().declaration();
    }

    /**
     * The policy with changes. Refuses those that cannot be in force, with the text that
     * configuration would get.
     *
     * @param changes values by the name of the setting; those of other policies are left alone
     * @throws IllegalArgumentException if there is no such policy, with the nearest name, or a
     *     value cannot be read or breaks a rule
     */
    public Policy requirePossible(String policy, Map<String, String> changes) {
        ReloadablePolicy live = policies.named(policy);
        PolicyDeclaration declaration = live.declaration();
        boolean hasTiers = live.choice() != null && live.choice().tier() != null;
        Set<String> tiers = hasTiers ? declaration.tiers().keySet() : null;
        List<String> problems =
                PolicySettingNames.problems(policy, tiers, new ChangedSettings(changes, name -> Optional.empty()));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(problems.get(0));
        }
        return policies.operators().with(changes, declaration).policy();
    }

    /** The policy with the numbers of one partition. Refuses those that it cannot have. */
    public Policy requirePossible(String policy, QuotaSource.Quota quota) {
        ReloadablePolicy live = policies.named(policy);
        return live.with(live.version(), quota.limit(), quota.burst()).policy();
    }

    /** The policy as it is without changes, for callers of no tier. */
    public Policy unchanged(String policy) {
        PolicyDeclaration declaration = policies.named(policy).declaration();
        return policies.operators().with(Map.of(), declaration).policy();
    }

    /**
     * The partition of a caller, also of one that the policy does not count.
     *
     * @throws IllegalArgumentException as {@link DeployedLimits#check} does
     */
    public PartitionKey partition(String policy, Map<String, String> caller) {
        return limits.partition(policy, caller);
    }

    /** Has changes read for every request, when it is time. */
    public void readBy(Runnable whenDue) {
        policies.operators().readBy(whenDue);
    }

    /**
     * Puts changes in force.
     *
     * @param changes values by the name of the setting
     * @param callers by policy, what gives a partition numbers of its own, or null
     */
    public void change(Map<String, String> changes, Map<String, Function<PartitionKey, QuotaSource.Quota>> callers) {
        policies.operators().become(changes, callers);
    }

    /** The limits of a caller that any request of it meets. */
    public record CallerLimit(String tier, Check check) {}

    /**
     * The limits that concern the caller of a request: their keys say who calls, and nothing of
     * what is called. A key that the caller writes may be another caller's. Clients may know of
     * them.
     *
     * @throws IllegalStateException if the request has not passed the filters
     */
    public List<CallerLimit> concerning(ContainerRequestContext request) {
        LimitedRequest caller = RateLimits.of(request) instanceof RequestLimits known ? known.caller() : null;
        if (caller == null) {
            throw new IllegalStateException("this request has not passed the filters of the limiter");
        }
        List<CallerLimit> concerning = new ArrayList<>();
        if (!policies.enabled() || limits.exempt().contains(caller)) {
            return concerning;
        }
        for (ReloadablePolicy policy : policies.all()) {
            BoundLimit bound = isOfCaller(policy) ? BoundLimit.of(Limit.ofCaller(policy), caller) : null;
            if (bound != null && bound.effective().published()) {
                concerning.add(new CallerLimit(bound.tier(), bound.check()));
            }
        }
        return concerning;
    }

    private static boolean isOfCaller(ReloadablePolicy policy) {
        if (policy.choice() == null) {
            return false;
        }
        List<KeyValueSource> sources = policy.choice().key().sources();
        return sources.stream()
                        .noneMatch(source -> source.isChangedByCaller()
                                || source.placeholders().stream().anyMatch(OF_A_REQUEST::contains))
                && !sources.stream().allMatch(KeyValueSource::isLiteral);
    }

    /** The known state of each node of the store that ever failed. */
    public Map<String, StoreState.Node> store() {
        return listeners.get().store().nodes();
    }

    /** What fires events of CDI on any thread; empty without CDI. To be called when CDI runs. */
    public static Optional<Consumer<Object>> events() {
        return Platform.beansAreKnown() && Platform.hasCdi() ? Optional.of(CdiEvent.fire()) : Optional.empty();
    }

    /** A class of its own, so that the types of CDI are loaded only where they exist. */
    private static final class CdiEvent {
        static Consumer<Object> fire() {
            Event<Object> event = CDI.current().getBeanManager().getEvent();
            return event::fire;
        }
    }
}
