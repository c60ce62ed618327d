package dev.limiter.jaxrs.internal.signals;

/** Why a bean gave no numbers for a partition. */
public enum NumbersFailure {
    /** The bean threw an exception, or could not be found. */
    THROWN,
    /** The answer took longer than a request waits. It is used when it comes. */
    SLOW,
    /** The numbers break a rule of the policy. */
    INVALID,
    /** Too many loads waited for a thread, so the bean was not asked. */
    BUSY
}
