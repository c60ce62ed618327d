package dev.limiter.redis.internal.script;

import java.time.Instant;
import java.time.InstantSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The clock of Redis as this process knows it: its own clock, until Redis shows that they differ
 * by more than a period of the calendar.
 */
public final class StoreClock {
    /** What {@code lua/algorithm/fixed_window.lua} raises, with the instant on Redis' clock. */
    private static final Pattern OTHER_PERIODS = Pattern.compile("PERIODS (\\d{1,18})");

    private final InstantSource own;
    private volatile long offsetMicros;

    StoreClock(InstantSource own) {
        this.own = own;
    }

    long nowMicros() {
        return ownMicros() + offsetMicros;
    }

    /**
     * Whether a refusal says that Redis is in another period of the calendar than this process
     * thought; the call has not run. It is no failure of the store, which decides as soon as it is
     * asked again.
     */
    public static boolean isAboutPeriods(RuntimeException refusal) {
        return OTHER_PERIODS.matcher(String.valueOf(refusal.getMessage())).find();
    }

    /**
     * Learns the difference of the clocks from a refusal.
     *
     * @return whether the refusal is about periods; the call has not run
     */
    boolean learn(RuntimeException refusal) {
        Matcher found = OTHER_PERIODS.matcher(String.valueOf(refusal.getMessage()));
        if (!found.find()) {
            return false;
        }
        offsetMicros = Long.parseLong(found.group(1)) - ownMicros();
        return true;
    }

    private long ownMicros() {
        Instant now = own.instant();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }
}
