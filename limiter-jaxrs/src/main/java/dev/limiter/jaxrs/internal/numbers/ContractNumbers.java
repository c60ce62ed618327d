package dev.limiter.jaxrs.internal.numbers;

import dev.limiter.jaxrs.internal.policy.ReloadablePolicy;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The policies of an application that have numbers from beans, and what they share. */
public final class ContractNumbers implements AutoCloseable {
    private static final Duration CACHE = Duration.ofSeconds(10);
    private static final Duration SHORTEST_CACHE = Duration.ofMillis(100);
    private static final Duration LONGEST_CACHE = Duration.ofHours(1);
    private static final int THREADS = 8;
    private static final int MOST_THREADS = 1_000;

    private final Map<String, PolicyNumbers> policies = new ConcurrentHashMap<>();
    private final NumbersCache cache = new NumbersCache();
    private final NumbersLoader loader;

    /**
     * @param nanos a clock that does not step, in ns
     * @param signals receives failures
     * @throws dev.limiter.spi.InvalidSettingException if cache time or threads cannot be used
     */
    public ContractNumbers(Settings settings, LongSupplier nanos, Supplier<RequestSignals> signals) {
        Duration holds = settings.duration("limiter.numbers.cache", CACHE, SHORTEST_CACHE, LONGEST_CACHE);
        int threads = settings.integer("limiter.numbers.threads", THREADS, 1, MOST_THREADS);
        this.loader = new NumbersLoader(
                new LoaderThreads(threads, nanos), nanos, holds.toNanos(), new NumbersFailures(signals, nanos));
    }

    /**
     * The numbers of a policy. Of several declarations of one policy the first one counts.
     *
     * @param bean null if the annotation's numbers are those of all partitions
     */
    public PolicyNumbers of(ReloadablePolicy policy, NumbersBean bean) {
        return bean == null
                ? null
                : policies.computeIfAbsent(policy.name(), name -> new PolicyNumbers(policy, bean, cache, loader));
    }

    /** The numbers of a policy of this name; null if no bean has them. */
    public PolicyNumbers named(String policy) {
        return policies.get(policy);
    }

    @Override
    public void close() {
        loader.close();
    }

    static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
