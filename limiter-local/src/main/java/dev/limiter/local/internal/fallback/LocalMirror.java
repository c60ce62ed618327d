package dev.limiter.local.internal.fallback;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.local.internal.memory.MemoryStore;
import dev.limiter.local.internal.memory.StoreRecorder;
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
    private final MemoryStore store;
    private final StoreRecorder recorder;
    private final InstanceQuotas shares;
    private final MirroredRejections rejections = new MirroredRejections();

    public LocalMirror(MemoryStore store, InstanceQuotas shares) {
        this.store = store;
        this.recorder = new StoreRecorder(store);
        this.shares = shares;
    }

    /**
     * Decides the checks that both the store and the mirror must admit, and charges them here;
     * null if there is no such check. It uses the whole numbers of the policy, also where they
     * are divided for a store that fails. With a part of them it would reject requests that the
     * store has room for. Shadows do not decide, and are written afterwards.
     */
    public MemberDecision reserve(CheckGroup group) {
        if (shares.neverAlone()) {
            return null;
        }
        long now = store.nowMicros();
        if (shares.allRecovered(now)) {
            return null;
        }
        List<Check> demands = group.demands();
        boolean[] members = new boolean[demands.size()];
        for (int i = 0; i < members.length; i++) {
            Policy policy = demands.get(i).policy();
            InstanceQuota share = shares.of(policy);
            members[i] = share.isLocal()
                    && !policy.shadow()
                    && share.bothMustAdmit(now)
                    && recorder.mustAdmitBoth(policy, demands.get(i).key());
        }
        return decide(group, members, demand -> demand);
    }

    /** Decides some checks of a group under their instance quotas; null for none. */
    private MemberDecision decide(CheckGroup group, boolean[] members, UnaryOperator<Check> kept) {
        List<Check> own = new ArrayList<>(members.length);
        for (int i = 0; i < members.length; i++) {
            if (members[i]) {
                own.add(kept.apply(group.demands().get(i)));
            }
        }
        return own.isEmpty() ? null : new MemberDecision(members, store.acquire(new CheckGroup(own)));
    }

    private Check own(Check demand) {
        return shares.of(demand.policy()).own(demand);
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
     * @param beganMicros when the store was asked, by {@link #nowMicros}
     */
    public Decision.Admitted write(
            CheckGroup group, MemberDecision reserved, Decision.Admitted admission, long beganMicros) {
        return reserved == null
                ? written(group, admission, beganMicros)
                : writtenToo(group, reserved, admission, beganMicros);
    }

    /** Records what the store has admitted. */
    private Decision.Admitted written(CheckGroup group, Decision.Admitted admission, long beganMicros) {
        List<Check> demands = group.demands();
        List<CheckResult> answers = admission.answers();
        if (!areWrittenAsTheyAre(demands, answers)) {
            demands = new ArrayList<>(group.demands().size());
            answers = new ArrayList<>(group.demands().size());
            for (int i = 0; i < group.demands().size(); i++) {
                write(group.demands().get(i), admission.answers().get(i), demands, answers);
            }
        }
        return demands.isEmpty()
                ? admission
                : with(
                        admission,
                        admission.answers(),
                        recorder.admit(demands, answers, admission.receipt(), beganMicros));
    }

    /**
     * The same for a group of which a part is reserved. A request waits until store and mirror
     * have given its slot.
     */
    private Decision.Admitted writtenToo(
            CheckGroup group, MemberDecision reserved, Decision.Admitted admission, long beganMicros) {
        List<Check> demands = new ArrayList<>(group.demands().size());
        List<CheckResult> answers = new ArrayList<>(group.demands().size());
        List<CheckResult> told = new ArrayList<>(admission.answers());
        CheckResult[] own = reserved.placed();
        for (int i = 0; i < own.length; i++) {
            Check demand = group.demands().get(i);
            CheckResult answer = told.get(i);
            if (own[i] != null && own[i].runAfterMicros() > answer.runAfterMicros()) {
                told.set(i, heldFor(own[i].runAfterMicros(), answer));
            } else if (own[i] != null && own[i].runAfterMicros() < answer.runAfterMicros()) {
                store.refund(reserved.receipt().only(own[i].policy()::equals));
                demands.add(demand);
                answers.add(answer);
            }
            if (own[i] == null || shares.of(demand.policy()).hasOwnState()) {
                write(demand, answer, demands, answers);
            }
        }
        Receipt receipt = reserved.receipt();
        return with(
                admission,
                told,
                demands.isEmpty()
                        ? receipt
                        : Receipt.joined(
                                List.of(receipt, recorder.admit(demands, answers, admission.receipt(), beganMicros))));
    }

    /**
     * Whether the mirror records the whole group as it was asked. Most groups are so, and need
     * no lists of their own.
     */
    private boolean areWrittenAsTheyAre(List<Check> demands, List<CheckResult> answers) {
        for (int i = 0; i < demands.size(); i++) {
            Check demand = demands.get(i);
            InstanceQuota share = shares.of(demand.policy());
            if (!isWritten(share, answers.get(i)) || share.own(demand) != demand) {
                return false;
            }
        }
        return true;
    }

    private void write(Check demand, CheckResult answer, List<Check> demands, List<CheckResult> answers) {
        InstanceQuota share = shares.of(demand.policy());
        if (isWritten(share, answer)) {
            demands.add(share.own(demand));
            answers.add(answer);
        }
    }

    /**
     * Whether to record this result: the store admitted it, and its policy is {@code LOCAL}.
     * Results of the fallback are recorded already.
     */
    private static boolean isWritten(InstanceQuota share, CheckResult answer) {
        return answer.admitted() && !answer.fallback() && share.isLocal();
    }

    private static Decision.Admitted with(Decision.Admitted admission, List<CheckResult> answers, Receipt copy) {
        Receipt before = admission.receipt().copy();
        Receipt all = before == null ? copy : Receipt.joined(List.of(before, copy));
        return new Decision.Admitted(
                answers, admission.atMicros(), admission.receipt().withCopy(all));
    }

    private static CheckResult heldFor(long runAfterMicros, CheckResult answer) {
        return new CheckResult(
                answer.policy(),
                true,
                answer.remaining(),
                runAfterMicros,
                0,
                answer.nextAfterMicros(),
                answer.resetAfterMicros(),
                answer.fallback());
    }

    /**
     * Records what a rejection by the store shows: gates that other processes closed, and units
     * that they spent.
     */
    public void writeRejected(CheckGroup group, Decision rejected, long beganMicros) {
        for (int i = 0; i < group.demands().size(); i++) {
            Check demand = group.demands().get(i);
            CheckResult answer = rejected.answers().get(i);
            if (!answer.admitted() && !answer.fallback()) {
                writeRejected(demand, answer, rejected.atMicros(), beganMicros);
            }
        }
    }

    private void writeRejected(Check demand, CheckResult answer, long atMicros, long beganMicros) {
        Policy policy = demand.policy();
        boolean gate = policy.rules() instanceof Gate;
        boolean news = gate || policy.rules().remainingShowsOthers() && rejections.isNew(demand, answer, atMicros);
        InstanceQuota share = news ? shares.of(policy) : null;
        if (share == null || !share.isLocal()) {
            return;
        }
        if (gate) {
            store.charge(share.own(), demand.key(), (answer.retryAfterMicros() + 999) / 1_000);
        } else {
            recorder.follow(share.own(demand), answer, atMicros, beganMicros);
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
        for (Check demand : group.demands()) {
            if (demand.policy().rules().leases()) {
                admittedAlone(demand, now);
            }
        }
    }

    /**
     * Decides without the store, where no enforcing policy is {@code CLOSED}.
     *
     * @param reserved the part that is admitted already, and stays so; null if there is none
     * @return admitted without a {@linkplain Receipt#copy copy} if all policies are {@code OPEN}
     */
    public Decision instead(CheckGroup group, MemberDecision reserved) {
        if (reserved != null && shares.areParts()) {
            takeBack(group, reserved); // it was admitted with the whole numbers
            return instead(group, null);
        }
        List<Check> demands = group.demands();
        boolean[] members = new boolean[demands.size()];
        for (int i = 0; i < members.length; i++) {
            members[i] = shares.of(demands.get(i).policy()).isLocal() && (reserved == null || !reserved.members()[i]);
        }
        MemberDecision rest = decide(group, members, this::own);
        boolean admitted = rest == null || rest.decision().admitted();
        List<CheckResult> answers = fallback(group, reserved, rest);
        if (!admitted) {
            if (reserved != null) {
                takeBack(group, reserved);
            }
            return new Decision.Rejected(answers, rest.decision().atMicros());
        }
        long now = store.nowMicros();
        List<Check> passed = new ArrayList<>(demands.size());
        List<Receipt> copies = new ArrayList<>();
        for (MemberDecision part : Arrays.asList(reserved, rest)) {
            if (part != null) {
                copies.add(part.receipt());
            }
        }
        for (int i = 0; i < members.length; i++) {
            Check demand = demands.get(i);
            if (answers.get(i).admitted()) {
                passed.add(demand);
                admittedAlone(demand, now);
                InstanceQuota share = shares.of(demand.policy());
                if (share.isLocal() && share.hasOwnState()) {
                    copies.add(recorder.admit(List.of(demand), List.of(answers.get(i)), null, now));
                }
            }
        }
        Receipt copy = copies.size() > 1 ? Receipt.joined(copies) : copies.isEmpty() ? null : copies.get(0);
        return new Decision.Admitted(answers, now, Receipt.ofFallback(passed, copy));
    }

    private void admittedAlone(Check demand, long now) {
        admittedAlone(demand.policy(), demand.key(), now);
    }

    private void admittedAlone(Policy policy, PartitionKey key, long now) {
        InstanceQuota share = shares.of(policy);
        if (share.isLocal()) {
            recorder.admitBothUntil(policy, key, shares.admittedAlone(share, now));
        }
    }

    /**
     * What the mirror says of the parts that it was asked. The other policies get
     * {@link CheckResult#unasked}.
     */
    private List<CheckResult> fallback(CheckGroup group, MemberDecision one, MemberDecision other) {
        CheckResult[] answers = new CheckResult[group.demands().size()];
        place(one, answers);
        place(other, answers);
        for (int i = 0; i < answers.length; i++) {
            Policy policy = group.demands().get(i).policy();
            answers[i] = answers[i] == null
                    ? CheckResult.unasked(policy)
                    : shares.of(policy).fallback(answers[i]);
        }
        return Arrays.asList(answers);
    }

    private static void place(MemberDecision part, CheckResult[] answers) {
        CheckResult[] placed = part == null ? answers : part.placed();
        for (int i = 0; i < answers.length; i++) {
            answers[i] = placed[i] == null ? answers[i] : placed[i];
        }
    }

    /**
     * Whether one that enforces is {@code CLOSED}; if none enforces, whether one of the shadows
     * is.
     */
    public boolean isClosed(CheckGroup group) {
        boolean enforced = false;
        boolean closed = false;
        boolean closedShadow = false;
        for (Check demand : group.demands()) {
            boolean refuses = shares.of(demand.policy()).onStoreFailure() == OnStoreFailure.CLOSED;
            boolean shadow = demand.policy().shadow();
            enforced |= !shadow;
            closed |= refuses && !shadow;
            closedShadow |= refuses && shadow;
        }
        return enforced ? closed : closedShadow;
    }

    /**
     * What the mirror would answer. Policies that it does not keep get
     * {@link CheckResult#unasked}.
     */
    public List<CheckResult> peek(CheckGroup group) {
        return group.demands().stream()
                .map(demand -> {
                    InstanceQuota share = shares.of(demand.policy());
                    return share.isLocal()
                            ? share.fallback(
                                    store.peek(CheckGroup.of(share.own(demand))).get(0))
                            : CheckResult.unasked(demand.policy());
                })
                .toList();
    }

    public OnStoreFailure onStoreFailure(Policy policy) {
        return shares.of(policy).onStoreFailure();
    }

    /** Writes what the store was charged. */
    public void write(Policy policy, PartitionKey key, ChargeResult charge) {
        InstanceQuota share = shares.of(policy);
        if (share.isLocal() && charge.charged() > 0 && !charge.fallback()) {
            recorder.charge(share.own(), key, charge);
        }
    }

    /** Charges what the store does not know of. */
    public ChargeResult charge(Policy policy, PartitionKey key, long units) {
        InstanceQuota share = shares.of(policy);
        ChargeResult charge = share.fallback(store.charge(share.own(), key, units));
        if (share.hasOwnState()) {
            store.charge(policy, key, units);
        }
        admittedAlone(policy, key, store.nowMicros());
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
        for (Check demand : receipt.demands()) {
            rejections.forget(demand.policy(), demand.key());
        }
        return true;
    }

    public void reset(Policy policy, PartitionKey key) {
        store.reset(shares.of(policy).own(), key);
        store.reset(policy, key);
        rejections.forget(policy, key);
    }

    /** The clock of the mirror, in µs. */
    public long nowMicros() {
        return store.nowMicros();
    }

    public void close() {
        store.clear();
    }
}
