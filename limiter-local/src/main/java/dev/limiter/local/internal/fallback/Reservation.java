package dev.limiter.local.internal.fallback;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.internal.store.Receipt;
import dev.limiter.local.internal.memory.FollowingStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * What the mirror has decided on a group beside the store: at first on the checks that both must
 * admit, which may be none. Used by the thread of one call.
 */
public final class Reservation {
    private final LocalMirror mirror;
    private final CheckGroup group;

    /** The results of the mirror at the places of their checks; null before the first. */
    private CheckResult[] own;

    /** What can be given back in the mirror; null if there is nothing. */
    private Receipt receipt;

    private boolean rejects;
    private long atMicros;

    public Reservation(LocalMirror mirror, CheckGroup group) {
        this.mirror = mirror;
        this.group = group;
    }

    public CheckGroup group() {
        return group;
    }

    /**
     * Decides the checks that both must admit, and charges them in the mirror. It uses the whole
     * limit of the policy, also where it is divided for a store that fails. With a part of
     * it the mirror would reject requests that the store has room for. Shadows do not decide,
     * and are written afterwards.
     *
     * <p>Nothing is reserved if another check of the group does not fit here. Then the store will
     * reject the group, and until it does, the reservation would keep other callers out.
     */
    public Reservation reserve() {
        Check[] members = bothMustAdmit();
        if (members != null && !isSpentBeside(members)) {
            decide(members);
        }
        return this;
    }

    /** The same when the store has admitted a group of which nothing is reserved. */
    public void reserveAdmitted() {
        Check[] members = own == null ? bothMustAdmit() : null;
        if (members != null) {
            decide(members);
        }
    }

    /** The checks that both the store and the mirror must admit; null if there are none. */
    private Check[] bothMustAdmit() {
        if (mirror.quotas.neverAlone()) {
            return null;
        }
        long now = mirror.store.nowMicros();
        if (mirror.quotas.allRecovered(now)) {
            return null;
        }
        Check[] members = null;
        for (int i = 0; i < size(); i++) {
            Policy policy = policy(i);
            InstanceQuota quota = mirror.quotas.of(policy);
            if (quota.isLocal()
                    && policy.rejects()
                    && quota.bothMustAdmit(now)
                    && mirror.store.mustAdmitBoth(policy, check(i).key())) {
                members = members == null ? new Check[size()] : members;
                members[i] = check(i);
            }
        }
        return members;
    }

    /** Whether a check beside the members does not fit here; leases are renewed in any case. */
    private boolean isSpentBeside(Check[] members) {
        return IntStream.range(0, size())
                .filter(i -> members[i] == null
                        && policy(i).rejects()
                        && !policy(i).rules().leases())
                .anyMatch(i -> mirror.isSpent(check(i)));
    }

    /** Decides some checks, all or nothing; the others are null. */
    private void decide(Check[] members) {
        List<Check> checks = Arrays.stream(members).filter(Objects::nonNull).toList();
        if (checks.isEmpty()) {
            return;
        }
        Decision decision = mirror.store.acquire(new CheckGroup(checks));
        Iterator<CheckResult> results = decision.results().iterator();
        own = own == null ? new CheckResult[size()] : own;
        for (int i = 0; i < size(); i++) {
            own[i] = members[i] == null ? own[i] : results.next();
        }
        atMicros = decision.atMicros();
        if (decision instanceof Decision.Admitted admission) {
            add(admission.receipt());
        } else {
            rejects = true;
        }
    }

    /** Whether the mirror rejects the group, so that the store need not be asked. */
    public boolean rejects() {
        return rejects;
    }

    /** The decision of a mirror that {@link #rejects}. */
    public Decision rejection() {
        return new Decision.Rejected(results(), atMicros);
    }

    /** The mirror's results; {@link CheckResult#notChecked} where it has decided nothing. */
    private List<CheckResult> results() {
        return IntStream.range(0, size())
                .mapToObj(i ->
                        isDecided(i) ? mirror.quotas.of(policy(i)).fallback(own[i]) : CheckResult.notChecked(policy(i)))
                .toList();
    }

    /**
     * Records the decision of the store: charges what it admitted, or gives back what is reserved
     * and records what the rejection shows of others.
     *
     * @param beganMicros when the store was asked, by {@link FollowingStore#ownMicros}
     * @return the store's decision; a slot that the mirror gives later than the store is waited
     *     for
     */
    public Decision recorded(Decision decision, long beganMicros) {
        if (decision instanceof Decision.Admitted admission) {
            return recorded(admission, beganMicros);
        }
        takeBack();
        mirror.recordRejection(group, decision, beganMicros);
        return decision;
    }

    private Decision recorded(Decision.Admitted admission, long beganMicros) {
        List<CheckResult> results = admission.results();
        Receipt theirs = admission.receipt();
        if (own == null && size() == 1) {
            InstanceQuota quota = mirror.quotas.of(policy(0));
            if (isWritten(quota, results.get(0))) {
                Check check = quota.own(check(0));
                List<Check> one = check == check(0) ? group.checks() : List.of(check);
                theirs.attach(mirror.store.recordAdmission(one, results.get(0), theirs, beganMicros));
            }
            return admission;
        }
        Check[] written = new Check[size()];
        List<CheckResult> told = own == null ? results : new ArrayList<>(results);
        for (int i = 0; i < size(); i++) {
            CheckResult result = results.get(i);
            InstanceQuota quota = mirror.quotas.of(policy(i));
            if (isDecided(i) && own[i].runAfterMicros() > result.runAfterMicros()) {
                told.set(i, heldFor(own[i].runAfterMicros(), result));
            } else if (isDecided(i) && own[i].runAfterMicros() < result.runAfterMicros()) {
                mirror.store.refund(receipt.only(own[i].policy()::equals));
                write(only(i), results, theirs, beganMicros);
            }
            boolean isCharged = isDecided(i) && !quota.hasOwnState();
            if (!isCharged && isWritten(quota, result)) {
                written[i] = quota.own(check(i));
            }
        }
        write(written, results, theirs, beganMicros);
        if (receipt != null) {
            theirs.attach(receipt);
        }
        return told == results ? admission : new Decision.Admitted(told, admission.atMicros(), theirs);
    }

    /** Whether the mirror keeps what the store has decided so. */
    private static boolean isWritten(InstanceQuota quota, CheckResult result) {
        return quota.isLocal() && result.admitted() && !result.fallback();
    }

    private Check[] only(int place) {
        Check[] only = new Check[size()];
        only[place] = check(place);
        return only;
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
     * The decision without the store, where the group is not {@linkplain LocalMirror#isClosed
     * closed}. What is reserved is admitted already.
     */
    public Decision decidedAlone() {
        if (receipt != null && mirror.quotas.areParts()) {
            takeBack(); // it was admitted with the whole limit
            own = null;
            receipt = null;
        }
        Check[] rest = new Check[size()];
        for (int i = 0; i < size(); i++) {
            InstanceQuota quota = mirror.quotas.of(policy(i));
            rest[i] = quota.isLocal() && !isDecided(i) ? quota.own(check(i)) : null;
        }
        decide(rest);
        if (rejects) {
            takeBack();
            return rejection();
        }
        List<CheckResult> results = results();
        long now = mirror.store.nowMicros();
        List<Check> passed = new ArrayList<>(size());
        Check[] whole = new Check[size()];
        for (int i = 0; i < size(); i++) {
            CheckResult result = results.get(i);
            InstanceQuota quota = mirror.quotas.of(policy(i));
            if (result.admitted()) {
                passed.add(check(i));
                mirror.admittedAlone(policy(i), check(i).key(), now, result.resetAfterMicros());
                whole[i] = quota.isLocal() && quota.hasOwnState() ? check(i) : null;
            }
        }
        write(whole, results, null, mirror.store.ownMicros());
        return new Decision.Admitted(results, now, Receipt.ofFallback(passed, receipt));
    }

    /** Whether nothing is decided here: if the store has failed, all policies are {@code OPEN}. */
    public boolean isOpen() {
        return own == null;
    }

    /**
     * Gives back what is reserved. A lease that runs on without the store stays in the mirror.
     */
    public void takeBack() {
        if (receipt == null || !mirror.store.takeBack(receipt)) {
            return;
        }
        long now = mirror.store.nowMicros();
        for (Check check : group.checks()) {
            if (check.policy().rules().leases()) {
                mirror.admittedAlone(check.policy(), check.key(), now, 0); // a lease is of no period
            }
        }
    }

    /** Charges some checks in the mirror, whether they fit or not; the others are null. */
    private void write(Check[] checks, List<CheckResult> results, Receipt theirs, long beganMicros) {
        for (Check check : checks) {
            if (check != null) {
                add(mirror.store.recordAdmission(checks, results, theirs, beganMicros));
                return;
            }
        }
    }

    private void add(Receipt more) {
        receipt = receipt == null ? more : Receipt.joined(List.of(receipt, more));
    }

    private boolean isDecided(int place) {
        return own != null && own[place] != null;
    }

    private int size() {
        return group.checks().size();
    }

    private Check check(int place) {
        return group.checks().get(place);
    }

    private Policy policy(int place) {
        return check(place).policy();
    }
}
