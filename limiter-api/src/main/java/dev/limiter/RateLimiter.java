package dev.limiter;

import dev.limiter.calendar.Usage;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.internal.store.Receipt;
import dev.limiter.internal.store.Settlement;
import dev.limiter.spi.Ask;
import dev.limiter.spi.WaitBudget;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Decides exactly, and all or nothing, whether a request may pass. It is thread-safe.
 *
 * <pre>{@code
 * Policy mails = Policy.of("mails", SLIDING_LOG, 100, Duration.ofHours(1));
 * Decision decision = limiter.acquire(mails, PartitionKey.of("tenant", tenant));
 * if (decision instanceof Decision.Rejected rejected) {
 *     requeue(mail, rejected.retryAfter());
 * }
 * }</pre>
 *
 * <p>If the store that holds the counts gives no answer in time, {@link OnStoreFailure} of the
 * policy decides: either this process answers, and {@link CheckResult#fallback} says so, or
 * {@link StoreUnavailableException} is thrown. In a group {@code CLOSED} wins over {@code LOCAL},
 * and {@code LOCAL} over {@code OPEN}. The store may have counted nevertheless, so a call that may
 * have been executed is never sent again.
 */
public interface RateLimiter extends AutoCloseable {

    /** The most groups that {@link #acquireEach} decides in one call of the store. */
    int MAX_GROUPS = 64;

    /**
     * Answers an {@link Ask}. The methods below call it, and no implementation overrides them. An
     * {@link Ask.AcquireEach} throws nothing, since its answer contains the failure.
     *
     * @param ask what is asked
     * @param <A> the type of the answer
     * @return the answer
     * @throws StoreUnavailableException as the calling method says
     */
    <A> A answer(Ask<A> ask);

    /**
     * Decides all checks of a group at one instant: either all are charged, or none.
     *
     * @param group the checks
     * @return admitted and charged, or rejected and nothing charged
     */
    default Decision acquire(CheckGroup group) {
        return answer(new Ask.Acquire(group, null));
    }

    /**
     * Asks one policy for one unit.
     *
     * @param policy the limit
     * @param key the partition
     * @return admitted and charged, or rejected and nothing charged
     */
    default Decision acquire(Policy policy, PartitionKey key) {
        return acquire(CheckGroup.of(Check.of(policy, key)));
    }

    /**
     * Decides several groups, one after the other, so that each sees what the one before charged.
     * {@value #MAX_GROUPS} of them share a round trip, in a cluster those of one slot. Each round
     * trip has its own deadline. Asking again for leases that are held renews them.
     *
     * <p>If the store fails, {@link OnStoreFailure} applies only to groups that it left undecided,
     * such as those of one node of a cluster, and to each alone. If one is {@code CLOSED}, this
     * method throws after all others are decided. Their decisions remain valid:
     * {@link StoreUnavailableException#decision} has them.
     *
     * @param groups asked one after the other
     * @return one decision for each group, in their order
     * @throws StoreUnavailableException if at least one group was not decided
     */
    default List<Decision> acquireEach(List<CheckGroup> groups) {
        return answer(new Ask.AcquireEach(groups)).all();
    }

    /**
     * Waits until the group is admitted, and for the slot of a {@code LEAKY_BUCKET}. If that would
     * take too long, it gives up at once and charges nothing. Only a {@code LEAKY_BUCKET} has a
     * queue: with others, a later request may be served first.
     *
     * @param group the checks
     * @param atMost the longest wait; not negative
     * @return admitted, and it may run now; or the last rejection
     * @throws IllegalArgumentException if {@code atMost} is negative
     * @throws InterruptedException if the thread was interrupted while it waited; its units are
     *     given back, except for leases that it held before
     */
    default Decision acquire(CheckGroup group, Duration atMost) throws InterruptedException {
        try {
            RateLimiter waiting = unwrap(BlockingAcquire.class).isPresent() ? this : new BlockingAcquire(this);
            return waiting.answer(new Ask.Acquire(group, new WaitBudget(atMost)));
        } catch (WaitBudget.Interrupted interrupted) {
            throw interrupted.getCause();
        }
    }

    /**
     * Answers as {@link #acquire(CheckGroup)} would, without charging or writing anything.
     * {@code remaining} is the quota before such a charge.
     *
     * <p>If a limit that {@linkplain Policy#withVaryingLimit varies} was raised, a bucket's waits
     * hold only from the next request on: until then, units come back at the old rate. GCRA, 1 per
     * hour with burst 3, spent, then 3 per hour: a peek says 20 minutes. A request that comes only
     * then is rejected for 13 minutes and 20 seconds more.
     *
     * @param group the checks
     * @return one result for each check, in the order of the group
     */
    default List<CheckResult> peek(CheckGroup group) {
        return answer(new Ask.Peek(group));
    }

    /**
     * Answers as {@link #acquire(Policy, PartitionKey)} would, without charging.
     *
     * @param policy the limit
     * @param key the partition
     * @return the result for one unit
     */
    default CheckResult peek(Policy policy, PartitionKey key) {
        return peek(CheckGroup.of(Check.of(policy, key))).get(0);
    }

    /**
     * Charges a cost that is known only afterwards, such as rows returned or tokens used. A charge
     * is never refused. Units beyond the limit are debt, at most one further full quota.
     *
     * <p>The units of a {@code GATE} are milliseconds, which do not add up: it is closed for that
     * time from now, or stays closed for longer.
     *
     * @param policy the limit
     * @param key the partition
     * @param units from 0, which charges nothing, to 2<sup>31</sup> − 1; on a {@code SLIDING_LOG}
     *     units beyond {@value Policy#MAX_LOG_COST} are dropped
     * @return what was charged, and what is left
     * @throws IllegalArgumentException if units are out of range, or the policy is
     *     {@code CONCURRENCY}
     */
    default ChargeResult charge(Policy policy, PartitionKey key, long units) {
        Ask.Charge charge = new Ask.Charge(Check.of(policy, key), units);
        return units == 0 ? ChargeResult.ofNothing(peek(policy, key)) : answer(charge);
    }

    /**
     * Closes the {@linkplain Policy#gate gate} of a policy for a key: for that time, by the
     * store's clock, groups that {@linkplain CheckGroup#withGates ask it} are rejected in every
     * process. Requests that ask the policy alone are not affected. A shorter closing later does
     * not open it early.
     *
     * @param policy the limit itself, not its gate
     * @param key the partition
     * @param span not negative; rounded up to whole milliseconds, and cut at
     *     {@link Policy#LONGEST_CLOSING}; zero does nothing
     * @throws IllegalArgumentException if the span is negative
     * @throws StoreUnavailableException if the store could not be told, and the policy is
     *     {@code CLOSED}
     */
    default void closeGate(Policy policy, PartitionKey key, Duration span) {
        if (span.isNegative()) {
            throw new IllegalArgumentException("span must not be negative, was " + span);
        }
        if (!span.isZero()) {
            Duration longest = Policy.LONGEST_CLOSING;
            Duration closing = span.compareTo(longest) < 0 ? span : longest;
            charge(policy.gate(), key, closing.plusNanos(999_999).toMillis());
        }
    }

    /**
     * Gives back what an admission took, as far as that is still possible.
     *
     * <ul>
     * <li>A window gives back until it ends, and a period that is
     *     {@linkplain Policy#keepingPrevious kept} also later. A log gives back while the units
     *     are inside the window.
     * <li>A bucket gives back what has not leaked yet, and with {@code INTERVAL} until the next
     *     refill.
     * <li>A {@code LEAKY_BUCKET} gives back its slot while it is the last one, and
     *     {@code CONCURRENCY} its lease.
     * </ul>
     *
     * <p>A second refund of one admission does nothing. A refund after a {@link #reset} does
     * nothing if no request has come since; otherwise it gives back units of later requests.
     *
     * <p>A process may cache a rejection and repeat it without asking the store. A refund clears
     * only the cache of this limiter. So if processes refund, all of them must ask with
     * {@linkplain CheckGroup#asRefundable refundable} groups. Otherwise some may reject for up to
     * 10 s what the store would admit. The same holds after a {@link #reset}, or a limit raised
     * elsewhere.
     *
     * <p>If the store fails, the units stay charged there. If the policy is {@code LOCAL}, this
     * process gives back what it counts itself.
     *
     * @param admission what was admitted, as a whole or in part
     * @return whether anything was given back
     * @throws StoreUnavailableException if the store did not answer in time, and a policy is
     *     {@code CLOSED}
     */
    default boolean refund(Decision.Admitted admission) {
        return refund(admission.receipt());
    }

    /**
     * Gives back the charges of a receipt, as {@link #refund(Decision.Admitted)} does. It is for
     * stores and extensions.
     *
     * @param receipt of an admission, or a part of it
     * @return whether anything was given back
     * @throws StoreUnavailableException as for an admission
     */
    default boolean refund(Receipt receipt) {
        return answer(new Ask.GiveBack(receipt, null)).any();
    }

    /**
     * Corrects an admission whose cost was an estimate to the units that were used. Units beyond
     * the estimate are {@linkplain #charge charged} by the limit of {@code policy}, with the bound
     * of debts. Unused units are given back as far as {@link #refund} can, and none of them twice.
     * After an estimate of 1,000, {@code used} 300 gives 700 units back, and 1,700 charges 700
     * more. Ask with a {@linkplain CheckGroup#asRefundable refundable} group, so that no process
     * caches a rejection that a settlement ends.
     *
     * <ul>
     * <li>A settlement is final: a second one, a refund after it and a settlement after a refund
     *     do nothing. Without one, as after the process was killed, the estimate stays charged.
     * <li>Units within the estimate count from the admission on: without other requests in
     *     between, and while they can come back, the state is as if {@code used} units had been
     *     asked then.
     * <li>Units beyond it count from the settlement on: on a {@code SLIDING_LOG} they leave a
     *     window later, and a {@code FIXED_WINDOW} that began meanwhile counts them.
     * <li>If the store fails, unused units stay charged there, and further units are charged as by
     *     {@link #charge}. This is final too, because a call without an answer may have been
     *     executed. So after {@link StoreUnavailableException} units beyond the estimate may be
     *     missing. You can {@link #charge} them, but may then charge them twice.
     * </ul>
     *
     * @param admission what was admitted
     * @param policy one of its policies, charged for a single key; with another limit than the
     *     admission if that has changed
     * @param used units, from 0, which gives all back, to 2<sup>31</sup> − 1
     * @return what was charged beyond the estimate, and what is left by {@code policy}
     * @throws IllegalArgumentException if the admission does not contain the policy, charged it
     *     for several keys, or the policy is {@code LEAKY_BUCKET}, {@code CONCURRENCY} or
     *     {@code GATE}; or if {@code used} is out of range
     * @throws StoreUnavailableException if the store did not answer in time, and the policy is
     *     {@code CLOSED}
     */
    default ChargeResult settle(Decision.Admitted admission, Policy policy, long used) {
        return settle(Settlement.of(List.of(admission), policy, used));
    }

    /**
     * Does what a settlement has left to do in the store, for extensions that settle several
     * admissions together.
     *
     * @param settlement used once
     * @return what was charged beyond the estimates, and what is left
     * @throws StoreUnavailableException if the store did not answer in time, and the policy is
     *     {@code CLOSED}
     */
    default ChargeResult settle(Settlement settlement) {
        if (settlement.uncharged().isPresent()) {
            return ChargeResult.ofNothing(settlement.uncharged().get());
        }
        Policy policy = settlement.policy();
        PartitionKey key = settlement.key();
        if (settlement.beyond() > 0) {
            return charge(policy, key, settlement.beyond());
        }
        try {
            return ChargeResult.ofNothing(answer(new Ask.GiveBack(settlement.unused(), Check.of(policy, key)))
                    .left());
        } catch (StoreUnavailableException unheard) {
            return ChargeResult.ofNothing(peek(policy, key)); // what was not used stays charged, or came back
        }
    }

    /**
     * Forgets what a policy counted for a key: full quota, no debt, no leases. This process admits
     * at once; others may go on rejecting from their cache for 10 s at most: see {@link #refund}.
     *
     * @param policy the limit
     * @param key the partition
     * @throws StoreUnavailableException if the store could not be told, whatever the policy's
     *     {@link OnStoreFailure} is
     */
    default void reset(Policy policy, PartitionKey key) {
        answer(new Ask.Reset(Check.of(policy, key)));
    }

    /**
     * Reads what a policy has counted for a key in a period of the calendar, as exactly as
     * {@link CheckResult#used}. It writes nothing. A limiter in memory knows what its own process
     * has counted.
     *
     * <pre>{@code
     * Usage march = limiter.usage(plan.keepingPrevious(), key, PREVIOUS); // on April 1 or later
     * invoice(customer, march.used(), march.ends());
     * }</pre>
     *
     * @param policy the limit
     * @param key the partition
     * @param period which one; {@code PREVIOUS} only for policies that
     *     {@linkplain Policy#keepsPrevious keep} it
     * @return its units, and when it ends or ended
     * @throws IllegalArgumentException if the policy has no {@linkplain Policy#period period}, or
     *     does not keep this one
     * @throws StoreUnavailableException if the store did not answer in time, whatever the policy's
     *     {@link OnStoreFailure} is
     */
    default Usage usage(Policy policy, PartitionKey key, Usage.Period period) {
        return answer(new Ask.Count(Check.of(policy, key), period));
    }

    /**
     * {@return the name under which the store keeps the state of a policy and a key, such as the
     * key in Redis} An operator can look for one caller with it; {@link #peek} tells the state
     * itself. The name contains a digest of the key, not the key.
     *
     * @param policy the limit
     * @param key the partition
     */
    String storeKey(Policy policy, PartitionKey key);

    /**
     * {@return a part of this limiter, or of one that it wraps; empty if there is no such part} It
     * is for extensions: {@link dev.limiter.internal.store.ScriptStore} of a limiter in Redis,
     * {@link java.time.InstantSource} of one in memory, {@link dev.limiter.spi.Signals} of one
     * that is measured.
     *
     * @param type of the part
     * @param <T> the type of the part
     */
    default <T> Optional<T> unwrap(Class<T> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    /** Closes connections and frees memory. Closing twice does nothing. */
    @Override
    void close();
}
