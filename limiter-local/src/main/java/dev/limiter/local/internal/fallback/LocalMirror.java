package dev.limiter.local.internal.fallback;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Enforcement;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.Gate;
import dev.limiter.internal.store.Receipt;
import dev.limiter.local.internal.memory.FollowingStore;
import java.util.List;
import java.util.stream.Stream;

/**
 * The record of this process of what the store admitted to it, and of what it admitted itself.
 * It records policies that are {@code LOCAL}, under their instance quotas, and no others.
 */
public final class LocalMirror {
    final FollowingStore store;
    final InstanceQuotas quotas;
    private final MirroredRejections rejections = new MirroredRejections();

    public LocalMirror(FollowingStore store, InstanceQuotas quotas) {
        this.store = store;
        this.quotas = quotas;
    }

    /** Whether there is no room for a check; of a limit that is not recorded, as the store said. */
    boolean isSpent(Check check) {
        InstanceQuota quota = quotas.of(check.policy());
        return quota.isLocal() ? !seen(quota, check).admitted() : rejections.isRejected(check, store.nowMicros());
    }

    /**
     * Records what a rejection by the store shows: gates that other processes closed, and units
     * that they spent.
     */
    void recordRejection(CheckGroup group, Decision rejected, long beganMicros) {
        for (int i = 0; i < group.checks().size(); i++) {
            Check check = group.checks().get(i);
            CheckResult result = rejected.results().get(i);
            if (!result.admitted() && !result.fallback()) {
                recordRejection(check, result, rejected.atMicros(), beganMicros);
            }
        }
    }

    private void recordRejection(Check check, CheckResult result, long atMicros, long beganMicros) {
        Policy policy = check.policy();
        boolean gate = policy.rules() instanceof Gate;
        boolean news = gate || policy.rules().remainingShowsOthers() && rejections.isNew(check, result, atMicros);
        InstanceQuota quota = news ? quotas.of(policy) : null;
        if (quota == null || !quota.isLocal()) {
            return;
        }
        if (gate) {
            store.charge(quota.own(), check.key(), (result.retryAfterMicros() + 999) / 1_000);
        } else {
            store.recordRejection(quota.own(check), result, atMicros, beganMicros);
        }
    }

    /** @param resetAfterMicros when the partition has its full quota again, as of now */
    void admittedAlone(Policy policy, PartitionKey key, long now, long resetAfterMicros) {
        InstanceQuota quota = quotas.of(policy);
        if (quota.isLocal()) {
            store.admitBothUntil(policy, key, quotas.admittedAlone(quota, now, resetAfterMicros));
        }
    }

    /**
     * Whether a policy that is no shadow is {@code CLOSED}; if all are shadows, whether one of
     * them is.
     */
    public boolean isClosed(CheckGroup group) {
        List<Check> enforced = group.checks().stream()
                .filter(check -> check.policy().enforcement() != Enforcement.SHADOW)
                .toList();
        return (enforced.isEmpty() ? group.checks() : enforced)
                .stream().anyMatch(check -> onStoreFailure(check.policy()) == OnStoreFailure.CLOSED);
    }

    /**
     * The results that the mirror would give. Policies that it does not record get
     * {@link CheckResult#notChecked}.
     */
    public List<CheckResult> peek(CheckGroup group) {
        return group.checks().stream()
                .map(check -> {
                    InstanceQuota quota = quotas.of(check.policy());
                    return quota.isLocal()
                            ? quota.fallback(seen(quota, check))
                            : CheckResult.notChecked(check.policy());
                })
                .toList();
    }

    private CheckResult seen(InstanceQuota quota, Check check) {
        return store.peek(CheckGroup.of(quota.own(check))).get(0);
    }

    public OnStoreFailure onStoreFailure(Policy policy) {
        return quotas.of(policy).onStoreFailure();
    }

    /** The strictest among the policies of some checks. */
    public OnStoreFailure onStoreFailure(List<Check> checks) {
        return Stream.of(OnStoreFailure.CLOSED, OnStoreFailure.LOCAL)
                .filter(each -> checks.stream().anyMatch(check -> onStoreFailure(check.policy()) == each))
                .findFirst()
                .orElse(OnStoreFailure.OPEN);
    }

    /** Writes what the store was charged. */
    public void record(Policy policy, PartitionKey key, ChargeResult charge) {
        InstanceQuota quota = quotas.of(policy);
        if (quota.isLocal() && charge.charged() > 0 && !charge.fallback()) {
            store.recordCharge(quota.own(), key, charge);
        }
    }

    /** Charges what the store does not know of. */
    public ChargeResult charge(Policy policy, PartitionKey key, long units) {
        InstanceQuota quota = quotas.of(policy);
        ChargeResult charge = quota.fallback(store.charge(quota.own(), key, units));
        if (quota.hasOwnState()) {
            store.charge(policy, key, units);
        }
        admittedAlone(policy, key, store.nowMicros(), charge.resetAfterMicros());
        return charge;
    }

    /**
     * Gives back an admission in the mirror. Others may take the units in the store at once, so
     * the next rejection is recorded again.
     *
     * @param receipt of the store
     */
    public boolean refund(Receipt receipt) {
        Receipt copy = receipt.copy();
        if (copy == null || !store.refund(copy)) {
            return false;
        }
        for (Check check : receipt.checks()) {
            rejections.forget(check.policy(), check.key());
        }
        return true;
    }

    public void reset(Policy policy, PartitionKey key) {
        store.reset(quotas.of(policy).own(), key);
        store.reset(policy, key);
        rejections.forget(policy, key);
    }
}
