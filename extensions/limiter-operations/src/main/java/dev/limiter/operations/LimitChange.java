package dev.limiter.operations;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A CDI event: a change by an operator is in force on this instance from now on, or no longer.
 * Each instance fires it for each change, on a thread of its own.
 *
 * <pre>{@code
 * void told(@Observes LimitChange change) {
 *     audit.write(change.by(), change.policy(), change.values(), change.because());
 * }
 * }</pre>
 *
 * @param kind what has happened
 * @param policy whose numbers or caller it concerns
 * @param ofOneCaller whether it concerns one caller, and not all
 * @param values by member, such as {@code limit}; empty for a caller that was forgiven
 * @param by the name of the operator who made or ended it; empty if it has none
 * @param because the reason that the operator gave; "taken back" if it was taken back
 * @param until when a change in force ends, by the clock of the store; otherwise empty
 */
public record LimitChange(
        Kind kind,
        String policy,
        boolean ofOneCaller,
        Map<String, String> values,
        String by,
        String because,
        Optional<Instant> until) {

    /** What has happened to a change. */
    public enum Kind {
        /** It is in force from now on. */
        IN_FORCE,
        /** Its time is over, or an operator has taken it back. */
        OVER,
        /** The counts of a caller were forgotten. */
        FORGIVEN
    }
}
