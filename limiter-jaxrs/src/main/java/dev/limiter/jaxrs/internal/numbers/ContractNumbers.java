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

    private final Map<String, PolicyNumbers> policies = new ConcurrentHashMap<>();
    private final PartitionTable partitions = new PartitionTable();
    private final Questions questions;

    /**
     * @param nanos a clock that does not step, in ns
     * @param signals receives failures
     * @throws dev.limiter.spi.InvalidSettingException if the cache time cannot be used
     */
    public ContractNumbers(Settings settings, LongSupplier nanos, Supplier<RequestSignals> signals) {
        Duration cache = settings.duration("limiter.numbers.cache", CACHE, SHORTEST_CACHE, LONGEST_CACHE);
        this.questions =
                new Questions(new AskingThreads(nanos), nanos, cache.toNanos(), new NumbersFailures(signals, nanos));
    }

    /** A table whose threads are the test's. */
    ContractNumbers(Questions questions) {
        this.questions = questions;
    }

    /**
     * The numbers of a policy. Of several declarations of one policy the first one counts.
     *
     * @param bean null if the annotation's numbers are those of all partitions
     */
    public PolicyNumbers of(ReloadablePolicy policy, NumbersBean bean) {
        return bean == null
                ? null
                : policies.computeIfAbsent(
                        policy.name(), name -> new PolicyNumbers(policy, bean, partitions, questions));
    }

    /** The numbers of a policy of this name; null if no bean has them. */
    public PolicyNumbers named(String policy) {
        return policies.get(policy);
    }

    @Override
    public void close() {
        questions.close();
    }

    static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
