package dev.limiter.queue;

import dev.limiter.Algorithm;
import dev.limiter.InvalidPolicyException;
import dev.limiter.Policy;
import dev.limiter.internal.settings.DurationNotation;
import java.time.Duration;

/** The rules that the members of a {@link QueuePolicy} keep. */
final class QueueValidation {
    private static final Duration MIN_HOLD = Duration.ofMillis(1);
    private static final Duration MAX_HOLD = Duration.ofDays(366);

    private QueueValidation() {}

    /** Checks a name by the rule for names of policies. */
    static void requireName(String name) {
        Policy.of(name, Algorithm.GCRA, 1, Duration.ofSeconds(1));
    }

    static void requirePresent(String member, Object value) {
        if (value == null) {
            throw new InvalidPolicyException(member, member + " is missing");
        }
    }

    static void requireWithin(String member, long value, long most) {
        if (value < 1 || value > most) {
            throw new InvalidPolicyException(member, member + " must be from 1 to " + most + ", was " + value);
        }
    }

    static void requireHold(Duration hold) {
        requirePresent("hold", hold);
        if (hold.compareTo(MIN_HOLD) < 0 || hold.compareTo(MAX_HOLD) > 0) {
            boolean isWritten = !hold.isNegative() && hold.getNano() % 1_000 == 0;
            throw new InvalidPolicyException(
                    "hold",
                    "hold must be from 1 ms to 366 days, was "
                            + (isWritten ? DurationNotation.format(hold) : hold.toString()));
        }
        if (hold.getNano() % 1_000 != 0) {
            throw new InvalidPolicyException("hold", "hold must be whole microseconds, was " + hold);
        }
    }
}
