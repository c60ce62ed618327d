package dev.limiter.jaxrs.internal.policy;

import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.calendar.CalendarUnit;
import dev.limiter.internal.calendar.UnknownTimeZoneException;
import dev.limiter.internal.settings.DurationNotation;
import dev.limiter.jaxrs.internal.platform.Suggestions;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The window of a policy as written: a span, or a period of the calendar with its anchor.
 *
 * @param span null for a period of the calendar
 * @param period without the anchor; in UTC if the zone is that of each caller; null for a span
 * @param zone an expression that names the time zone of each caller; empty for that of the period
 * @param anchor a literal, or an expression that names the anchor of each caller; empty for none
 */
public record DeclaredWindow(Duration span, CalendarPeriod period, String zone, String anchor) {
    private static final String FROM = " from ";

    private static final List<String> UNITS =
            Stream.of(CalendarUnit.values()).map(CalendarUnit::word).toList();

    /** The first word behind the number. */
    private static final Pattern UNIT = Pattern.compile("[^\\p{L}]*(\\p{L}*).*", Pattern.DOTALL);

    /** A window of one length. */
    public static DeclaredWindow of(Duration span) {
        return new DeclaredWindow(span, null, "", "");
    }

    /**
     * Reads {@code 30d}, {@code 1 month Europe/Paris from 15} or
     * <code>1 month {claim:zone|'UTC'} from {claim:billing_day|'1'}</code>.
     *
     * @throws IllegalArgumentException if it is none of them; of an unknown time zone with the
     *     nearest
     */
    public static DeclaredWindow parse(String written) {
        int from = written.indexOf(FROM);
        return from < 0
                ? withoutAnchor(written)
                : withoutAnchor(written.substring(0, from))
                        .anchoredAt(written.substring(from + FROM.length()).strip());
    }

    private static DeclaredWindow withoutAnchor(String written) {
        if (!CalendarPeriod.isMeant(written)) {
            return of(span(written));
        }
        if (!CallerPeriod.isExpression(written)) {
            return new DeclaredWindow(null, known(CalendarPeriod::parse, written), "", "");
        }
        int blank = written.indexOf(' ', written.indexOf(' ') + 1); // after 1 month
        CalendarPeriod period = CalendarPeriod.parse(blank < 0 ? written : written.substring(0, blank));
        String zone = written.substring(blank).strip();
        CallerPeriod.zone(zone);
        return new DeclaredWindow(null, period, zone, "");
    }

    private static Duration span(String written) {
        try {
            return DurationNotation.parse(written);
        } catch (IllegalArgumentException wrong) {
            String unit = UNIT.matcher(written).replaceFirst("$1");
            throw Suggestions.of(unit, UNITS)
                    .filter(known -> Suggestions.isNearForItsLength(unit, known))
                    .map(known ->
                            new IllegalArgumentException(wrong.getMessage() + "; did you mean \"1 " + known + "\"?"))
                    .orElse(wrong);
        }
    }

    /**
     * Refuses what is no time zone.
     *
     * @throws IllegalArgumentException with the nearest
     */
    static void requireZone(String id) {
        known(CalendarPeriod.parse("1 day")::withZone, id);
    }

    private static CalendarPeriod known(Function<String, CalendarPeriod> reader, String written) {
        try {
            return reader.apply(written);
        } catch (UnknownTimeZoneException unknown) {
            throw Suggestions.of(unknown.zone(), new TreeSet<>(ZoneId.getAvailableZoneIds()))
                    .filter(zone -> Suggestions.isNear(unknown.zone(), zone))
                    .map(zone -> new IllegalArgumentException(
                            '"' + unknown.zone() + "\" is not a time zone; did you mean \"" + zone + "\"?"))
                    .orElse(unknown);
        }
    }

    private DeclaredWindow anchoredAt(String start) {
        if (period == null) {
            throw new IllegalArgumentException("\"from " + start + "\" is for a calendar period, which \"" + text()
                    + "\" is not; write \"1 month from " + start + "\", or leave it out");
        }
        if (CallerPeriod.isExpression(start)) {
            CallerPeriod.anchor(start, period);
        } else {
            period.withAnchor(start);
        }
        return new DeclaredWindow(null, period, zone, start);
    }

    /**
     * This window in the place of a declared one, whose anchor stays if this one has none. A
     * span has no anchor.
     *
     * @throws IllegalArgumentException if this period has no such anchor, or a placeholder that
     *     the declared one does not have
     */
    DeclaredWindow insteadOf(DeclaredWindow declared) {
        DeclaredWindow before = declared == null ? of(null) : declared;
        requireDeclared(zone, before.zone, "the zone of a caller is found; write a time zone such as Europe/Paris");
        requireDeclared(anchorOfCaller(), before.anchor, "the periods of a caller begin; write a start such as 15");
        if (period == null || before.anchor.isEmpty() || !anchor.isEmpty()) {
            return this;
        }
        try {
            return anchoredAt(before.anchor);
        } catch (IllegalArgumentException unfitting) {
            throw new IllegalArgumentException("\"" + period + "\" does not fit the anchor \"" + before.anchor
                    + "\" of the annotation: " + unfitting.getMessage());
        }
    }

    private static void requireDeclared(String expression, String declared, String what) {
        if (!expression.isEmpty() && !expression.equals(declared)) {
            throw new IllegalArgumentException("\"" + expression + "\" is for annotations, which say where " + what);
        }
    }

    /**
     * The period, from the literal anchor if there is one; movable if an expression names anchor
     * or zone; null for a span.
     */
    CalendarPeriod anchored() {
        if (period == null) {
            return null;
        }
        CalendarPeriod from = anchorOfCaller().equals(anchor) ? period : period.withAnchor(anchor);
        return isOfCaller() ? from.movable() : from;
    }

    /** The periods of each caller; null unless an expression names their anchor or zone. */
    CallerPeriod ofCaller() {
        return isOfCaller() ? CallerPeriod.of(zone, anchorOfCaller(), period) : null;
    }

    private boolean isOfCaller() {
        return !zone.isEmpty() || !anchorOfCaller().isEmpty();
    }

    private String anchorOfCaller() {
        return CallerPeriod.isExpression(anchor) ? anchor : "";
    }

    /** As written. */
    public String text() {
        String start = anchor.isEmpty() ? "" : FROM + anchor;
        return period == null ? DurationNotation.format(span) : period + (zone.isEmpty() ? "" : ' ' + zone) + start;
    }
}
