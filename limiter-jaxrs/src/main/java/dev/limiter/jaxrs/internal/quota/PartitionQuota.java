package dev.limiter.jaxrs.internal.quota;

import dev.limiter.InvalidPolicyException;
import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.signals.QuotaFailure;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The quota of one partition. The first request that needs it loads it from the bean; requests
 * that come meanwhile wait for the same load. None waits longer than the longest wait after the
 * load began: then what was known before holds, and the answer is used when it comes.
 */
final class PartitionQuota {
    private final String policy;
    private final PartitionKey key;
    private final Lazy<QuotaSource> bean;
    private final Consumer<QuotaSource.Quota> possible;
    private final ContractQuotas contracts;
    /** Null for that of the annotation. */
    private volatile QuotaSource.Quota known;

    private volatile long untilNanos;
    private PendingLoad pending;
    private volatile boolean used;

    /** A load under way. */
    private record PendingLoad(long begunNanos, CountDownLatch over, AtomicBoolean slow) {}

    /** @param possible refuses a quota that the policy cannot have */
    PartitionQuota(
            String policy,
            PartitionKey key,
            Lazy<QuotaSource> bean,
            Consumer<QuotaSource.Quota> possible,
            ContractQuotas contracts) {
        this.policy = policy;
        this.key = key;
        this.bean = bean;
        this.possible = possible;
        this.contracts = contracts;
        this.untilNanos = contracts.now();
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

    /** What was loaded last, after a load that is due; null for the quota of the annotation. */
    QuotaSource.Quota now() {
        long now = contracts.now();
        if (!holdsAt(now)) {
            await(pendingLoad(now), now);
        }
        return known;
    }

    private boolean holdsAt(long nanos) {
        return nanos - untilNanos < 0;
    }

    /** The load under way, or a new one; null if what is known holds by now. */
    private synchronized PendingLoad pendingLoad(long now) {
        if (pending == null && !holdsAt(now)) {
            begin(now);
        }
        return pending;
    }

    private void begin(long now) {
        PendingLoad load = new PendingLoad(now, new CountDownLatch(1), new AtomicBoolean());
        try {
            QuotaSource source = bean.get(); // a thread of the application knows its beans
            pending = load;
            contracts.run(() -> load(load, source));
        } catch (RejectedExecutionException busy) {
            failed(QuotaFailure.BUSY, null, now);
        } catch (RuntimeException lookup) {
            failed(QuotaFailure.THROWN, lookup, now);
        }
    }

    /** Calls the bean, on a thread of the limiter's. */
    private void load(PendingLoad load, QuotaSource source) {
        try {
            QuotaSource.Quota quota = source.of(new QuotaSource.Partition(policy, values()));
            if (quota != null && !quota.unlimited()) {
                possible.accept(quota);
            }
            long until = load.begunNanos + contracts.cacheNanos();
            long soonest = contracts.now() + contracts.pauseNanos(null);
            learned(quota, until - soonest > 0 ? until : soonest);
        } catch (InvalidPolicyException nonsense) {
            failed(QuotaFailure.INVALID, nonsense, contracts.now());
        } catch (Throwable thrown) { // also an error, such as a class that is missing
            failed(QuotaFailure.THROWN, thrown, contracts.now());
        } finally {
            load.over.countDown();
        }
    }

    private synchronized void learned(QuotaSource.Quota answer, long until) {
        known = answer;
        untilNanos = until; // after the answer: a request reads it before the answer
        pending = null;
    }

    /** Keeps what was known before for a short time. */
    private void failed(QuotaFailure failure, Throwable why, long now) {
        learned(known, now + contracts.pauseNanos(failure));
        contracts.failed(policy, failure, why);
    }

    private void await(PendingLoad load, long now) {
        if (load == null) {
            return;
        }
        try {
            long nanos = load.begunNanos + contracts.maxWaitNanos() - now;
            if (!load.over.await(nanos, TimeUnit.NANOSECONDS) && !load.slow.getAndSet(true)) {
                contracts.failed(policy, QuotaFailure.SLOW, null);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The values by placeholder, without {@code ~fold} and without literals of the key. */
    private Map<String, String> values() {
        Map<String, String> values = KeyValueSource.unfolded(key);
        values.remove("literal");
        return values;
    }
}
