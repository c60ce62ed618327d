package dev.limiter.local.internal.memory;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.StateSnapshot;
import dev.limiter.internal.store.Receipt;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;

/**
 * A store in memory that follows another one: it records what the other one decided, and goes by
 * the clock of the other one, as far as its replies tell it.
 */
public final class FollowingStore extends MemoryStore {
    /** The instant of a result that is not followed. */
    private static final long UNFOLLOWED = Long.MIN_VALUE / 4;

    private static final long FOLLOWED_MICROS = 1_000_000;

    /** How far the clock of the other store is ahead of that of this process. */
    private volatile long offsetMicros;

    /** When a reply last agreed with the offset, by the clock of this process. */
    private long agreedMicros = Long.MIN_VALUE / 2;

    /** @param clock that of this process; whole microseconds count */
    public FollowingStore(InstantSource clock) {
        super(clock);
    }

    @Override
    long nowMicros(long ownMicros) {
        return ownMicros + offsetMicros;
    }

    /**
     * Sets the clock of this store by that of the other one, if they are known to differ. The
     * nodes of a cluster have clocks of their own. The fastest of those that answered within the
     * last second is followed. A clock that moved to and fro would give units back each time.
     *
     * @param atMicros when the other store decided, on its clock
     * @param beganMicros when it was asked, by {@link #ownMicros}
     * @param own an instant after its reply
     */
    void followClock(long atMicros, long beganMicros, long own) {
        long offset = offsetMicros;
        long within = Math.min(Math.max(offset, atMicros - own), atMicros - beganMicros);
        if (within >= offset || own - agreedMicros > FOLLOWED_MICROS) {
            agreedMicros = own;
            if (within != offset) {
                offsetMicros = within;
            }
        }
    }

    /**
     * The same as {@link #recordAdmission(Check[], List, Receipt, long)} for a group of one check,
     * as nearly all groups are.
     *
     * @param one the only check
     * @return the receipt of what can be given back
     */
    public Receipt recordAdmission(List<Check> one, CheckResult result, Receipt theirs, long beganMicros) {
        Check check = one.get(0);
        StateSnapshot taken;
        long now;
        lock.lock();
        try {
            long own = ownMicros();
            long at = theirs.chargedMicros(check);
            followClock(at, beganMicros, own);
            now = nowMicros(own);
            partitions.sweep(now, 1);
            taken = admit(check, result, at, beganMicros, own);
        } finally {
            lock.unlock();
        }
        return Receipt.ofOne(one, taken, now);
    }

    /**
     * Charges what the other store has admitted, whether it fits or not. Units that do not fit
     * are debt, bounded as that of {@link #charge}. Leases are taken whatever their number.
     *
     * @param checks null where there is nothing to charge; not changed afterwards
     * @param results the other store's results, one for each check
     * @param theirs the other store's receipt, in which each of the checks was charged; null if
     *     there is none, and its results are not followed
     * @param beganMicros when the call of the other store began, by {@link #ownMicros}
     * @return the receipt of what can be given back, without units that were cut at the bound
     */
    public Receipt recordAdmission(Check[] checks, List<CheckResult> results, Receipt theirs, long beganMicros) {
        StateSnapshot[] taken = new StateSnapshot[checks.length];
        long now;
        lock.lock();
        try {
            long own = ownMicros();
            for (Check check : checks) {
                if (check != null && theirs != null) {
                    followClock(theirs.chargedMicros(check), beganMicros, own);
                }
            }
            now = nowMicros(own);
            partitions.sweep(now, checks.length);
            for (int i = 0; i < checks.length; i++) {
                if (checks[i] != null) {
                    long at = theirs == null ? UNFOLLOWED : theirs.chargedMicros(checks[i]);
                    taken[i] = admit(checks[i], results.get(i), at, beganMicros, own);
                }
            }
        } finally {
            lock.unlock();
        }
        return Receipt.ofCharges(Arrays.asList(checks), Arrays.asList(taken), now);
    }

    /** Returns the state before the charge; null if it cannot be given back. */
    private StateSnapshot admit(Check check, CheckResult result, long at, long beganMicros, long own) {
        long now = nowMicros(own);
        PartitionEntry entry = partitions.entry(check.policy(), check.key());
        PartitionState state = entry.state;
        Policy policy = check.policy();
        endWithTheirs(entry, policy, result, at, now);
        StateSnapshot found = state.read(check, now, false);
        entry.charges(policy);
        if (entry.isOvertaken(result, at, beganMicros) && state.reaches(check, found, result.runAfterMicros())) {
            long shown = entry.takeShown(state.price(policy, check.cost()));
            if (shown > 0) {
                StateSnapshot taken = state.admitShown(check, shown, result, now);
                follow(entry, check, left(entry, check, now), false, result, at, beganMicros, own);
                return entry.hasPassed(at + state.refundableForMicros(result)) ? null : taken;
            }
        }
        StateSnapshot taken = state.admit(check, found, result.runAfterMicros(), now);
        StateSnapshot left = found.fits() ? found : left(entry, check, now);
        follow(entry, check, left, found.fits(), result, at, beganMicros, own);
        if (at != UNFOLLOWED) {
            entry.shows(state.shownBySlot(policy, found, result.runAfterMicros()), result, at, own);
        }
        return taken;
    }

    /**
     * Charges what others took, as far as a rejection by the other store shows it.
     *
     * @param check the check that was asked of the other store
     * @param result the other store's result
     * @param atMicros the instant of the result on the other store's clock
     * @param beganMicros when the call began, by {@link #ownMicros}
     */
    public void recordRejection(Check check, CheckResult result, long atMicros, long beganMicros) {
        locked(() -> {
            long own = ownMicros();
            followClock(atMicros, beganMicros, own);
            long now = nowMicros(own);
            partitions.sweep(now, 1);
            PartitionEntry entry = partitions.entry(check.policy(), check.key());
            endWithTheirs(entry, check.policy(), result, atMicros, now);
            follow(entry, check, left(entry, check, now), false, result, atMicros, beganMicros, own);
        });
    }

    /**
     * Records what the other store was charged without asking. A result that was followed may
     * have shown the units already; then more is charged here than there.
     *
     * @param charge the other store's, of at least one unit
     */
    public void recordCharge(Policy policy, PartitionKey key, ChargeResult charge) {
        Check one = Check.of(policy, key);
        locked(() -> {
            long now = nowMicros();
            partitions.sweep(now, 1);
            PartitionEntry entry = partitions.entry(policy, key);
            PartitionState state = entry.state;
            long before = state.read(one, now, false).remaining(one, false);
            entry.charges(policy);
            long price = state.price(policy, charge.charged());
            if (charge.remaining() > before && entry.hasShown(price)) {
                entry.takeShown(price);
            } else {
                state.debt(policy, charge.charged(), now);
            }
            used(entry, one, left(entry, one, now), false, now);
        });
    }

    /**
     * Ends a period that callers can move when the other store ends it. Another process may have
     * begun it there, by another anchor or in another zone.
     */
    private static void endWithTheirs(PartitionEntry entry, Policy policy, CheckResult result, long at, long now) {
        boolean moves = policy.period() != null && policy.period().isMovable();
        if (moves && result.resetAfterMicros() > 0 && at + result.resetAfterMicros() > now) {
            ((FixedWindowState) entry.state).endWith(at + result.resetAfterMicros(), policy, now);
        }
    }

    /**
     * Leaves no more here than the other store has left. The difference was taken by others, or
     * by calls of this process whose results this one overtook. A result that was overtaken
     * itself is ignored.
     *
     * @param left the state that the check read here
     * @param charged whether it was charged since
     */
    private void follow(
            PartitionEntry entry,
            Check check,
            StateSnapshot left,
            boolean charged,
            CheckResult result,
            long atMicros,
            long beganMicros,
            long own) {
        boolean isNews = atMicros != UNFOLLOWED && !entry.isOld(atMicros, beganMicros);
        if (isNews) {
            entry.follows(atMicros, own);
        }
        long now = nowMicros(own);
        Policy policy = check.policy();
        long others = left.remaining(check, charged) - result.remaining();
        if (others > 0
                && isNews
                && policy.rules().remainingShowsOthers()
                && !isOfPastPeriod(policy, result, atMicros, now)) {
            PartitionState state = entry.state;
            long shown = state.read(check, now, false).chargeable(policy, others);
            state.debt(policy, others, now);
            entry.shows(state.price(policy, shown), result, atMicros, own);
            used(entry, check, left(entry, check, now), false, now);
        } else {
            used(entry, check, left, charged, now);
        }
    }

    /**
     * Whether the result is about a period of the calendar that has ended since, while its reply
     * was under way. This store is in the next one, and nothing of that is spent.
     */
    private static boolean isOfPastPeriod(Policy policy, CheckResult result, long atMicros, long now) {
        return policy.period() != null && atMicros + result.resetAfterMicros() <= now;
    }

    /**
     * Makes {@link #mustAdmitBoth} true for this partition, until this instant, or a later one
     * that was set before.
     */
    public void admitBothUntil(Policy policy, PartitionKey key, long untilMicros) {
        locked(() -> {
            PartitionEntry entry = partitions.entry(policy, key);
            entry.bothUntilMicros = Math.max(entry.bothUntilMicros, untilMicros);
        });
    }

    /**
     * Whether both the other store and this one must admit this partition, because the other one
     * does not know all that was admitted here.
     */
    public boolean mustAdmitBoth(Policy policy, PartitionKey key) {
        return locked(() -> {
            PartitionEntry entry = partitions.existing(policy, key);
            return entry != null && entry.bothUntilMicros > nowMicros();
        });
    }
}
