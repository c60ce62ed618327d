package dev.limiter.local.internal.fallback;

import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.StoreUnavailableException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Logs when the fallback begins to decide, when the store answers again, and the consequence.
 * Each is logged at most once a minute. While the store stays away, it logs one line a minute,
 * with counts: an outage must not flood the log.
 */
public final class FallbackLog {
    private static final System.Logger LOG = System.getLogger("dev.limiter.store");
    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long RETURN_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final int processes;
    private final LongSupplier nanos;
    private final LongAdder admitted = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder unavailable = new LongAdder();

    private volatile boolean away;
    private volatile long lastAwayNanos;
    private boolean told;
    private long awaySinceNanos;
    private long silentUntilNanos;

    /**
     * @param processes the number of processes among which limits are divided
     * @param nanos a clock that does not step
     */
    public FallbackLog(int processes, LongSupplier nanos) {
        this.processes = processes;
        this.nanos = nanos;
        this.silentUntilNanos = nanos.getAsLong();
    }

    /**
     * Counts the results that the fallback decided, by policy, as {@code limiter.decisions}
     * does.
     */
    public void counts(Decision decision) {
        for (CheckResult result : decision.results()) {
            if (!result.fallback()) {
                continue;
            }
            if (!result.admitted() && result.policy().rejects()) {
                rejected.increment();
            } else if (result.admitted() && decision.admitted()) {
                admitted.increment();
            }
        }
    }

    /** Counts a group that was not decided: each of its policies. */
    public void counts(CheckGroup undecided) {
        unavailable.add(undecided.checks().size());
    }

    /**
     * The store has answered. It is no return while other groups are still decided without the
     * store, as when one of several nodes is away.
     */
    public void storeAnswers() {
        if (away && nanos.getAsLong() - lastAwayNanos > RETURN_NANOS) {
            back();
        }
    }

    /**
     * The store has failed. The caller has counted the decision of this process before.
     *
     * @param by what this process did instead
     */
    public synchronized void away(OnStoreFailure by, StoreUnavailableException why) {
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
                    "The store answers again, after {0} s. What this process admitted meanwhile counts for one more"
                            + " window, or the rest of a calendar period; until then store and process must admit. {1}",
                    Long.toString(seconds),
                    counts());
        }
    }

    /** The reason in one line; a server's message may have several. */
    private static String oneLine(StoreUnavailableException why) {
        return String.valueOf(why.getMessage()).replaceAll("[\\s\\p{Cntrl}\u2028\u2029]+", " ");
    }

    private String consequence(OnStoreFailure by) {
        return switch (by) {
            case LOCAL, CONFIGURED ->
                processes == 1
                        ? "onStoreFailure = LOCAL lets this process decide alone until the store is back: each process"
                                + " admits up to the limit, so all together up to instances x limit"
                        : "onStoreFailure = LOCAL lets this process decide alone until the store is back: each process"
                                + " admits up to 1/" + processes + " of the limit (limiter.expected-instances)";
            case OPEN -> "onStoreFailure = OPEN lets requests pass uncounted until the store is back";
            case CLOSED -> "onStoreFailure = CLOSED refuses requests as unavailable until the store is back";
        };
    }

    private String counts() {
        return "Checks without the store since the last such line, counted as in limiter.decisions: "
                + admitted.sumThenReset() + " fallback_admitted, " + rejected.sumThenReset() + " fallback_rejected, "
                + unavailable.sumThenReset() + " unavailable";
    }
}
