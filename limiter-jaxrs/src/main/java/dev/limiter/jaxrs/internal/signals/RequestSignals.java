package dev.limiter.jaxrs.internal.signals;

import dev.limiter.Decision;
import dev.limiter.spi.Signals;
import java.util.function.LongSupplier;

/**
 * Signals about requests, besides those of the limiter. They do not have the value of a key
 * either.
 */
public interface RequestSignals extends Signals {

    /** Signals without a listener. */
    RequestSignals NONE = new RequestSignals() {};

    /** A policy is in force: its meters begin at 0, so that the first event is an increase. */
    default void deployed(String policy) {}

    /**
     * A request is counted by a policy.
     *
     * @param meter one whose only tag is the policy
     */
    default void count(MeterSheet meter, String policy) {}

    /** A bean gave no quota for a partition of a policy, so another holds. */
    default void quotaFailed(String policy, QuotaFailure failure) {}

    /**
     * A request has waited for its slot, and runs now.
     *
     * @param nanos how long
     */
    default void slotWaited(long nanos) {}

    /**
     * An admitted request has given its slot back, since no place to wait was free. The
     * rejection is what the client gets.
     */
    default void slotWaitRejected(Decision.Rejected rejected) {}

    /**
     * Leases are renewed from now on, as long as their requests run.
     *
     * @param renewed counts those that are renewed at present
     * @param oldestSeconds how long the oldest of them has been held; 0 without one
     */
    default void leases(LongSupplier renewed, LongSupplier oldestSeconds) {}

    /** The application ends. A listener takes back what would outlive the application. */
    default void ended() {}
}
