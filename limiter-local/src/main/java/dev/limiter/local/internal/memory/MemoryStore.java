package dev.limiter.local.internal.memory;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.calendar.Usage;
import dev.limiter.internal.algorithm.PeriodCount;
import dev.limiter.internal.algorithm.StateSnapshot;
import dev.limiter.internal.store.Receipt;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Signals;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * States of partitions in the memory of this process, and decisions on them under one lock. It is
 * the clock that identifies a limiter in memory.
 */
public class MemoryStore implements RateLimiter, InstantSource {
    /** Partitions that are kept at most. */
    public static final int MAX_PARTITIONS = 100_000;

    /** Bytes that are kept at most, estimated. */
    public static final long MAX_BYTES = 64L << 20;

    private final InstantSource clock;
    private final Signals signals;
    final Lock lock = new ReentrantLock();
    PartitionTable partitions = new PartitionTable(MAX_PARTITIONS, MAX_BYTES);

    /** @param clock asked once for each decision; whole microseconds count */
    public MemoryStore(InstantSource clock) {
        this(clock, Signals.NONE);
    }

    /** @param signals is told of leases that expired before they were given back */
    public MemoryStore(InstantSource clock, Signals signals) {
        this.clock = clock;
        this.signals = signals;
    }

    @Override
    public Instant instant() {
        return clock.instant();
    }

    @Override
    public <A> A answer(Ask<A> ask) {
        if (ask instanceof Ask.GiveBack back) {
            return ask.is(giveBack(back));
        }
        lock.lock();
        try {
            return ask.is(answer(ask, nowMicros()));
        } finally {
            lock.unlock();
        }
    }

    private Object answer(Ask<?> ask, long now) {
        if (ask instanceof Ask.Acquire acquire) {
            return decide(acquire.group(), now);
        }
        if (ask instanceof Ask.AcquireEach each) {
            return GroupDecisions.oneByOne(each.groups(), group -> decide(group, now));
        }
        if (ask instanceof Ask.Peek peek) {
            return peek(peek.group(), now);
        }
        if (ask instanceof Ask.Charge charge) {
            return charge(charge.check(), charge.units(), now);
        }
        if (ask instanceof Ask.Count count) {
            return count(count.check(), count.period(), now);
        }
        Check forgotten = ((Ask.Reset) ask).check();
        partitions.remove(forgotten.policy(), forgotten.key());
        return null;
    }

    /** For what is rare: the calls of each request take the lock without a lambda. */
    final <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    final void locked(Runnable work) {
        locked(() -> {
            work.run();
            return null;
        });
    }

    private Decision decide(CheckGroup group, long now) {
        List<Check> checks = group.checks();
        partitions.sweep(now, checks.size());
        PartitionEntry[] entries = new PartitionEntry[checks.size()];
        StateSnapshot[] snapshots = new StateSnapshot[entries.length];
        for (int i = 0; i < entries.length; i++) {
            Check check = checks.get(i);
            entries[i] = partitions.entry(check.policy(), check.key());
            snapshots[i] = entries[i].state.read(check, now, false);
        }
        Decision decision = StateSnapshot.decide(group, Arrays.asList(snapshots), now);
        for (int i = 0; i < entries.length; i++) {
            if (decision.admitted() && snapshots[i].fits()) {
                entries[i].charges(checks.get(i).policy());
                entries[i].state.charge(checks.get(i), now);
            }
            used(entries[i], checks.get(i), snapshots[i], decision.admitted() && snapshots[i].fits(), now);
        }
        return decision;
    }

    /**
     * Tells the table how a partition was used. The end of a single lease is not known; the end
     * of all leases is.
     *
     * @param found the state that the check read
     * @param charged whether it was charged since
     */
    void used(PartitionEntry entry, Check check, StateSnapshot found, boolean charged, long now) {
        long until = now;
        if (found.remaining(check, charged) == 0) {
            until = check.policy().rules().leases()
                    ? entry.state.idleAtMicros()
                    : now + found.result(check, charged).nextAfterMicros();
        }
        partitions.used(entry, until, now);
    }

    /** The results that a decision would have now; nothing is charged. */
    private List<CheckResult> peek(CheckGroup group, long now) {
        List<StateSnapshot> snapshots = new ArrayList<>(group.checks().size());
        for (Check check : group.checks()) {
            PartitionEntry entry = partitions.existing(check.policy(), check.key());
            PartitionState seen = entry == null ? PartitionTable.untouched(check.policy()) : entry.state;
            snapshots.add(seen.read(check, now, true));
        }
        return StateSnapshot.peeked(group, snapshots);
    }

    /** Charges units without asking; units that do not fit are debt. */
    private ChargeResult charge(Check check, long units, long now) {
        partitions.sweep(now, 1);
        PartitionEntry entry = partitions.entry(check.policy(), check.key());
        StateSnapshot before = entry.state.read(check, now, false);
        entry.charges(check.policy());
        entry.state.debt(check.policy(), units, now);
        StateSnapshot after = entry.state.read(check, now, false);
        ChargeResult charge = StateSnapshot.charged(check, units, before, after);
        used(entry, check, after, false, now);
        return charge;
    }

    /**
     * The remaining quota, without the repair after a step back of the clock: a refund does not
     * repair either.
     */
    static StateSnapshot left(PartitionEntry entry, Check check, long now) {
        return entry.state.read(check, now, true);
    }

    /** Gives back the charges of a receipt of this store, as far as that is still possible. */
    private Ask.GiveBack.Given giveBack(Ask.GiveBack back) {
        boolean given = false;
        int expired = 0;
        CheckResult left;
        lock.lock();
        try {
            long now = nowMicros();
            for (Receipt.Item item : back.receipt().spend()) {
                boolean isGiven = refund(item, now);
                given |= isGiven;
                expired += !isGiven && item.isExpiredLease(now) ? 1 : 0;
            }
            Check then = back.thenPeek();
            left = then == null ? null : peek(CheckGroup.of(then), now).get(0);
        } finally {
            lock.unlock();
        }
        for (int i = 0; i < expired; i++) {
            signals.happened(Signals.Incident.LEASES_EXPIRED);
        }
        return new Ask.GiveBack.Given(given, left);
    }

    /**
     * Gives back an admission that came to nothing. A lease that was held before is still held,
     * and lasts as if it had been renewed.
     *
     * @return whether there is such a lease
     */
    public boolean takeBack(Receipt receipt) {
        Receipt taken = receipt.withoutRenewals();
        refund(taken);
        return taken.checks().size() < receipt.checks().size();
    }

    private boolean refund(Receipt.Item item, long now) {
        Check check = item.check();
        PartitionEntry entry = partitions.existing(check.policy(), check.key());
        if (entry == null) {
            return false;
        }
        boolean given = entry.state.refund(check, item.snapshot(), item.atMicros(), now);
        used(entry, check, left(entry, check, now), false, now);
        return given;
    }

    private Usage count(Check check, Usage.Period period, long now) {
        PeriodCount.requireKnown(check.policy(), period);
        PartitionEntry entry = partitions.existing(check.policy(), check.key());
        FixedWindowState state = entry == null ? new FixedWindowState() : (FixedWindowState) entry.state;
        return state.usage(check.policy(), period, now);
    }

    /** Forgets all partitions. */
    @Override
    public void close() {
        locked(() -> {
            partitions = new PartitionTable(MAX_PARTITIONS, MAX_BYTES);
        });
    }

    /**
     * The policy's name and the stable hash of the key: the name has no use outside this
     * process.
     */
    @Override
    public String storeKey(Policy policy, PartitionKey key) {
        return policy.name() + ":" + key;
    }

    public int size() {
        return locked(() -> partitions.size());
    }

    /** The instant at which this store decides, in µs since 1970. */
    public final long nowMicros() {
        return nowMicros(ownMicros());
    }

    /**
     * The same for an instant of {@link #ownMicros}; for a store that follows another one, on the
     * clock of that one.
     */
    long nowMicros(long ownMicros) {
        return ownMicros;
    }

    /** The instant on the clock of this process, in µs since 1970. */
    public final long ownMicros() {
        Instant now = clock.instant();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }
}
