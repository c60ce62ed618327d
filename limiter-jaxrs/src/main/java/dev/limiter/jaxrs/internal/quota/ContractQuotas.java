package dev.limiter.jaxrs.internal.quota;

import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.platform.LogText;
import dev.limiter.jaxrs.internal.signals.LogThrottle;
import dev.limiter.jaxrs.internal.signals.QuotaFailure;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The quotas that beans of an application have for partitions, and what their loads share:
 * threads, times and the report of failures.
 *
 * <p>It is a cache with the second-chance algorithm: at most {@value #MOST_PARTITIONS}
 * partitions, with keys of at most {@value #MOST_CHARACTERS} characters in all. A new one takes
 * the place of the oldest that had one request only, or none since the cache last looked at it.
 * So made-up keys do not push out partitions in use.
 */
public final class ContractQuotas implements AutoCloseable {
    public static final Setting<Duration> CACHE = Setting.duration("limiter.quota.cache", "10s", "100ms", "1h");
    public static final Setting<Integer> THREADS = Setting.integer("limiter.quota.threads", 8, 1, 1_000);

    static final int MOST_PARTITIONS = 10_000;
    static final int MOST_CHARACTERS = 4_000_000;

    private static final System.Logger LOG = System.getLogger("dev.limiter.quota");
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Executor threads;
    private final LongSupplier nanos;
    private final long cacheNanos;
    private final long maxWaitNanos;
    private final Supplier<RequestSignals> signals;
    private final LogThrottle pause;
    private final ConcurrentHashMap<Place, PartitionQuota> partitions = new ConcurrentHashMap<>();
    private final Deque<Place> inOrder = new ArrayDeque<>();
    private long characters;

    private record Place(String policy, PartitionKey key) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byKey = key.compareTo(other.key);
            return byKey != 0 ? byKey : policy.compareTo(other.policy);
        }
    }

    /**
     * @param nanos a clock that does not step, in ns
     * @param signals receives failures
     * @throws dev.limiter.spi.InvalidSettingException if cache time or threads cannot be used
     */
    public ContractQuotas(Settings settings, LongSupplier nanos, Supplier<RequestSignals> signals) {
        this(
                new QuotaThreads(THREADS.in(settings), nanos),
                nanos,
                CACHE.in(settings).toNanos(),
                QuotaThreads.MAX_WAIT_NANOS,
                signals);
    }

    /**
     * @param threads run the beans; reject a load that would be answered too late
     * @param nanos a clock that does not step, in ns
     * @param cacheNanos how long an answer holds
     * @param maxWaitNanos how long requests wait for an answer, from the begin of the load on
     */
    ContractQuotas(
            Executor threads,
            LongSupplier nanos,
            long cacheNanos,
            long maxWaitNanos,
            Supplier<RequestSignals> signals) {
        this.threads = threads;
        this.nanos = nanos;
        this.cacheNanos = cacheNanos;
        this.maxWaitNanos = maxWaitNanos;
        this.signals = signals;
        this.pause = new LogThrottle(nanos);
    }

    PartitionQuota of(String policy, PartitionKey key, Lazy<QuotaSource> bean, Consumer<QuotaSource.Quota> possible) {
        Place place = new Place(policy, key);
        PartitionQuota there = partitions.get(place);
        if (there == null) {
            return add(place, new PartitionQuota(policy, key, bean, possible, this));
        }
        there.use();
        return there;
    }

    private synchronized PartitionQuota add(Place place, PartitionQuota made) {
        PartitionQuota there = partitions.get(place);
        if (there != null) {
            return there;
        }
        characters += place.key().text().length();
        while (!inOrder.isEmpty() && (partitions.size() >= MOST_PARTITIONS || characters > MOST_CHARACTERS)) {
            evictOne();
        }
        partitions.put(place, made);
        inOrder.add(place);
        return made;
    }

    /** Passes over each partition in use once. */
    private void evictOne() {
        Place oldest = inOrder.remove();
        while (partitions.get(oldest).takeUsed()) {
            inOrder.add(oldest);
            oldest = inOrder.remove();
        }
        partitions.remove(oldest);
        characters -= oldest.key().text().length();
    }

    /** How many partitions there are. */
    int size() {
        return partitions.size();
    }

    /**
     * Runs a load on another thread.
     *
     * @throws java.util.concurrent.RejectedExecutionException if it would be answered too late
     */
    void run(Runnable load) {
        threads.execute(load);
    }

    long now() {
        return nanos.getAsLong();
    }

    long cacheNanos() {
        return cacheNanos;
    }

    long maxWaitNanos() {
        return maxWaitNanos;
    }

    /**
     * How long a load keeps the partition from being loaded again. If no thread was free, it is
     * shorter, since the bean was not called.
     *
     * @param failure null for none
     */
    long pauseNanos(QuotaFailure failure) {
        return Math.min(cacheNanos, failure == QuotaFailure.BUSY ? QuotaThreads.MAX_WAIT_NANOS : LONGEST_PAUSE_NANOS);
    }

    /**
     * Counts a load without a usable answer, and logs at most one a minute. The log has the place
     * where a bean threw, and not the message of its exception, which may have values of a key.
     *
     * @param why null if no exception tells
     */
    void failed(String policy, QuotaFailure failure, Throwable why) {
        signals.get().quotaFailed(policy, failure);
        long times = pause.times();
        if (times > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} loads of contract quotas failed since the last such line; the last one for policy \"{1}\": {2}{3};"
                            + " the last known quota stays, else that of the annotation",
                    Long.toString(times), // the same in all locales
                    policy,
                    failure.name().toLowerCase(Locale.ROOT),
                    reason(failure, why));
        }
    }

    private static String reason(QuotaFailure failure, Throwable why) {
        if (why == null) {
            return "";
        }
        if (failure == QuotaFailure.INVALID) {
            return ", " + LogText.of(why.getMessage());
        }
        StackTraceElement[] trace = why.getStackTrace();
        return ", " + why.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
    }

    @Override
    public void close() {
        if (threads instanceof QuotaThreads own) {
            own.close();
        }
    }
}
