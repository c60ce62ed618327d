package dev.limiter.jaxrs.internal.signals;

/** Why a bean gave no quota for a partition. */
public enum QuotaFailure {
    /** The bean threw an exception, or could not be found. */
    THROWN,
    /** The answer took longer than a request waits. It is used when it comes. */
    SLOW,
    /** The quota breaks a rule of the policy. */
    INVALID,
    /** Too many loads waited for a thread, so the bean was not asked. */
    BUSY
}
