package dev.limiter.jaxrs.internal.signals;

import dev.limiter.Decision;
import dev.limiter.spi.Signals;

/** What is to be told of limits besides what the limiter knows: how requests come to them. Again without the value of a key. */
public interface RequestSignals extends Signals {

    /** Signals without a listener. */
    RequestSignals UNHEARD = new RequestSignals() {};

    /** A part of a request's key was missing with all its alternatives, and the client's address was counted in its place. */
    default void keyMissing(String policy) {}

    /** A caller had a tier of which a policy knows nothing, and was counted as one of no tier. */
    default void tierUnknown(String policy) {}

    /**
     * A request was held for its slot, and runs now.
     *
     * @param nanos how long
     */
    default void held(long nanos) {}

    /** A request that was admitted has given its slot back, since as many as may be were held; the client is told this. */
    default void crowdedOut(Decision.Rejected rejected) {}

    /** The application ends. A listener takes back what would outlive the application. */
    default void ended() {}
}
