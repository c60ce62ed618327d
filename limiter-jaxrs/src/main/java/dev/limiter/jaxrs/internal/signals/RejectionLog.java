package dev.limiter.jaxrs.internal.signals;

import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.RateLimiter;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Logs at most once a minute how many requests were rejected. Of the last one it has a policy,
 * and the first characters of the key's digest, by which an operator finds the key in the store.
 * The log has nothing of the key itself, and nothing of the request.
 */
public final class RejectionLog {
    private static final System.Logger LOG = System.getLogger("dev.limiter.decision");

    /** The last run of characters of a digest; in Redis {@code rl:zoo:...:{<digest>}}. */
    private static final Pattern DIGEST = Pattern.compile("([A-Za-z0-9_-]{1,8})[A-Za-z0-9_-]*[^A-Za-z0-9_-]*$");

    private final LogThrottle pause;

    /**
     * @param nanos a clock that does not step, in ns
     */
    public RejectionLog(LongSupplier nanos) {
        this.pause = new LogThrottle(nanos);
    }

    /**
     * @param group the checks
     * @param limiter knows the store's names of keys
     */
    void rejected(CheckGroup group, Decision.Rejected rejected, RateLimiter limiter) {
        long times = pause.times();
        if (times == 0 || !LOG.isLoggable(System.Logger.Level.INFO)) {
            return;
        }
        int failing = rejected.results().indexOf(rejected.failing().get(0));
        String policy = rejected.results().get(failing).policy().name();
        LOG.log(
                System.Logger.Level.INFO,
                "{0} rejected since the last such line; the last one by \"{1}\", key {2}...",
                Long.toString(times), // the same in all locales
                policy,
                digest(limiter.storeKey(
                        rejected.results().get(failing).policy(),
                        group.checks().get(failing).key())));
    }

    private static String digest(String storeKey) {
        Matcher digest = DIGEST.matcher(storeKey);
        return digest.find() ? digest.group(1) : "";
    }
}
