package dev.limiter.jaxrs.internal.policy;

import dev.limiter.jaxrs.internal.signals.RequestSignals;
import java.util.function.Supplier;

/** A policy of the application: its name, and the numbers in force, which configuration can change while requests run. */
public final class ReloadablePolicy {
    private final PolicyDeclaration declaration;
    private final Supplier<RequestSignals> signals;
    private volatile PolicyVersion numbers;
    private volatile PartitionChoice choice;
    private volatile boolean refundable;

    /** A policy whose requests bring their own key, and no tier. */
    public ReloadablePolicy(PolicyDeclaration declaration, PolicyVersion numbers) {
        this(declaration, numbers, () -> RequestSignals.UNHEARD);
    }

    /**
     * @param signals who is told of requests that lack something
     */
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

    /** An annotation counts with this policy; of several the first is kept. */
    public void chosenBy(PartitionChoice declared) {
        choice = choice == null ? declared : choice;
    }

    /** As it was declared. */
    public PolicyDeclaration declaration() {
        return declaration;
    }

    public PolicyVersion numbers() {
        return numbers;
    }

    /** What counts a caller of no tier; null if nothing does. */
    public EffectivePolicy withoutTier() {
        PolicyVersion inForce = numbers;
        return inForce.enabled() ? inForce.base() : null;
    }

    /** What counts a caller of a tier, or of none if it is null; null if nothing does. */
    public EffectivePolicy forTier(String tier) {
        PolicyVersion inForce = numbers;
        if (tier != null && inForce.enabled() && !inForce.knows(tier)) {
            signals.get().tierUnknown(name());
        }
        return inForce.of(tier);
    }

    /** A request without its key is counted on its address. */
    public void keyMissing() {
        signals.get().keyMissing(name());
    }

    /** What some endpoint takes of it may be given back: from now on no process that knows of that endpoint remembers its rejections. */
    public void becomeRefundable() {
        refundable = true;
    }

    /** Whether units come back before their time somewhere in the application, as {@link dev.limiter.CheckGroup#refundable} says. */
    public boolean isRefundable() {
        return refundable;
    }

    /** From the next request on. */
    void become(PolicyVersion changed) {
        numbers = changed;
    }
}
