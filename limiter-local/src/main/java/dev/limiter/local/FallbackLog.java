package dev.limiter.local;

import dev.limiter.OnStoreFailure;
import dev.limiter.StoreUnavailableException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Says when the fallback begins to answer and when the store answers again, and with what consequence. At most one of each a
 * minute, and while the store stays away one line a minute, with counts: an outage must not become an outage of the log.
 */
final class FallbackLog {
    private static final System.Logger LOG = System.getLogger("dev.limiter.store");
    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long RETURN_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final int processes;
    private final LongSupplier nanos;
    private final LongAdder admitted = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder passed = new LongAdder();
    private final LongAdder unavailable = new LongAdder();

    private volatile boolean away;
    private volatile long lastAwayNanos;
    private boolean told;
    private long awaySinceNanos;
    private long silentUntilNanos;

    /**
     * @param processes how many the numbers are divided among
     * @param nanos a clock that does not step
     */
    FallbackLog(int processes, LongSupplier nanos) {
        this.processes = processes;
        this.nanos = nanos;
        this.silentUntilNanos = nanos.getAsLong();
    }

    /** This process has decided in place of the store, by {@code LOCAL}. */
    void decided(boolean admits, StoreUnavailableException why) {
        (admits ? admitted : rejected).increment();
        away(OnStoreFailure.LOCAL, why);
    }

    /** A request has passed by {@code OPEN}. */
    void passed(StoreUnavailableException why) {
        passed.increment();
        away(OnStoreFailure.OPEN, why);
    }

    /** A request could not be decided: {@code CLOSED}. */
    void unavailable(StoreUnavailableException why) {
        unavailable.increment();
        away(OnStoreFailure.CLOSED, why);
    }

    /** The store has answered. While others are still decided without it, as where one of several nodes is away, that is no return. */
    void storeAnswers() {
        if (away && nanos.getAsLong() - lastAwayNanos > RETURN_NANOS) {
            back();
        }
    }

    private synchronized void away(OnStoreFailure by, StoreUnavailableException why) {
        long now = nanos.getAsLong();
        lastAwayNanos = now;
        if (!away) {
            away = true;
            awaySinceNanos = now;
        }
        if (now - silentUntilNanos < 0) {
            return;
        }
        silentUntilNanos = now + PAUSE_NANOS;
        told = true;
        LOG.log(System.Logger.Level.WARNING, "{0}; {1}. {2}", oneLine(why), consequence(by), counts());
    }

    private synchronized void back() {
        if (!away) {
            return;
        }
        away = false;
        if (told) {
            told = false;
            long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong() - awaySinceNanos);
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The store answers again, after {0} s; what this process has admitted meanwhile counts for one more"
                            + " window, in which both must admit. {1}",
                    Long.toString(seconds),
                    counts());
        }
    }

    /** A server's words may be several lines. */
    private static String oneLine(StoreUnavailableException why) {
        return String.valueOf(why.getMessage()).replaceAll("[\\s\\p{Cntrl}\u2028\u2029]+", " ");
    }

    private String consequence(OnStoreFailure by) {
        return switch (by) {
            case LOCAL, CONFIGURED ->
                processes == 1
                        ? "by onStoreFailure = LOCAL this process decides alone until the store is back: each process"
                                + " admits up to the limit, so all of them up to nodes x limit"
                        : "by onStoreFailure = LOCAL this process decides alone until the store is back: each process"
                                + " admits up to 1/" + processes + " of the limit (limiter.expected-nodes)";
            case OPEN -> "by onStoreFailure = OPEN requests pass uncounted until the store is back";
            case CLOSED -> "by onStoreFailure = CLOSED requests are refused as unavailable until the store is back";
        };
    }

    private String counts() {
        return "Without the store since the last such line: " + admitted.sumThenReset() + " admitted and "
                + rejected.sumThenReset() + " rejected by this process, " + passed.sumThenReset() + " passed, "
                + unavailable.sumThenReset() + " unavailable";
    }
}
