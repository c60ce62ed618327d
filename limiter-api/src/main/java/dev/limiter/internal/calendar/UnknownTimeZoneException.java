package dev.limiter.internal.calendar;

import dev.limiter.calendar.CalendarPeriod;
import java.io.Serial;

/** A {@link CalendarPeriod} names a time zone that Java does not know. */
public final class UnknownTimeZoneException extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** What was written as a time zone. */
    private final String zone;

    public UnknownTimeZoneException(String zone, Throwable cause) {
        super("\"" + zone + "\" is not a time zone; write one such as \"Europe/Paris\"", cause);
        this.zone = zone;
    }

    /** {@return what was written as a time zone} */
    public String zone() {
        return zone;
    }
}
