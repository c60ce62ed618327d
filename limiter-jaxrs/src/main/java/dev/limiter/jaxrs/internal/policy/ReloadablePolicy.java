package dev.limiter.jaxrs.internal.policy;

import dev.limiter.Algorithm;
import dev.limiter.InvalidPolicyException;
import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.quota.QuotaBean;
import dev.limiter.jaxrs.internal.signals.MeterSheet;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A policy of the application: its name, and the version in force, which configuration can
 * change while requests run.
 */
public final class ReloadablePolicy {
    private static final EffectivePolicy IMPOSSIBLE = new EffectivePolicy(null, "", false);

    private final PolicyDeclaration declaration;
    private final Supplier<RequestSignals> signals;
    private volatile PolicyVersion version;
    private volatile Choice choice;
    private volatile QuotaBean quota;
    private volatile NumbersSource operators;
    private volatile NumbersSource[] sources = {};
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
        order();
    }

    /** Takes numbers of single partitions from operators; null if there are none. */
    void operatedBy(NumbersSource changes) {
        operators = changes;
        order();
    }

    /** The first with possible numbers gives limit and burst. The tier comes after them. */
    private synchronized void order() {
        QuotaBean bean = quota;
        Consumer<QuotaSource.Quota> possible = own -> with(version, own.limit(), own.burst());
        NumbersSource contract = bean == null ? null : (policy, caller) -> bean.of(policy, caller.key(), possible);
        sources = Stream.of(operators, contract).filter(Objects::nonNull).toArray(NumbersSource[]::new);
    }

    /** The policy with numbers and periods of a caller; null if it does not count the caller. */
    public EffectivePolicy of(Caller caller) {
        PolicyVersion now = version;
        String tier = caller.tier();
        if (!now.enabled()) {
            return null;
        }
        if (tier != null && !now.knows(tier)) {
            caller.lacks(MeterSheet.TIER_UNKNOWN);
        }
        for (NumbersSource source : sources) {
            QuotaSource.Quota own = source.of(name(), caller);
            if (own != null && own.unlimited()) {
                return null;
            }
            EffectivePolicy possible = own == null ? null : possible(now, own);
            if (possible != null) {
                return inPeriods(now, possible, caller);
            }
        }
        return inPeriods(now, now.of(tier), caller);
    }

    private static EffectivePolicy inPeriods(PolicyVersion now, EffectivePolicy counting, Caller caller) {
        if (counting == null || counting.policy().period() == null) {
            return counting;
        }
        CalendarPeriod bound = caller.boundPeriod();
        if (bound != null) {
            return counting.in(bound);
        }
        return now.callerPeriod() == null ? counting : now.callerPeriod().of(counting, caller, now);
    }

    /** The policy with a caller's own numbers; null if configuration has made them impossible. */
    private EffectivePolicy possible(PolicyVersion now, QuotaSource.Quota own) {
        EffectivePolicy made = now.known(own);
        if (made == null) {
            try {
                made = with(now, own.limit(), own.burst());
            } catch (InvalidPolicyException impossible) {
                made = IMPOSSIBLE;
            }
            now.remembered(own, made);
        }
        return made == IMPOSSIBLE ? null : made;
    }

    /** The policy as declared. */
    public PolicyDeclaration declaration() {
        return declaration;
    }

    public PolicyVersion version() {
        return version;
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

    /** Reports a request that lacks a part of its key, or something else that it should have. */
    public void lacks(MeterSheet what) {
        signals.get().count(what, name());
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
        version = changed;
    }
}
