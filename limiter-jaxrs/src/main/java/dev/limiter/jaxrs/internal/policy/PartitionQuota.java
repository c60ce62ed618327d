package dev.limiter.jaxrs.internal.policy;

import dev.limiter.InvalidPolicyException;
import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.signals.QuotaFailure;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The quota of one partition. The first request that needs it loads it from the bean; requests
 * that come meanwhile wait for the same load. None waits longer than the longest wait after the
 * load began: then what was known before holds, and the answer is used when it comes.
 */
final class PartitionQuota {
    private final ReloadablePolicy policy;
    private final PartitionKey key;
    private final ContractQuotas contracts;
    private volatile Known known = new Known(null, null, null);
    private volatile long untilNanos;
    private PendingLoad pending;
    private volatile boolean used;

    /**
     * The quota that was loaded last, and what it makes of one version of the declaration.
     *
     * @param quota null for that of the annotation
     * @param policy null if the partition is unlimited
     */
    private record Known(QuotaSource.Quota quota, PolicyVersion version, EffectivePolicy policy) {}

    /** A load under way. */
    private static final class PendingLoad {
        final CountDownLatch over = new CountDownLatch(1);
        final long begunNanos;
        boolean slow;

        PendingLoad(long begunNanos) {
            this.begunNanos = begunNanos;
        }
    }

    PartitionQuota(ReloadablePolicy policy, PartitionKey key, ContractQuotas contracts) {
        this.policy = policy;
        this.key = key;
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

    /** The policy in force; null if the partition is unlimited. */
    EffectivePolicy now() {
        long now = contracts.now();
        if (!holdsAt(now)) {
            await(pendingLoad(now), now);
        }
        PolicyVersion version = policy.version();
        Known last = known;
        return (last.version() == version ? last : under(version)).policy();
    }

    private boolean holdsAt(long nanos) {
        return nanos - untilNanos < 0;
    }

    /**
     * What is known, under a changed configuration. A quota that has become impossible gives way
     * to that of the declaration.
     */
    private synchronized Known under(PolicyVersion version) {
        try {
            known = checked(known.quota(), version);
        } catch (InvalidPolicyException changed) {
            known = new Known(known.quota(), version, version.base());
        }
        return known;
    }

    /** @throws InvalidPolicyException naming the member, the value and the rule it breaks */
    private Known checked(QuotaSource.Quota quota, PolicyVersion version) {
        EffectivePolicy made = version.base();
        if (quota != null) {
            made = quota.unlimited() ? null : policy.with(version, quota.limit(), quota.burst());
        }
        return new Known(quota, version, made);
    }

    /** The load under way, or a new one; null if what is known holds by now. */
    private synchronized PendingLoad pendingLoad(long now) {
        if (pending == null && !holdsAt(now)) {
            begin(now);
        }
        return pending;
    }

    private void begin(long now) {
        PendingLoad load = new PendingLoad(now);
        try {
            QuotaSource bean = policy.quota().bean().get(); // a thread of the application knows its beans
            pending = load;
            contracts.run(() -> load(load, bean));
        } catch (RejectedExecutionException busy) {
            failed(QuotaFailure.BUSY, null, now);
        } catch (RuntimeException lookup) {
            failed(QuotaFailure.THROWN, lookup, now);
        }
    }

    /** Calls the bean, on a thread of the limiter's. */
    private void load(PendingLoad load, QuotaSource bean) {
        try {
            QuotaSource.Quota quota = bean.of(new QuotaSource.Partition(policy.name(), values()));
            long until = load.begunNanos + contracts.cacheNanos();
            long soonest = contracts.now() + contracts.pauseNanos();
            learned(checked(quota, policy.version()), until - soonest > 0 ? until : soonest);
        } catch (InvalidPolicyException nonsense) {
            failed(QuotaFailure.INVALID, nonsense, contracts.now());
        } catch (Throwable thrown) { // also an error, such as a class that is missing
            failed(QuotaFailure.THROWN, thrown, contracts.now());
        } finally {
            load.over.countDown();
        }
    }

    private synchronized void learned(Known answer, long until) {
        known = answer;
        untilNanos = until; // after the answer: a request reads it before the answer
        pending = null;
    }

    /** Keeps what was known before for a short time. */
    private void failed(QuotaFailure failure, Throwable why, long now) {
        long pause = failure == QuotaFailure.BUSY ? contracts.busyPauseNanos() : contracts.pauseNanos();
        synchronized (this) {
            untilNanos = now + pause;
            pending = null;
        }
        contracts.failed(policy.name(), failure, why);
    }

    private void await(PendingLoad load, long now) {
        if (load == null) {
            return;
        }
        try {
            long nanos = load.begunNanos + contracts.maxWaitNanos() - now;
            if (!load.over.await(nanos, TimeUnit.NANOSECONDS) && isFirstLate(load)) {
                contracts.failed(policy.name(), QuotaFailure.SLOW, null);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isFirstLate(PendingLoad load) {
        boolean first = !load.slow;
        load.slow = true;
        return first;
    }

    /** The values by placeholder, without {@code ~fold} and without literals of the key. */
    private Map<String, String> values() {
        Map<String, String> values = KeyValueSource.unfolded(key);
        values.remove("literal");
        return values;
    }
}
