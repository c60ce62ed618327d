package dev.limiter.local.internal.memory;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.spi.Receipt;
import dev.limiter.spi.algorithm.StateSnapshot;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Records in a {@link MemoryStore} what another store decided, so that its states follow those
 * of the other store.
 */
public final class StoreRecorder {
    /** The instant of a result that is not followed. */
    private static final long UNFOLLOWED = Long.MIN_VALUE / 4;

    private final MemoryStore store;

    public StoreRecorder(MemoryStore store) {
        this.store = store;
    }

    /**
     * Charges what another limiter has admitted, whether it fits or not. Units that do not fit
     * are debt, bounded as that of {@link MemoryStore#charge}. Leases are taken whatever their
     * number.
     *
     * <p>The caller does not wait. The task runs before anything else is read: at once if the
     * lock is free, otherwise by its owner.
     *
     * @param checks not changed afterwards
     * @param results the other limiter's results, one for each check
     * @param theirs the other limiter's receipt, in which each of the checks was charged; null
     *     if there is none
     * @param beganMicros when the call of the other limiter began, on the clock of this process
     * @return the receipt of what can be given back, without units that were cut at the bound
     */
    public Receipt admit(List<Check> checks, List<CheckResult> results, Receipt theirs, long beganMicros) {
        Admission admission = new Admission(checks, results, theirs, beganMicros);
        store.lock.submit(admission);
        return Receipt.ofEntry(checks, admission);
    }

    /** An admission of another limiter that has to be recorded here. */
    private final class Admission implements Receipt.Deferred, LongConsumer {
        private final List<Check> checks;
        private final List<CheckResult> results;
        private final Receipt theirs;
        private final long beganMicros;
        private final StateSnapshot[] snapshots;
        private long atMicros;

        Admission(List<Check> checks, List<CheckResult> results, Receipt theirs, long beganMicros) {
            this.checks = checks;
            this.results = results;
            this.theirs = theirs;
            this.beganMicros = beganMicros;
            this.snapshots = new StateSnapshot[checks.size()];
        }

        @Override
        public void accept(long own) {
            if (theirs != null) {
                store.follow(theirs.chargedMicros(checks.get(0)), beganMicros, own);
            }
            atMicros = store.nowMicros(own);
            store.partitions.sweep(atMicros, snapshots.length);
            for (int i = 0; i < snapshots.length; i++) {
                snapshots[i] = write(checks.get(i), results.get(i), atMicros, own);
            }
        }

        private StateSnapshot write(Check check, CheckResult result, long now, long own) {
            PartitionEntry entry = store.partitions.entry(check.policy(), check.key());
            PartitionState state = entry.state;
            long at = result.fallback() ? UNFOLLOWED : theirs.chargedMicros(check);
            Policy policy = check.policy();
            endWithTheirs(entry, policy, result, at, now);
            StateSnapshot found = state.read(check, now, false);
            entry.charges(policy);
            if (entry.isOvertaken(result, at, beganMicros) && state.reaches(check, found, result.runAfterMicros())) {
                long shown = entry.takeShown(state.price(policy, check.cost()));
                if (shown > 0) {
                    StateSnapshot taken = state.admitShown(check, shown, result, now);
                    follow(entry, check, MemoryStore.left(entry, check, now), result, at, beganMicros, now, own);
                    return entry.hasPassed(at + state.refundableForMicros(result)) ? null : taken;
                }
            }
            StateSnapshot taken = state.admit(check, found, result.runAfterMicros(), now);
            CheckResult left = found.fits() ? found.result(check, true) : MemoryStore.left(entry, check, now);
            follow(entry, check, left, result, at, beganMicros, now, own);
            if (at != UNFOLLOWED) {
                entry.shows(state.shownBySlot(policy, found, result.runAfterMicros()), result, at, own);
            }
            return taken;
        }

        @Override
        public List<StateSnapshot> snapshots() {
            writeNow();
            return Arrays.asList(snapshots);
        }

        @Override
        public long atMicros() {
            writeNow();
            return atMicros;
        }

        private void writeNow() {
            store.lock.lock();
            store.lock.unlock();
        }
    }

    /**
     * Charges what others took, as far as a rejection by another limiter shows it. The caller
     * does not wait, as in {@link #admit}.
     *
     * @param check the check that was asked of the other limiter
     * @param result the other limiter's result
     * @param atMicros the instant of the result on the other limiter's clock
     * @param beganMicros when the call began, on the clock of this process
     */
    public void follow(Check check, CheckResult result, long atMicros, long beganMicros) {
        store.lock.submit(own -> {
            store.follow(atMicros, beganMicros, own);
            long now = store.nowMicros(own);
            store.partitions.sweep(now, 1);
            PartitionEntry entry = store.partitions.entry(check.policy(), check.key());
            endWithTheirs(entry, check.policy(), result, atMicros, now);
            follow(entry, check, MemoryStore.left(entry, check, now), result, atMicros, beganMicros, now, own);
        });
    }

    /**
     * Ends a period that callers can move when the other limiter ends it. Another process may
     * have begun it there, by another anchor or in another zone.
     */
    private static void endWithTheirs(PartitionEntry entry, Policy policy, CheckResult result, long at, long now) {
        boolean moves = policy.period() != null && policy.period().isMovable();
        if (moves && result.resetAfterMicros() > 0 && at + result.resetAfterMicros() > now) {
            ((FixedWindowState) entry.state).endWith(at + result.resetAfterMicros(), policy, now);
        }
    }

    /**
     * Records what another limiter was charged without asking. A result that was followed may
     * have shown the units already; then more is charged here than there.
     *
     * @param charge the other limiter's, of at least one unit
     */
    public void charge(Policy policy, PartitionKey key, ChargeResult charge) {
        Check one = Check.of(policy, key);
        store.lock.submit(own -> {
            long now = store.nowMicros(own);
            store.partitions.sweep(now, 1);
            PartitionEntry entry = store.partitions.entry(policy, key);
            PartitionState state = entry.state;
            CheckResult before = state.read(one, now, false).result(one, false);
            entry.charges(policy);
            long price = state.price(policy, charge.charged());
            if (charge.remaining() > before.remaining() && entry.hasShown(price)) {
                entry.takeShown(price);
            } else {
                state.debt(policy, charge.charged(), now);
            }
            store.used(entry, MemoryStore.left(entry, one, now), now);
        });
    }

    /**
     * Leaves no more here than the other limiter has left. The difference was taken by others,
     * or by calls of this process whose results this one overtook. A result that was overtaken
     * itself is ignored.
     */
    private void follow(
            PartitionEntry entry,
            Check check,
            CheckResult left,
            CheckResult result,
            long atMicros,
            long beganMicros,
            long now,
            long own) {
        boolean isNews = atMicros != UNFOLLOWED && !entry.isOld(atMicros, beganMicros);
        if (isNews) {
            entry.follows(atMicros, own);
        }
        Policy policy = check.policy();
        long others = left.remaining() - result.remaining();
        if (others > 0
                && isNews
                && policy.rules().remainingShowsOthers()
                && !isOfPastPeriod(policy, result, atMicros, now)) {
            PartitionState state = entry.state;
            long charged = state.read(check, now, false).chargeable(policy, others);
            state.debt(policy, others, now);
            entry.shows(state.price(policy, charged), result, atMicros, own);
            store.used(entry, MemoryStore.left(entry, check, now), now);
        } else {
            store.used(entry, left, now);
        }
    }

    /**
     * Whether the result is about a period of the calendar that has ended since, while its reply
     * was under way. The mirror is in the next one, and nothing of that is spent.
     */
    private static boolean isOfPastPeriod(Policy policy, CheckResult result, long atMicros, long now) {
        return policy.period() != null && atMicros + result.resetAfterMicros() <= now;
    }

    /**
     * Makes {@link #mustAdmitBoth} true for this partition, until this instant, or a later one
     * that was set before.
     */
    public void admitBothUntil(Policy policy, PartitionKey key, long untilMicros) {
        store.lock.lock();
        try {
            PartitionEntry entry = store.partitions.entry(policy, key);
            entry.bothUntilMicros = Math.max(entry.bothUntilMicros, untilMicros);
        } finally {
            store.lock.unlock();
        }
    }

    /**
     * Whether both the store and this mirror must admit this partition, because the store does
     * not know all that was admitted here.
     */
    public boolean mustAdmitBoth(Policy policy, PartitionKey key) {
        store.lock.lock();
        try {
            PartitionEntry entry = store.partitions.existing(policy, key);
            return entry != null && entry.bothUntilMicros > store.nowMicros();
        } finally {
            store.lock.unlock();
        }
    }
}
