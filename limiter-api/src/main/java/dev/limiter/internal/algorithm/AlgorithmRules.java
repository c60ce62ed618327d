package dev.limiter.internal.algorithm;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Refill;
import java.math.BigInteger;

/**
 * An algorithm under the members of one policy. Each policy has one instance, which does not
 * change.
 */
public abstract class AlgorithmRules {
    private final StateKind kind;
    final long limit;
    final long windowMicros;
    final long capacity;
    final boolean borrow;

    AlgorithmRules(StateKind kind, PolicyMembers members) {
        this(kind, members, members.get(PolicyMember.LIMIT));
    }

    AlgorithmRules(StateKind kind, PolicyMembers members, long capacity) {
        this.kind = kind;
        this.limit = members.get(PolicyMember.LIMIT);
        this.windowMicros = members.micros(PolicyMember.WINDOW);
        this.capacity = capacity;
        this.borrow = members.get(PolicyMember.BORROW);
    }

    /**
     * {@return the rules of an algorithm} This is the only switch over the algorithms.
     *
     * @param members of a valid policy
     */
    public static AlgorithmRules of(PolicyMembers members) {
        return switch (members.get(PolicyMember.ALGORITHM)) {
            case FIXED_WINDOW -> new FixedWindow(members);
            case SLIDING_WINDOW -> new SlidingWindow(members);
            case SLIDING_LOG -> new SlidingLog(members);
            case TOKEN_BUCKET ->
                members.get(PolicyMember.REFILL) == Refill.INTERVAL
                        ? new IntervalBucket(members)
                        : Gcra.bucket(members);
            case GCRA -> Gcra.bucket(members);
            case UNIFORM -> Gcra.spacing(members);
            case LEAKY_BUCKET -> Gcra.queue(members);
            case CONCURRENCY -> new Concurrency(members);
            case GATE -> new Gate(members);
        };
    }

    /**
     * {@return the units that can be spent back to back from rest} It is {@code limit} for
     * windows, logs and leases, {@code burst} for buckets, 1 for {@code UNIFORM} and
     * {@code GATE}. For {@code LEAKY_BUCKET} it is the requests that run at once and those that
     * are held, {@code 1 + floor(maxWait / T)}.
     */
    public final long capacity() {
        return capacity;
    }

    /**
     * {@return the most units that one request may cost} {@link #capacity}; at most 1,000 on a
     * log, 1 on a lease and a gate, and {@code max(limit, burst)} with {@code borrow}.
     */
    public long maxCost() {
        return borrow ? Math.max(limit, capacity) : capacity;
    }

    /**
     * {@return the most units that any half-open interval of one window's length can admit,
     * wherever it begins} For {@code LEAKY_BUCKET} the most that run in it, for
     * {@code CONCURRENCY} the most that are in flight at any instant. A {@code GATE} promises
     * nothing, {@link Long#MAX_VALUE}.
     */
    public abstract long mostInAnyWindow();

    /**
     * {@return the time in which the whole {@link #capacity} comes back when all of it is spent,
     * in µs, rounded up}
     */
    public BigInteger quotaMicros() {
        return BigInteger.valueOf(windowMicros);
    }

    /**
     * {@return whether an admission takes a lease, which the caller gives back} Such a policy
     * counts requests in flight.
     */
    public boolean leases() {
        return false;
    }

    /** {@return whether an admitted request may have to wait for its slot} */
    public boolean delays() {
        return false;
    }

    /**
     * {@return whether the state says under which limit it was written, so that the units in use
     * stay in use under another limit} Algorithms that count units need not say it.
     */
    public boolean keepsUnits() {
        return false;
    }

    /**
     * {@return whether a rejection holds until the clock ends it, so that it can be remembered
     * until then} A lease or a slot may be given back at any time.
     */
    public final boolean rejectionEndsByClock() {
        return !leases() && !delays();
    }

    /**
     * {@return whether the remaining quota in a result tells what other processes took} For a queue
     * the slot does.
     */
    public boolean remainingShowsOthers() {
        return !leases() && !delays();
    }

    /**
     * {@return whether one of n processes gets the whole limit in a window n times as long, or
     * else a part of the limit}
     */
    public boolean dividesByWindow() {
        return false;
    }

    /**
     * {@return whether these rules are known to admit all that tighter ones admit, so that they
     * never reject beside them}
     *
     * @param tighter of another policy that counts the same
     */
    public boolean admitsAllOf(AlgorithmRules tighter) {
        return false;
    }

    /**
     * {@return the span within which no more than the remaining quota can be used, however it is
     * used, in µs; 0 where it is not known}
     *
     * @param result of a check under these rules
     */
    public long remainingHoldsMicros(CheckResult result) {
        return result.nextAfterMicros();
    }

    /** Whether tighter rules admit at most the limit of these in any span of this length. */
    final boolean limitHolds(AlgorithmRules tighter, long spanMicros) {
        long windows = -Math.floorDiv(-spanMicros, tighter.windowMicros);
        return !tighter.leases() && tighter.mostInAnyWindow() <= limit / windows;
    }

    /**
     * {@return the most units that debts may add up to: the capacity, and one further full
     * quota}
     */
    public long maxDebt() {
        return 2 * capacity;
    }

    /** {@return the layout of the state} */
    public final StateKind kind() {
        return kind;
    }

    /** {@return how arguments call the algorithm; not to be changed} */
    public byte[] scriptName() {
        return kind().word(0);
    }

    /**
     * {@return the arguments of a decision, packed as the head of the script says} They must not
     * be changed: other checks may share them.
     *
     * @param check the check to decide
     */
    public abstract byte[] arguments(Check check);

    /**
     * {@return the state that the script read, from its reply}
     *
     * @param reply at the beginning of a report
     */
    public abstract StateSnapshot read(PackedReader reply);

    /**
     * {@return how many equal checks one call of the script may decide, as if they came one
     * after the other at one instant} A round trip has fewer.
     *
     * @param check one of them
     */
    public int maxMerged(Check check) {
        return 10_000;
    }

    /**
     * {@return the rules as they speak with the script that charges without asking and gives
     * back}
     */
    public AlgorithmRules adjusting() {
        return this;
    }

    /**
     * {@return the arguments of a charge without asking: units, and the bound of the debt in the
     * same measure}
     *
     * @param units to charge; at least 1
     */
    public byte[] debtArguments(long units) {
        return Packed.packed(units, maxDebt());
    }

    /**
     * {@return the arguments of a refund}
     *
     * @param check the check that was charged
     * @param before the state before the charge
     * @param atMicros the instant of the charge, in µs since 1970
     */
    public abstract byte[] refundArguments(Check check, StateSnapshot before, long atMicros);
}
