package dev.limiter.jaxrs.internal.policy;

import dev.limiter.PartitionKey;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.signals.MeterSheet;

/** Whom a policy may count, such as the caller of a request, and what is known of it. */
public interface Caller {
    /** The name of its tier; null for none. */
    String tier();

    /** Its partition. Only what counts the caller asks for it. */
    PartitionKey key();

    /**
     * What an expression says of it, such as its time zone; null if it says nothing.
     *
     * @param what the name of such a value, for an error: {@code a time zone}
     */
    String value(String what, KeyExpression.Segment expression);

    /** The period in which it is counted, whatever its zone and anchor are; null for theirs. */
    default CalendarPeriod boundPeriod() {
        return null;
    }

    /** Takes that it has no usable tier, zone or anchor. */
    default void lacks(MeterSheet what) {}
}
