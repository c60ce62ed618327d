package dev.limiter.jaxrs.internal.policy;

import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.calendar.CalendarUnit;
import dev.limiter.internal.calendar.UnknownTimeZoneException;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.signals.MeterSheet;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The periods of a caller, as a request says of its caller: where they begin, such as the billing
 * day of a contract, and in which time zone.
 */
public record CallerPeriod(KeyExpression.Segment zone, KeyExpression.Segment anchor, Map<Asked, EffectivePolicy> kept) {
    /** Policies that are kept. A year has 366 anchors; contract quotas multiply them. */
    static final int MOST_KNOWN = 2_000;

    record Asked(EffectivePolicy policy, String zone, String anchor) {}

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
        return new CallerPeriod(
                zone.isEmpty() ? null : zone(zone),
                anchor.isEmpty() ? null : anchor(anchor, period),
                new ConcurrentHashMap<>());
    }

    /**
     * Compiles <code>"{claim:zone|'UTC'}"</code>.
     *
     * @throws IllegalArgumentException saying what is wrong and what would be right
     */
    static KeyExpression.Segment zone(String text) {
        KeyExpression.Segment asked = compile(text, "{claim:zone}", DeclaredWindow::requireZone);
        if (asked.alternatives().stream().anyMatch(source -> !source.name().equals(source.unfoldedName()))) {
            throw new IllegalArgumentException('"' + text
                    + "\" makes lower case of \"Europe/Paris\", which is no time zone then; leave ~fold out");
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
        KeyExpression.Segment asked = KeyExpression.single(text, example);
        for (KeyValueSource source : asked.alternatives()) {
            if (source.isLiteral()) {
                literals.accept(source.value(null));
            } else if (source.isChosenByCaller()) {
                throw new IllegalArgumentException('"' + source.written()
                        + "\" is what the caller writes, and it would move its own period; take it from"
                        + " \"{claim:...}\", \"{attribute:...}\" or \"{bean:...}\"");
            }
        }
        return asked;
    }

    /** The placeholders that may give a time zone. */
    public List<KeyValueSource> zones() {
        return zone == null ? List.of() : zone.alternatives();
    }

    /** The placeholders that may give an anchor. */
    public List<KeyValueSource> anchors() {
        return anchor == null ? List.of() : anchor.alternatives();
    }

    /**
     * The same periods for a stated caller.
     *
     * @param stated values by placeholder, which are not read from a request
     */
    public CallerPeriod given(Map<String, String> stated) {
        return new CallerPeriod(
                zone == null ? null : zone.given(stated), anchor == null ? null : anchor.given(stated), kept);
    }

    /**
     * The policy with the periods of a caller. Without a usable zone they are in UTC. Without a
     * usable anchor the periods begin as those without an anchor.
     *
     * @param request null if it is not known; then nothing is usable
     * @param signals hear of a request without a usable zone or anchor
     */
    public EffectivePolicy of(EffectivePolicy policy, LimitedRequest request, RequestSignals signals) {
        if (policy.policy().period() == null) {
            return policy; // configuration has made it a window of one length
        }
        Asked asked = new Asked(policy, value(zone, request), value(anchor, request));
        EffectivePolicy made = kept.get(asked);
        return made == null ? made(asked, signals) : made;
    }

    private static String value(KeyExpression.Segment expression, LimitedRequest request) {
        String value = expression == null || request == null ? null : expression.value(request);
        return value == null ? "" : value.strip();
    }

    private EffectivePolicy made(Asked asked, RequestSignals signals) {
        EffectivePolicy policy = asked.policy();
        CalendarPeriod declared = policy.policy().period();
        CalendarPeriod period = declared;
        boolean usable = true;
        try {
            period = zone == null ? period : period.withZone(asked.zone());
        } catch (UnknownTimeZoneException unknown) {
            signals.count(MeterSheet.ZONE_UNUSABLE, policy.policy().name());
            usable = false;
        }
        try {
            period = anchor == null ? period : period.withAnchor(asked.anchor());
        } catch (IllegalArgumentException wrong) {
            signals.count(MeterSheet.ANCHOR_UNUSABLE, policy.policy().name());
            usable = false;
        }
        if (period == declared) {
            return policy;
        }
        EffectivePolicy made = new EffectivePolicy(policy.policy().in(period), policy.policyItem(), policy.published());
        if (usable) {
            keep(asked, made);
        }
        return made;
    }

    private void keep(Asked asked, EffectivePolicy made) {
        if (kept.size() >= MOST_KNOWN) {
            kept.clear(); // so those of earlier quotas go, and those in use come back
        }
        kept.put(asked, made);
    }

    /** How many policies are kept. */
    int known() {
        return kept.size();
    }
}
