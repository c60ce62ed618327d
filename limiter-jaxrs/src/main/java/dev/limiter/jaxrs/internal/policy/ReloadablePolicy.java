package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Algorithm;
import dev.limiter.InvalidPolicyException;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.signals.MeterSheet;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A policy of the application: its name, and the version in force, which configuration can
 * change while requests run.
 */
public final class ReloadablePolicy {
    private final PolicyDeclaration declaration;
    private final Supplier<RequestSignals> signals;
    private volatile PolicyVersion version;
    private volatile Choice choice;
    private volatile QuotaBean quota;
    private volatile OperatorChanges.CallerNumbers callers;
    private volatile CallerPeriod callerPeriod;
    private final Set<Set<String>> beside = ConcurrentHashMap.newKeySet();
    private volatile boolean refundable;

    /**
     * How an annotation chooses partition and tier of a request.
     *
     * @param tier null for a policy without tiers
     */
    public record Choice(KeyExpression key, KeyExpression.Segment tier) {}

    /** A policy of which callers state the key, and no tier. */
    public ReloadablePolicy(PolicyDeclaration declaration, PolicyVersion version) {
        this(declaration, version, () -> RequestSignals.NONE);
    }

    /** @param signals receives requests that lack a key part or a tier */
    ReloadablePolicy(PolicyDeclaration declaration, PolicyVersion version, Supplier<RequestSignals> signals) {
        this.declaration = declaration;
        this.signals = signals;
        become(version);
    }

    public String name() {
        return declaration.name();
    }

    /** Notes the limits that count the same at one of the endpoints where it counts. */
    public void standsBeside(Set<String> limits) {
        beside.add(limits);
    }

    /** Whether another limit counts the same at each endpoint that is known so far. */
    public boolean isAlwaysBeside(String limit) {
        return beside.stream().allMatch(each -> each.contains(limit));
    }

    /** How an annotation chooses partitions and tiers of this policy; null if none does. */
    public Choice choice() {
        return choice;
    }

    /**
     * Notes how an annotation chooses partitions; of several annotations the first one counts.
     */
    public void chosenBy(Choice declared) {
        choice = choice == null ? declared : choice;
    }

    /** The bean that has the quota of each partition; null if all have the declared one. */
    public QuotaBean quota() {
        return quota;
    }

    /** Takes the quota of each partition from a bean, which all declarations name. */
    public void quotaFrom(QuotaBean bean) {
        quota = bean;
    }

    /**
     * Takes the numbers of single partitions from operators.
     *
     * @param numbers null for a partition without numbers of its own; itself null if none has some
     */
    void callersFrom(Function<PartitionKey, QuotaSource.Quota> numbers) {
        callers = numbers == null ? null : new OperatorChanges.CallerNumbers(numbers);
    }

    /**
     * Whether nothing counts a caller, whatever its partition is.
     *
     * @param declared what counts it by the declaration; null if nothing does
     */
    public boolean spares(EffectivePolicy declared) {
        return declared == null && callers == null;
    }

    /**
     * What counts a partition, by the numbers that it was given, or by its contract if a bean has
     * it; null if nothing does.
     *
     * @param declared what counts it by the declaration; null if nothing does
     */
    public EffectivePolicy ofPartition(PartitionKey key, EffectivePolicy declared) {
        OperatorChanges.CallerNumbers given = callers;
        EffectivePolicy own = given == null ? null : given.of(this, key);
        if (own != null) {
            return own;
        }
        QuotaBean contract = quota;
        return contract == null ? declared : contract.of(this, key);
    }

    /** The periods of each caller; null if they are the same for all callers. */
    public CallerPeriod callerPeriod() {
        return callerPeriod;
    }

    /** The policy for a request, with the periods of its caller. */
    public EffectivePolicy ofCaller(EffectivePolicy effective, LimitedRequest request) {
        CallerPeriod periods = callerPeriod;
        return periods == null ? effective : periods.of(effective, request, signals.get());
    }

    /**
     * The policy for a key that the method knows, with the periods of its partition.
     *
     * @param key its values say more of the partition than the request does
     * @param request null if it is not known; then the periods are those of a caller without an
     *     anchor or a zone
     */
    public EffectivePolicy ofCaller(EffectivePolicy effective, PartitionKey key, LimitedRequest request) {
        CallerPeriod periods = callerPeriod;
        if (periods == null || request == null) {
            return ofCaller(effective, request);
        }
        return periods.given(KeyValueSource.unfolded(key)).of(effective, request, signals.get());
    }

    /** The policy as declared. */
    public PolicyDeclaration declaration() {
        return declaration;
    }

    public PolicyVersion version() {
        return version;
    }

    /**
     * What counts a caller of a tier, or of none if it is null; null if the policy does not count
     * it.
     */
    public EffectivePolicy forTier(String tier) {
        PolicyVersion inForce = version;
        if (tier != null && inForce.enabled() && !inForce.knows(tier)) {
            signals.get().count(MeterSheet.TIER_UNKNOWN, name());
        }
        return inForce.of(tier);
    }

    /**
     * The policy with the quota of one partition. A burst is left out if configuration has chosen
     * an algorithm that has none.
     *
     * @param burst 0 for that of the declaration
     * @throws InvalidPolicyException naming the member, the value and the rule it breaks
     */
    public EffectivePolicy with(PolicyVersion version, long limit, long burst) {
        PolicyDeclaration now = version.declaration();
        boolean bursts =
                now.algorithm() == declaration.algorithm() || now.algorithm().accepts(Algorithm.Member.BURST);
        if (limit < 1) {
            throw new InvalidPolicyException("limit", "must be at least 1, was " + limit);
        }
        if (burst < 0) {
            throw new InvalidPolicyException("burst", "must be at least 1, was " + burst);
        }
        Policy policy = now.policy(new PolicyDeclaration.TierDeclaration(limit, bursts ? burst : 0, false));
        return EffectivePolicy.of(policy, version.base().published());
    }

    /** Reports a request that lacks a part of its key, and is counted on its address. */
    public void keyMissing() {
        signals.get().count(MeterSheet.KEY_MISSING, name());
    }

    /**
     * Marks that some endpoint may give units back. From now on, processes that know of that
     * endpoint do not cache its rejections.
     */
    public void becomeRefundable() {
        refundable = true;
    }

    /**
     * Whether units come back before their time somewhere in the application, as
     * {@link dev.limiter.CheckGroup#refundable} says.
     */
    public boolean isRefundable() {
        return refundable;
    }

    /** Puts a version in force from the next request on. */
    void become(PolicyVersion changed) {
        DeclaredWindow window = changed.declaration().window();
        callerPeriod = window == null ? null : window.ofCaller();
        version = changed;
    }
}
