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
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.spi.Receipt;
import dev.limiter.spi.algorithm.Gate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The record of this process of what the store admitted to it, and of what it admitted itself.
 * It records policies that are {@code LOCAL}, under their instance quotas, and no others.
 */
public final class LocalMirror {
    private final FollowingStore store;
    private final InstanceQuotas quotas;
    private final MirroredRejections rejections = new MirroredRejections();

    public LocalMirror(FollowingStore store, InstanceQuotas quotas) {
        this.store = store;
        this.quotas = quotas;
    }

    /**
     * Decides the checks that both the store and the mirror must admit, and charges them here;
     * null if there is no such check. It uses the whole numbers of the policy, also where they
     * are divided for a store that fails. With a part of them it would reject requests that the
     * store has room for. Shadows do not decide, and are written afterwards.
     *
     * <p>Null also if another check of the group does not fit here. Then the store will reject the
     * group, and until it does, the reservation would keep other callers out.
     */
    public MemberDecision reserve(CheckGroup group) {
        boolean[] members = bothMustAdmit(group);
        return members == null || isSpentBeside(group, members) ? null : decide(group, members, check -> check);
    }

    /** The same when the store has admitted a group without a reservation. */
    public MemberDecision reserveAdmitted(CheckGroup group) {
        boolean[] members = bothMustAdmit(group);
        return members == null ? null : decide(group, members, check -> check);
    }

    /** The checks that both the store and the mirror must admit; null if all have recovered. */
    private boolean[] bothMustAdmit(CheckGroup group) {
        if (quotas.neverAlone()) {
            return null;
        }
        long now = store.nowMicros();
        if (quotas.allRecovered(now)) {
            return null;
        }
        List<Check> checks = group.checks();
        boolean[] members = new boolean[checks.size()];
        for (int i = 0; i < members.length; i++) {
            Policy policy = checks.get(i).policy();
            InstanceQuota quota = quotas.of(policy);
            members[i] = quota.isLocal()
                    && policy.rejects()
                    && quota.bothMustAdmit(now)
                    && store.mustAdmitBoth(policy, checks.get(i).key());
        }
        return members;
    }

    /** Whether a check beside the members does not fit here; leases are renewed in any case. */
    private boolean isSpentBeside(CheckGroup group, boolean[] members) {
        for (int i = 0; i < members.length; i++) {
            Check check = group.checks().get(i);
            Policy policy = check.policy();
            if (!members[i]
                    && policy.rejects()
                    && !policy.rules().leases()
                    && quotas.of(policy).isLocal()
                    && !store.peek(CheckGroup.of(own(check))).get(0).admitted()) {
                return true;
            }
        }
        return false;
    }

    /** Decides some checks of a group under their instance quotas; null for none. */
    private MemberDecision decide(CheckGroup group, boolean[] members, UnaryOperator<Check> kept) {
        List<Check> own = new ArrayList<>(members.length);
        for (int i = 0; i < members.length; i++) {
            if (members[i]) {
                own.add(kept.apply(group.checks().get(i)));
            }
        }
        return own.isEmpty() ? null : new MemberDecision(members, store.acquire(new CheckGroup(own)));
    }

    private Check own(Check check) {
        return quotas.of(check.policy()).own(check);
    }

    /** The rejection of a group that the mirror rejects before the store is asked. */
    public Decision.Rejected refused(CheckGroup group, MemberDecision reserved) {
        return new Decision.Rejected(
                fallback(group, reserved, null), reserved.decision().atMicros());
    }

    /**
     * Records what the store has admitted.
     *
     * @param reserved the part that is recorded already; null if there is none
     * @param beganMicros when the store was asked, by {@link #ownMicros}
     */
    public Decision.Admitted record(
            CheckGroup group, MemberDecision reserved, Decision.Admitted admission, long beganMicros) {
        return reserved == null
                ? recordAll(group, admission, beganMicros)
                : recordBeside(group, reserved, admission, beganMicros);
    }

    /** Records what the store has admitted. */
    private Decision.Admitted recordAll(CheckGroup group, Decision.Admitted admission, long beganMicros) {
        List<Check> checks = group.checks();
        List<CheckResult> results = admission.results();
        if (!areRecordedWhole(checks, results)) {
            checks = new ArrayList<>(group.checks().size());
            results = new ArrayList<>(group.checks().size());
            for (int i = 0; i < group.checks().size(); i++) {
                record(group.checks().get(i), admission.results().get(i), checks, results);
            }
        }
        return checks.isEmpty()
                ? admission
                : with(
                        admission,
                        admission.results(),
                        store.recordAdmission(checks.toArray(Check[]::new), results, admission.receipt(), beganMicros));
    }

    /**
     * The same for a group of which a part is reserved. A request waits until store and mirror
     * have given its slot.
     */
    private Decision.Admitted recordBeside(
            CheckGroup group, MemberDecision reserved, Decision.Admitted admission, long beganMicros) {
        List<Check> checks = new ArrayList<>(group.checks().size());
        List<CheckResult> results = new ArrayList<>(group.checks().size());
        List<CheckResult> told = new ArrayList<>(admission.results());
        CheckResult[] own = reserved.placed();
        for (int i = 0; i < own.length; i++) {
            Check check = group.checks().get(i);
            CheckResult result = told.get(i);
            if (own[i] != null && own[i].runAfterMicros() > result.runAfterMicros()) {
                told.set(i, heldFor(own[i].runAfterMicros(), result));
            } else if (own[i] != null && own[i].runAfterMicros() < result.runAfterMicros()) {
                store.refund(reserved.receipt().only(own[i].policy()::equals));
                checks.add(check);
                results.add(result);
            }
            if (own[i] == null || quotas.of(check.policy()).hasOwnState()) {
                record(check, result, checks, results);
            }
        }
        Receipt receipt = reserved.receipt();
        return with(
                admission,
                told,
                checks.isEmpty()
                        ? receipt
                        : Receipt.joined(List.of(
                                receipt,
                                store.recordAdmission(
                                        checks.toArray(Check[]::new), results, admission.receipt(), beganMicros))));
    }

    /**
     * Whether the mirror records the whole group as it was asked. Most groups are so, and need
     * no lists of their own.
     */
    private boolean areRecordedWhole(List<Check> checks, List<CheckResult> results) {
        for (int i = 0; i < checks.size(); i++) {
            Check check = checks.get(i);
            InstanceQuota quota = quotas.of(check.policy());
            if (!isRecorded(quota, results.get(i)) || quota.own(check) != check) {
                return false;
            }
        }
        return true;
    }

    private void record(Check check, CheckResult result, List<Check> checks, List<CheckResult> results) {
        InstanceQuota quota = quotas.of(check.policy());
        if (isRecorded(quota, result)) {
            checks.add(quota.own(check));
            results.add(result);
        }
    }

    /**
     * Whether to record this result: the store admitted it, and its policy is {@code LOCAL}.
     * Results of the fallback are recorded already.
     */
    private static boolean isRecorded(InstanceQuota quota, CheckResult result) {
        return result.admitted() && !result.fallback() && quota.isLocal();
    }

    private static Decision.Admitted with(Decision.Admitted admission, List<CheckResult> results, Receipt copy) {
        admission.receipt().attach(copy);
        return results == admission.results()
                ? admission
                : new Decision.Admitted(results, admission.atMicros(), admission.receipt());
    }

    private static CheckResult heldFor(long runAfterMicros, CheckResult result) {
        return new CheckResult(
                result.policy(),
                true,
                result.remaining(),
                result.used(),
                runAfterMicros,
                0,
                result.nextAfterMicros(),
                result.resetAfterMicros(),
                result.fallback());
    }

    /**
     * Records what a rejection by the store shows: gates that other processes closed, and units
     * that they spent.
     */
    public void recordRejection(CheckGroup group, Decision rejected, long beganMicros) {
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

    /**
     * Takes back a reservation that the store did not admit. A lease that runs on without the
     * store stays in the mirror.
     */
    public void takeBack(CheckGroup group, MemberDecision reserved) {
        if (!store.takeBack(reserved.receipt())) {
            return;
        }
        long now = store.nowMicros();
        for (Check check : group.checks()) {
            if (check.policy().rules().leases()) {
                admittedAlone(check.policy(), check.key(), now, 0); // a lease is of no period
            }
        }
    }

    /**
     * Decides without the store, where no enforcing policy is {@code CLOSED}.
     *
     * @param reserved the part that is admitted already, and stays so; null if there is none
     * @return admitted without a {@linkplain Receipt#copy copy} if all policies are {@code OPEN}
     */
    public Decision decideAlone(CheckGroup group, MemberDecision reserved) {
        if (reserved != null && quotas.areParts()) {
            takeBack(group, reserved); // it was admitted with the whole numbers
            return decideAlone(group, null);
        }
        List<Check> checks = group.checks();
        boolean[] members = new boolean[checks.size()];
        for (int i = 0; i < members.length; i++) {
            members[i] = quotas.of(checks.get(i).policy()).isLocal() && (reserved == null || !reserved.members()[i]);
        }
        MemberDecision rest = decide(group, members, this::own);
        boolean admitted = rest == null || rest.decision().admitted();
        List<CheckResult> results = fallback(group, reserved, rest);
        if (!admitted) {
            if (reserved != null) {
                takeBack(group, reserved);
            }
            return new Decision.Rejected(results, rest.decision().atMicros());
        }
        long now = store.nowMicros();
        List<Check> passed = new ArrayList<>(checks.size());
        List<Receipt> copies = new ArrayList<>();
        for (MemberDecision part : Arrays.asList(reserved, rest)) {
            if (part != null) {
                copies.add(part.receipt());
            }
        }
        for (int i = 0; i < members.length; i++) {
            Check check = checks.get(i);
            if (results.get(i).admitted()) {
                passed.add(check);
                admittedAlone(check.policy(), check.key(), now, results.get(i).resetAfterMicros());
                InstanceQuota quota = quotas.of(check.policy());
                if (quota.isLocal() && quota.hasOwnState()) {
                    copies.add(store.recordAdmission(
                            new Check[] {check}, List.of(results.get(i)), null, store.ownMicros()));
                }
            }
        }
        Receipt copy = copies.size() > 1 ? Receipt.joined(copies) : copies.isEmpty() ? null : copies.get(0);
        return new Decision.Admitted(results, now, Receipt.ofFallback(passed, copy));
    }

    /** @param resetAfterMicros when the partition has its full quota again, as of now */
    private void admittedAlone(Policy policy, PartitionKey key, long now, long resetAfterMicros) {
        InstanceQuota quota = quotas.of(policy);
        if (quota.isLocal()) {
            store.admitBothUntil(policy, key, quotas.admittedAlone(quota, now, resetAfterMicros));
        }
    }

    /**
     * The results of the members that the mirror decided. The other policies get
     * {@link CheckResult#notChecked}.
     */
    private List<CheckResult> fallback(CheckGroup group, MemberDecision one, MemberDecision other) {
        CheckResult[] results = new CheckResult[group.checks().size()];
        place(one, results);
        place(other, results);
        for (int i = 0; i < results.length; i++) {
            Policy policy = group.checks().get(i).policy();
            results[i] = results[i] == null
                    ? CheckResult.notChecked(policy)
                    : quotas.of(policy).fallback(results[i]);
        }
        return Arrays.asList(results);
    }

    private static void place(MemberDecision part, CheckResult[] results) {
        CheckResult[] placed = part == null ? results : part.placed();
        for (int i = 0; i < results.length; i++) {
            results[i] = placed[i] == null ? results[i] : placed[i];
        }
    }

    /**
     * Whether a policy that is no shadow is {@code CLOSED}; if all are shadows, whether one of
     * them is.
     */
    public boolean isClosed(CheckGroup group) {
        boolean enforced = false;
        boolean closed = false;
        boolean closedShadow = false;
        for (Check check : group.checks()) {
            boolean refuses = quotas.of(check.policy()).onStoreFailure() == OnStoreFailure.CLOSED;
            boolean shadow = check.policy().enforcement() == Enforcement.SHADOW;
            enforced |= !shadow;
            closed |= refuses && !shadow;
            closedShadow |= refuses && shadow;
        }
        return enforced ? closed : closedShadow;
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
                            ? quota.fallback(
                                    store.peek(CheckGroup.of(quota.own(check))).get(0))
                            : CheckResult.notChecked(check.policy());
                })
                .toList();
    }

    public OnStoreFailure onStoreFailure(Policy policy) {
        return quotas.of(policy).onStoreFailure();
    }

    /** The strictest among the policies of some checks. */
    public OnStoreFailure onStoreFailure(List<Check> checks) {
        OnStoreFailure strictest = OnStoreFailure.OPEN;
        for (Check check : checks) {
            OnStoreFailure own = onStoreFailure(check.policy());
            if (own == OnStoreFailure.CLOSED) {
                return own;
            }
            strictest = own == OnStoreFailure.OPEN ? strictest : own;
        }
        return strictest;
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

    /** The clock of this process, in µs. */
    public long ownMicros() {
        return store.ownMicros();
    }

    public void close() {
        store.clear();
    }
}
