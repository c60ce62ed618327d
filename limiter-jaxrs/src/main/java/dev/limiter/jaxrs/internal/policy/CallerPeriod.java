package dev.limiter.jaxrs.internal.policy;

import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.calendar.CalendarUnit;
import dev.limiter.internal.calendar.UnknownTimeZoneException;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.signals.MeterSheet;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The periods of a caller, as expressions find them: where they begin, such as the billing day of
 * a contract, and in which time zone.
 *
 * @param zone null if all callers have one zone
 * @param anchor null if the periods of all callers begin alike
 */
public record CallerPeriod(KeyExpression.Segment zone, KeyExpression.Segment anchor) {

    /** What is remembered: a policy, and what expressions said of a caller. */
    private record Said(EffectivePolicy policy, String zone, String anchor) {}

    /** Whether a zone or an anchor depends on the caller. */
    static boolean isExpression(String text) {
        return text.indexOf('{') >= 0;
    }

    /**
     * The periods of a caller with these expressions.
     *
     * @param zone empty if all callers have one zone
     * @param anchor empty if the periods of all callers begin alike
     */
    static CallerPeriod of(String zone, String anchor, CalendarPeriod period) {
        return new CallerPeriod(zone.isEmpty() ? null : zone(zone), anchor.isEmpty() ? null : anchor(anchor, period));
    }

    /**
     * Compiles <code>"{claim:zone|'UTC'}"</code>.
     *
     * @throws IllegalArgumentException saying what is wrong and what would be right
     */
    static KeyExpression.Segment zone(String text) {
        KeyExpression.Segment asked = compile(text, "{claim:zone}", DeclaredWindow::requireZone);
        if (asked.alternatives().stream().anyMatch(source -> !source.name().equals(source.unfoldedName()))) {
            throw new IllegalArgumentException(
                    '"' + text + "\" makes \"Europe/Paris\" lower case, which is not a time zone; leave ~fold out");
        }
        return asked;
    }

    /**
     * Compiles <code>"{claim:billing_day|'1'}"</code>.
     *
     * @param period of the declaration
     * @throws IllegalArgumentException saying what is wrong and what would be right
     */
    static KeyExpression.Segment anchor(String text, CalendarPeriod period) {
        if (period.unit() == CalendarUnit.DAY) {
            throw new IllegalArgumentException("a period of 1 day has no anchor; leave out \"" + text + '"');
        }
        return compile(text, "{claim:billing_day}", period::withAnchor);
    }

    private static KeyExpression.Segment compile(String text, String example, Consumer<String> literals) {
        KeyExpression.Segment asked = KeyExpression.ofServer(text, example, "move the period");
        for (KeyValueSource source : asked.alternatives()) {
            if (source.isLiteral()) {
                literals.accept(source.value(null));
            }
        }
        return asked;
    }

    /** The placeholders that may give a time zone or an anchor. */
    public List<KeyValueSource> sources() {
        return Stream.of(zone, anchor)
                .filter(Objects::nonNull)
                .flatMap(each -> each.alternatives().stream())
                .toList();
    }

    /**
     * A policy with the periods of a caller. Without a usable zone they are in UTC. Without a
     * usable anchor the periods begin as those without an anchor.
     *
     * @param version remembers what was usable
     */
    EffectivePolicy of(EffectivePolicy policy, Caller caller, PolicyVersion version) {
        Said said = new Said(policy, value("a time zone", zone, caller), value("an anchor", anchor, caller));
        EffectivePolicy made = version.known(said);
        return made == null ? made(said, caller, version) : made;
    }

    private static String value(String what, KeyExpression.Segment expression, Caller caller) {
        String value = expression == null ? null : caller.value(what, expression);
        return value == null ? "" : value.strip();
    }

    private EffectivePolicy made(Said said, Caller caller, PolicyVersion version) {
        CalendarPeriod period = said.policy().policy().period();
        boolean usable = true;
        try {
            period = zone == null ? period : period.withZone(said.zone());
        } catch (UnknownTimeZoneException unknown) {
            caller.lacks(MeterSheet.ZONE_UNUSABLE);
            usable = false;
        }
        try {
            period = anchor == null ? period : period.withAnchor(said.anchor());
        } catch (IllegalArgumentException wrong) {
            caller.lacks(MeterSheet.ANCHOR_UNUSABLE);
            usable = false;
        }
        EffectivePolicy made = said.policy().in(period);
        return usable ? version.remembered(said, made) : made;
    }
}
