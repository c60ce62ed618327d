package dev.limiter.jaxrs.internal.numbers;

import dev.limiter.InvalidPolicyException;
import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.LimitNumbers;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import dev.limiter.jaxrs.internal.signals.NumbersFailure;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The numbers of one partition. The first request that needs them loads them from the bean;
 * requests that come meanwhile wait for the same load. None waits longer than the longest wait
 * after the load began: then what was cached before holds, and the answer is used when it comes.
 */
final class PartitionNumbers {
    private final PolicyNumbers policy;
    private final PartitionKey key;
    private final NumbersLoader loader;
    private volatile CachedNumbers cached;
    private PendingLoad pending;
    private volatile boolean used;

    /** A load under way. */
    private static final class PendingLoad {
        final CountDownLatch over = new CountDownLatch(1);
        final long begunNanos;
        boolean slow;

        PendingLoad(long begunNanos) {
            this.begunNanos = begunNanos;
        }
    }

    PartitionNumbers(PolicyNumbers policy, PartitionKey key) {
        this.policy = policy;
        this.key = key;
        this.loader = policy.loader();
        this.cached = new CachedNumbers(null, loader.now());
    }

    /** Notes a request after the first one. */
    void use() {
        if (!used) { // most requests need no write, which other processors would have to see
            used = true;
        }
    }

    /** Whether a request came after the first one, and since the last call of this method. */
    boolean takeUsed() {
        boolean since = used;
        used = false;
        return since;
    }

    /** The numbers in force; null if the partition is unlimited. */
    EffectivePolicy now() {
        CachedNumbers last = cached;
        long now = loader.now();
        return (last.holdsAt(now) ? last : loaded(now)).in(policy.policy());
    }

    private CachedNumbers loaded(long now) {
        PendingLoad load = pendingLoad(now);
        if (load != null) {
            await(load, load.begunNanos + loader.maxWaitNanos() - now);
        }
        return cached;
    }

    /** The load under way, or a new one; null if what is cached holds by now. */
    private synchronized PendingLoad pendingLoad(long now) {
        if (pending == null && !cached.holdsAt(now)) {
            begin(now);
        }
        return pending;
    }

    private void begin(long now) {
        PendingLoad load = new PendingLoad(now);
        try {
            LimitNumbers bean = policy.bean();
            pending = load;
            loader.threads().execute(() -> load(load, bean));
        } catch (RejectedExecutionException busy) {
            failed(NumbersFailure.BUSY, null, now);
        } catch (RuntimeException lookup) {
            failed(NumbersFailure.THROWN, lookup, now);
        }
    }

    /** Calls the bean, on a thread of the limiter's. */
    private void load(PendingLoad load, LimitNumbers bean) {
        try {
            LimitNumbers.Numbers numbers = bean.of(new LimitNumbers.Partition(name(), values()));
            long arrived = loader.now();
            long until = load.begunNanos + loader.cacheNanos();
            long soonest = arrived + loader.pauseNanos();
            CachedNumbers answer = new CachedNumbers(numbers, until - soonest > 0 ? until : soonest);
            answer.check(policy.policy());
            learned(answer);
        } catch (InvalidPolicyException nonsense) {
            failed(NumbersFailure.INVALID, nonsense, loader.now());
        } catch (Throwable thrown) { // also an error, such as a class that is missing
            failed(NumbersFailure.THROWN, thrown, loader.now());
        } finally {
            load.over.countDown();
        }
    }

    private synchronized void learned(CachedNumbers answer) {
        cached = answer;
        pending = null;
    }

    /** Keeps what was cached before for a short time. */
    private void failed(NumbersFailure failure, Throwable why, long now) {
        long pause = failure == NumbersFailure.BUSY ? loader.busyPauseNanos() : loader.pauseNanos();
        synchronized (this) {
            cached = cached.until(now + pause);
            pending = null;
        }
        loader.failures().failed(name(), failure, why);
    }

    private void await(PendingLoad load, long nanos) {
        boolean over = false;
        try {
            over = load.over.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return;
        }
        if (!over && isFirstLate(load)) {
            loader.failures().failed(name(), NumbersFailure.SLOW, null);
        }
    }

    private synchronized boolean isFirstLate(PendingLoad load) {
        boolean first = !load.slow;
        load.slow = true;
        return first;
    }

    /** The values by placeholder, without {@code ~fold} and without literals of the key. */
    private Map<String, String> values() {
        Map<String, String> values = new HashMap<>();
        key.values().forEach((name, value) -> values.putIfAbsent(KeyValueSource.unfolded(name), value));
        values.remove("literal");
        return values;
    }

    private String name() {
        return policy.policy().name();
    }
}
