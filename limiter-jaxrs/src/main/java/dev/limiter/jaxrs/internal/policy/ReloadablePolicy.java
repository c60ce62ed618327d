package dev.limiter.jaxrs.internal.policy;

import dev.limiter.jaxrs.internal.signals.RequestSignals;
import java.util.function.Supplier;

/**
 * A policy of the application: its name, and the numbers in force, which configuration can
 * change while requests run.
 */
public final class ReloadablePolicy {
    private final PolicyDeclaration declaration;
    private final Supplier<RequestSignals> signals;
    private volatile PolicyVersion numbers;
    private volatile PartitionChoice choice;
    private volatile boolean refundable;

    /** A policy of which callers state the key, and no tier. */
    public ReloadablePolicy(PolicyDeclaration declaration, PolicyVersion numbers) {
        this(declaration, numbers, () -> RequestSignals.UNHEARD);
    }

    /** @param signals receives requests that lack a key part or a tier */
    ReloadablePolicy(PolicyDeclaration declaration, PolicyVersion numbers, Supplier<RequestSignals> signals) {
        this.declaration = declaration;
        this.numbers = numbers;
        this.signals = signals;
    }

    public String name() {
        return declaration.name();
    }

    /** How an annotation chooses partitions and tiers of this policy; null if none does. */
    public PartitionChoice choice() {
        return choice;
    }

    /**
     * Notes how an annotation chooses partitions; of several annotations the first one counts.
     */
    public void chosenBy(PartitionChoice declared) {
        choice = choice == null ? declared : choice;
    }

    /** The numbers as declared. */
    public PolicyDeclaration declaration() {
        return declaration;
    }

    public PolicyVersion numbers() {
        return numbers;
    }

    /** The numbers that count a caller of no tier; null if the policy does not count it. */
    public EffectivePolicy withoutTier() {
        PolicyVersion inForce = numbers;
        return inForce.enabled() ? inForce.base() : null;
    }

    /**
     * The numbers that count a caller of a tier, or of none if it is null; null if the policy
     * does not count it.
     */
    public EffectivePolicy forTier(String tier) {
        PolicyVersion inForce = numbers;
        if (tier != null && inForce.enabled() && !inForce.knows(tier)) {
            signals.get().tierUnknown(name());
        }
        return inForce.of(tier);
    }

    /** Reports a request that lacks a part of its key, and is counted on its address. */
    public void keyMissing() {
        signals.get().keyMissing(name());
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

    /** Sets the numbers from the next request on. */
    void become(PolicyVersion changed) {
        numbers = changed;
    }
}
