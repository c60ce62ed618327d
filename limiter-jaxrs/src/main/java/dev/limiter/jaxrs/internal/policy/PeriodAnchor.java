package dev.limiter.jaxrs.internal.policy;

import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.calendar.CalendarUnit;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the periods of a caller begin, as a request says of its caller, such as the billing day
 * of a contract.
 */
public final class PeriodAnchor {
    /** Numbers that are kept. A year has 366 anchors; contract numbers multiply them. */
    static final int MOST_KNOWN = 2_000;

    private final KeyExpression.Segment asked;
    private final Map<Anchored, EffectivePolicy> known;

    private record Anchored(EffectivePolicy policy, String anchor) {}

    private PeriodAnchor(KeyExpression.Segment asked, Map<Anchored, EffectivePolicy> known) {
        this.asked = asked;
        this.known = known;
    }

    /** Whether an anchor depends on the caller. */
    static boolean isExpression(String anchor) {
        return anchor.indexOf('{') >= 0;
    }

    /**
     * Compiles <code>"{claim:billing_day|'1'}"</code>.
     *
     * @param period of the declaration
     * @throws IllegalArgumentException saying what is wrong and what would be right
     */
    static PeriodAnchor compile(String text, CalendarPeriod period) {
        if (period.unit() == CalendarUnit.DAY) {
            throw new IllegalArgumentException("a period of 1 day has no anchor; leave out \"" + text + '"');
        }
        KeyExpression.Segment asked = KeyExpression.single(text, "{claim:billing_day}");
        for (KeyValueSource source : asked.alternatives()) {
            if (source.isLiteral()) {
                period.withAnchor(source.value(null));
            } else if (source.isChosenByCaller()) {
                throw new IllegalArgumentException('"' + source.written()
                        + "\" is what the caller writes, who would move its own period; take it from"
                        + " \"{claim:...}\", \"{attribute:...}\" or \"{bean:...}\"");
            }
        }
        return new PeriodAnchor(asked, new ConcurrentHashMap<>());
    }

    /** The placeholders that may give a value. */
    public List<KeyValueSource> sources() {
        return asked.alternatives();
    }

    /**
     * The same anchor for a caller of whom something is stated.
     *
     * @param stated values by placeholder, which are not read from a request
     */
    public PeriodAnchor given(Map<String, String> stated) {
        return new PeriodAnchor(asked.given(stated), known);
    }

    /**
     * The numbers with the periods of a caller.
     *
     * @param unusable runs if the request has no anchor, or one that the period does not have;
     *     then the periods begin as those without an anchor
     */
    public EffectivePolicy of(EffectivePolicy policy, LimitedRequest request, Runnable unusable) {
        if (policy.policy().period() == null) {
            return policy; // configuration has made it a window of one length
        }
        String anchor = asked.value(request);
        Anchored wanted = new Anchored(policy, anchor == null ? "" : anchor.strip());
        EffectivePolicy made = known.get(wanted);
        if (made == null) {
            made = made(wanted, unusable);
        }
        return made;
    }

    private EffectivePolicy made(Anchored wanted, Runnable unusable) {
        EffectivePolicy policy = wanted.policy();
        CalendarPeriod period;
        try {
            period = policy.policy().period().withAnchor(wanted.anchor());
        } catch (IllegalArgumentException wrong) {
            unusable.run();
            return policy;
        }
        EffectivePolicy anchored =
                new EffectivePolicy(policy.policy().in(period), policy.policyItem(), policy.published());
        if (known.size() >= MOST_KNOWN) {
            known.clear(); // so those of earlier numbers go, and those in use come back
        }
        known.put(wanted, anchored);
        return anchored;
    }

    /** How many numbers are kept. */
    int known() {
        return known.size();
    }
}
