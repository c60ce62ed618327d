package dev.limiter.jaxrs.internal.policy;

import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.calendar.UnknownTimeZoneException;
import dev.limiter.jaxrs.internal.text.Suggestions;
import dev.limiter.spi.DurationNotation;
import java.time.Duration;
import java.time.ZoneId;
import java.util.TreeSet;

/**
 * The window of a policy as written: a span, or a period of the calendar with its anchor.
 *
 * @param span null for a period of the calendar
 * @param period without the anchor; null for a span
 * @param anchor a literal, or an expression that names the anchor of each caller; empty for none
 */
public record DeclaredWindow(Duration span, CalendarPeriod period, String anchor) {

    /** A window of one length. */
    public static DeclaredWindow of(Duration span) {
        return new DeclaredWindow(span, null, "");
    }

    /**
     * Reads {@code 30d}, or {@code 1 month Europe/Paris}.
     *
     * @throws IllegalArgumentException if it is neither; of an unknown time zone with the nearest
     */
    public static DeclaredWindow parse(String written) {
        return CalendarPeriod.isMeant(written)
                ? new DeclaredWindow(null, periodOf(written), "")
                : of(DurationNotation.parse(written));
    }

    private static CalendarPeriod periodOf(String written) {
        try {
            return CalendarPeriod.parse(written);
        } catch (UnknownTimeZoneException unknown) {
            throw Suggestions.of(unknown.zone(), new TreeSet<>(ZoneId.getAvailableZoneIds()))
                    .filter(zone -> Suggestions.isNear(unknown.zone(), zone))
                    .map(zone -> new IllegalArgumentException(
                            '"' + unknown.zone() + "\" is no time zone; did you mean \"" + zone + "\"?"))
                    .orElse(unknown);
        }
    }

    /**
     * The same period from another start.
     *
     * @param written {@code "15"}, or <code>"{claim:billing_day|'1'}"</code>
     * @throws IllegalArgumentException if this is a span, or the period has no such anchor; with
     *     what would be right
     */
    public DeclaredWindow anchoredAt(String written) {
        if (period == null) {
            throw new IllegalArgumentException("\"" + written + "\" has no meaning for a window of one length; write a"
                    + " period of the calendar, such as window = \"1 month\", or leave it out");
        }
        if (PeriodAnchor.isExpression(written)) {
            PeriodAnchor.compile(written, period);
        } else {
            period.withAnchor(written.strip());
        }
        return new DeclaredWindow(null, period, written.strip());
    }

    /**
     * This window in the place of a declared one, whose anchor stays. A span has no anchor.
     *
     * @throws IllegalArgumentException if this period has no such anchor
     */
    DeclaredWindow insteadOf(DeclaredWindow declared) {
        if (period == null || declared == null || declared.anchor.isEmpty()) {
            return this;
        }
        try {
            return anchoredAt(declared.anchor);
        } catch (IllegalArgumentException unfitting) {
            throw new IllegalArgumentException("\"" + period + "\" does not fit the anchor \"" + declared.anchor
                    + "\" of the annotation: " + unfitting.getMessage());
        }
    }

    /**
     * The period, from the literal anchor if there is one; movable if an expression names it;
     * null for a span.
     */
    CalendarPeriod anchored() {
        if (PeriodAnchor.isExpression(anchor)) {
            return period.movable();
        }
        return anchor.isEmpty() ? period : period.withAnchor(anchor);
    }

    /** Where the periods of each caller begin; null unless an expression says it. */
    public PeriodAnchor ofCaller() {
        return PeriodAnchor.isExpression(anchor) ? PeriodAnchor.compile(anchor, period) : null;
    }
}
