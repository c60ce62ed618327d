package dev.limiter.local.internal.fallback;

import dev.limiter.OnStoreFailure;
import dev.limiter.Policy;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The instance quotas of this process, made at the first request of each policy. */
public final class InstanceQuotas {

    /**
     * An application has a handful of policies. Contracts and anchors make more of each, and code
     * can make up policies without end.
     */
    static final int MAX_KEPT = 10_000;

    private final OnStoreFailure configured;
    private final int processes;
    private final ConcurrentHashMap<Policy, InstanceQuota> quotas = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, AtomicLong> recoveries = new ConcurrentHashMap<>();

    /** The recovery of all names beyond the bound, which recover together. */
    private final AtomicLong recoveryOfOthers = new AtomicLong(Long.MIN_VALUE);

    private final AtomicLong allRecoveredMicros = new AtomicLong(Long.MIN_VALUE);

    /**
     * @param configured what {@code CONFIGURED} means; not itself
     * @param processes at least 1
     */
    public InstanceQuotas(OnStoreFailure configured, int processes) {
        this.configured = configured;
        this.processes = processes;
    }

    InstanceQuota of(Policy policy) {
        InstanceQuota known = quotas.get(policy);
        if (known != null) {
            return known;
        }
        OnStoreFailure said = policy.onStoreFailure();
        InstanceQuota made = new InstanceQuota(
                policy, said == OnStoreFailure.CONFIGURED ? configured : said, processes, recovery(policy.name()));
        if (quotas.size() >= MAX_KEPT) {
            quotas.clear(); // so those of earlier limits go, and those in use come back
        }
        quotas.put(policy, made);
        return made;
    }

    /** Whether limits are divided. */
    boolean areParts() {
        return processes > 1;
    }

    /** Whether the store alone decides every partition, since all recoveries are over. */
    boolean allRecovered(long nowMicros) {
        return nowMicros >= allRecoveredMicros.get();
    }

    /** Whether nothing was ever admitted without the store. It needs no clock. */
    boolean neverAlone() {
        return allRecoveredMicros.get() == Long.MIN_VALUE;
    }

    /**
     * {@return the instant from which the store alone decides on the admitted partition again}
     */
    long admittedAlone(InstanceQuota quota, long nowMicros, long resetAfterMicros) {
        long until = quota.admittedAlone(nowMicros, resetAfterMicros);
        allRecoveredMicros.accumulateAndGet(until, Math::max);
        return until;
    }

    private AtomicLong recovery(String name) {
        AtomicLong known = recoveries.get(name);
        if (known != null || recoveries.size() >= MAX_KEPT) {
            return known == null ? recoveryOfOthers : known;
        }
        return recoveries.computeIfAbsent(name, first -> new AtomicLong(Long.MIN_VALUE));
    }
}
