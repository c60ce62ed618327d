package dev.limiter.jaxrs;

import java.util.function.Supplier;

/** A policy of the application: its name, and the numbers in force, which configuration can change while requests run. */
final class LivePolicy {
    private final Draft draft;
    private final Supplier<RequestSignals> signals;
    private volatile Numbers numbers;
    private volatile Limit limit;
    private volatile boolean refundable;

    /** A policy whose requests bring their own key, and no tier. */
    LivePolicy(Draft draft, Numbers numbers) {
        this(draft, numbers, () -> RequestSignals.UNHEARD);
    }

    /**
     * @param signals who is told of requests that lack something
     */
    LivePolicy(Draft draft, Numbers numbers, Supplier<RequestSignals> signals) {
        this.draft = draft;
        this.numbers = numbers;
        this.signals = signals;
    }

    String name() {
        return draft.name();
    }

    /** The limit by which an annotation counts with this policy; null if none does. */
    Limit limit() {
        return limit;
    }

    /** An annotation counts with this policy; of several the first is kept. */
    void countedBy(Limit declared) {
        limit = limit == null ? declared : limit;
    }

    /** As it was declared. */
    Draft draft() {
        return draft;
    }

    Numbers numbers() {
        return numbers;
    }

    /** What counts a caller of a tier, or of none if it is null; null if nothing does. */
    Quota quota(String tier) {
        Numbers inForce = numbers;
        if (tier != null && inForce.enabled() && !inForce.knows(tier)) {
            signals.get().tierUnknown(name());
        }
        return inForce.of(tier);
    }

    /** A request without its key is counted on its address. */
    void keyMissing() {
        signals.get().keyMissing(name());
    }

    /** What some endpoint takes of it may be given back: from now on no process that knows of that endpoint remembers its rejections. */
    void becomeRefundable() {
        refundable = true;
    }

    /** Whether units come back before their time somewhere in the application, as {@link dev.limiter.CheckGroup#refundable} says. */
    boolean isRefundable() {
        return refundable;
    }

    /** From the next request on. */
    void become(Numbers changed) {
        numbers = changed;
    }
}
