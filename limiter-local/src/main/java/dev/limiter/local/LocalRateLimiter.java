package dev.limiter.local;

import dev.limiter.Algorithm;
import dev.limiter.Answer;
import dev.limiter.BoundedQueues;
import dev.limiter.Charge;
import dev.limiter.Decision;
import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.PartitionKey;
import dev.limiter.Patience;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.spi.Reading;
import dev.limiter.spi.Receipt;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/**
 * Limits held in the memory of this process: exact, but each process admits the whole limit. For a single instance, and for
 * tests that set the clock themselves.
 *
 * <p>It keeps {@value #MAX_PARTITIONS} partitions, however long their keys are, and the new ones of one more call. A partition counts
 * 300 bytes, a {@code SLIDING_LOG} 8 to 64 bytes more for each unit in its window and 64 at least, a {@code CONCURRENCY} 300 more for
 * each lease. Beyond {@value #MAX_BYTES} bytes there are fewer: about 50,000 logs of 100 units.
 *
 * <p>A partition that has its full quota back is forgotten in passing. Beyond the bound others are forgotten, and begin with a full quota:
 * those with a unit left first, the longest unused before the others; then those that are spent, the one that gets a unit soonest before
 * the others. At most three quarters of the room are for spent ones, so that new partitions are always counted. A spent limit
 * comes back early only if 75,000 others are spent for longer.
 */
public final class LocalRateLimiter implements RateLimiter {

    /** Partitions that are kept at most, so that callers who rotate keys cannot fill the memory. */
    public static final int MAX_PARTITIONS = 100_000;

    /** Bytes that are kept at most, estimated, so that long logs cannot fill the memory either. */
    public static final long MAX_BYTES = 64L << 20;

    /** The instant of an answer that is not followed. */
    private static final long UNFOLLOWED = Long.MIN_VALUE / 4;

    private final InstantSource clock;
    private final Patience patience;
    private final Signals signals;
    private final Desk desk = new Desk(this::nowMicros);
    private final Partitions partitions = new Partitions(MAX_PARTITIONS, MAX_BYTES);
    private final Map<String, QueuedEntries> queues = new ConcurrentHashMap<>();

    /** A limiter on a clock that never steps: the wall clock when it was made, and the time that has passed since. */
    public LocalRateLimiter() {
        this(new SteadyClock());
    }

    /**
     * A limiter on a clock of one's own, where waiting is sleeping: for a clock that goes by itself.
     *
     * @param clock asked once for each decision; whole microseconds count
     */
    public LocalRateLimiter(InstantSource clock) {
        this(clock, Patience.Sleep.OF_THREADS);
    }

    /**
     * A limiter on a clock that somebody moves, so that tests of {@link #acquire(Group, Duration)} need not sleep.
     *
     * @param clock asked once for each decision; whole microseconds count
     * @param sleep called to wait; moves the clock by that span
     */
    public LocalRateLimiter(InstantSource clock, Patience.Sleep sleep) {
        this(clock, sleep, Signals.NONE);
    }

    /**
     * @param signals is told of leases that expired before they were given back
     */
    LocalRateLimiter(InstantSource clock, Patience.Sleep sleep, Signals signals) {
        this.signals = signals;
        this.clock = clock;
        this.patience = new Patience(this::nowMicros, sleep);
    }

    @Override
    public Decision acquire(Group group) {
        desk.open();
        try {
            return decide(group, nowMicros());
        } finally {
            desk.shut();
        }
    }

    @Override
    public List<Decision> acquireEach(List<Group> groups) {
        desk.open();
        try {
            long now = nowMicros();
            return groups.stream().map(group -> decide(group, now)).toList();
        } finally {
            desk.shut();
        }
    }

    @Override
    public Decision acquire(Group group, Duration atMost) throws InterruptedException {
        return patience.acquire(this, group, atMost);
    }

    private Decision decide(Group group, long now) {
        List<Demand> demands = group.demands();
        partitions.sweep(now, demands.size());
        Slot[] slots = new Slot[demands.size()];
        Reading[] readings = new Reading[slots.length];
        for (int i = 0; i < slots.length; i++) {
            Demand demand = demands.get(i);
            slots[i] = partitions.slot(demand.policy(), demand.key());
            readings[i] = slots[i].cell.read(demand, now, false);
        }
        Decision decision = Reading.decide(group, Arrays.asList(readings), now);
        for (int i = 0; i < slots.length; i++) {
            if (decision.admitted() && readings[i].fits()) {
                slots[i].charges(demands.get(i).policy());
                slots[i].cell.charge(demands.get(i), now);
            }
            used(slots[i], decision.answers().get(i), now);
        }
        return decision;
    }

    private void used(Slot slot, Answer answer, long now) {
        used(slot, answer.policy(), answer.remaining(), answer.nextAfterMicros(), now);
    }

    /** When one of several leases ends is not known; when all have ended is. */
    private void used(Slot slot, Policy policy, long remaining, long nextAfterMicros, long now) {
        long back = policy.algorithm() == Algorithm.CONCURRENCY ? slot.cell.idleAtMicros() : now + nextAfterMicros;
        partitions.used(slot, remaining == 0 ? back : now, now);
    }

    @Override
    public List<Answer> peek(Group group) {
        desk.open();
        try {
            long now = nowMicros();
            List<Reading> readings = new ArrayList<>(group.demands().size());
            for (Demand demand : group.demands()) {
                Slot slot = partitions.existing(demand.policy(), demand.key());
                Cell seen = slot == null ? Cell.of(demand.policy()) : slot.cell;
                readings.add(seen.read(demand, now, true));
            }
            return Reading.peeked(group, readings);
        } finally {
            desk.shut();
        }
    }

    @Override
    public Charge charge(Policy policy, PartitionKey key, long units) {
        Demand demand = Demand.of(policy, key);
        Charge.requireChargeable(policy, units);
        if (units == 0) {
            return Charge.ofNothing(peek(policy, key));
        }
        desk.open();
        try {
            long now = nowMicros();
            partitions.sweep(now, 1);
            Slot slot = partitions.slot(policy, key);
            Reading before = slot.cell.read(demand, now, false);
            slot.charges(policy);
            slot.cell.debt(policy, units, now);
            Reading after = slot.cell.read(demand, now, false);
            Charge charge = Reading.charged(demand, units, before, after);
            used(slot, policy, charge.remaining(), charge.nextAfterMicros(), now);
            return charge;
        } finally {
            desk.shut();
        }
    }

    /**
     * Charges what another limiter has admitted, whether it fits or not: what does not fit is debt, bounded as that of
     * {@link #charge}. Leases are taken whatever their number.
     *
     * <p>Nobody waits for that. It is handed in, and written by whoever has the books open, or opens them next, which is at once
     * unless somebody else has: nothing is read in them before.
     *
     * @param demands not changed afterwards
     * @param answers the other limiter's, one for each demand
     * @param theirs the other limiter's, in which each of the demands was charged
     * @return what can be given back; not what was cut at the bound
     */
    Receipt admit(List<Demand> demands, List<Answer> answers, Receipt theirs) {
        Admission admission = new Admission(demands, answers, theirs);
        desk.handIn(admission);
        return Receipt.ofEntry(demands, admission);
    }

    /** What was admitted elsewhere, and is to be written here. */
    private final class Admission implements Receipt.Entry, LongConsumer {
        private final List<Demand> demands;
        private final List<Answer> answers;
        private final Receipt theirs;
        private final Reading[] readings;
        private long atMicros;

        Admission(List<Demand> demands, List<Answer> answers, Receipt theirs) {
            this.demands = demands;
            this.answers = answers;
            this.theirs = theirs;
            this.readings = new Reading[demands.size()];
        }

        @Override
        public void accept(long now) {
            atMicros = now;
            partitions.sweep(now, readings.length);
            for (int i = 0; i < readings.length; i++) {
                readings[i] = write(demands.get(i), answers.get(i), now);
            }
        }

        private Reading write(Demand demand, Answer answer, long now) {
            Slot slot = partitions.slot(demand.policy(), demand.key());
            Cell cell = slot.cell;
            Reading found = cell.read(demand, now, false);
            long at = answer.fallback() ? UNFOLLOWED : theirs.chargedMicros(demand);
            Policy policy = demand.policy();
            slot.charges(policy);
            if (slot.isOvertaken(at) && cell.reaches(demand, found, answer.runAfterMicros())) {
                long shown = slot.takeShown(cell.price(policy, demand.cost()));
                if (shown > 0) {
                    Reading taken = cell.admitShown(demand, shown, answer, now);
                    follow(slot, demand, left(slot, demand, now), answer, at, now);
                    return slot.hasPassed(at + cell.refundableForMicros(answer)) ? null : taken;
                }
            }
            Reading taken = cell.admit(demand, found, answer.runAfterMicros(), now);
            Answer left = found.fits() ? found.answer(demand, true) : left(slot, demand, now);
            follow(slot, demand, left, answer, at, now);
            if (at != UNFOLLOWED) {
                slot.shows(cell.shownBySlot(policy, found, answer.runAfterMicros()), at);
            }
            return taken;
        }

        @Override
        public List<Reading> readings() {
            writeNow();
            return Arrays.asList(readings);
        }

        @Override
        public long atMicros() {
            writeNow();
            return atMicros;
        }

        private void writeNow() {
            desk.open();
            desk.shut();
        }
    }

    /**
     * Charges what others took, as far as a rejection by another limiter shows it. No thread waits for that, as in {@link #admit}.
     *
     * @param demand what was asked of the other limiter
     * @param answer the other limiter's
     * @param atMicros the instant of the answer on the other limiter's clock
     */
    void follow(Demand demand, Answer answer, long atMicros) {
        desk.handIn(now -> {
            partitions.sweep(now, 1);
            Slot slot = partitions.slot(demand.policy(), demand.key());
            follow(slot, demand, left(slot, demand, now), answer, atMicros, now);
        });
    }

    /**
     * Writes what another limiter was charged without asking. An answer of it that was followed may have shown it already: then more is
     * charged here than there was after the charge.
     *
     * @param charge the other limiter's, of at least one unit
     */
    void charge(Policy policy, PartitionKey key, Charge charge) {
        Demand one = Demand.of(policy, key);
        desk.handIn(now -> {
            partitions.sweep(now, 1);
            Slot slot = partitions.slot(policy, key);
            Cell cell = slot.cell;
            Answer before = cell.read(one, now, false).answer(one, false);
            slot.charges(policy);
            long price = cell.price(policy, charge.charged());
            if (charge.remaining() > before.remaining() && slot.hasShown(price)) {
                slot.takeShown(price);
            } else {
                cell.debt(policy, charge.charged(), now);
            }
            used(slot, left(slot, one, now), now);
        });
    }

    /**
     * Whether what is left tells what others took. Of a {@code LEAKY_BUCKET} the slot says it already, a lease of others may end at any
     * time, and a gate counts nothing.
     */
    static boolean showsOthers(Policy policy) {
        return switch (policy.algorithm()) {
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, TOKEN_BUCKET, GCRA, UNIFORM -> true;
            case LEAKY_BUCKET, CONCURRENCY, GATE -> false;
        };
    }

    /**
     * Leaves no more here than the other limiter has left: the difference is what others took, or calls of this process whose answers
     * were overtaken by this one. An answer that was overtaken itself is no news.
     */
    private void follow(Slot slot, Demand demand, Answer left, Answer answer, long atMicros, long now) {
        boolean isNews = atMicros != UNFOLLOWED && !slot.isOld(atMicros);
        if (isNews) {
            slot.follows(atMicros);
        }
        Policy policy = demand.policy();
        long others = left.remaining() - answer.remaining();
        if (others > 0 && isNews && showsOthers(policy)) {
            Cell cell = slot.cell;
            long charged = cell.read(demand, now, false).chargeable(policy, others);
            cell.debt(policy, others, now);
            slot.shows(cell.price(policy, charged), atMicros);
            used(slot, left(slot, demand, now), now);
        } else {
            used(slot, left, now);
        }
    }

    /** What is left, without repairing what a clock that has stepped back left: a refund does not either. */
    private static Answer left(Slot slot, Demand demand, long now) {
        return slot.cell.read(demand, now, true).answer(demand, false);
    }

    /** From now on {@link #mustAdmitBoth} holds of this partition, until this instant, or a later one that was said before. */
    void admitBothUntil(Policy policy, PartitionKey key, long untilMicros) {
        desk.open();
        try {
            Slot slot = partitions.slot(policy, key);
            slot.bothUntilMicros = Math.max(slot.bothUntilMicros, untilMicros);
        } finally {
            desk.shut();
        }
    }

    /** Whether the store does not know, or not for long enough, all that was admitted here of this partition. */
    boolean mustAdmitBoth(Policy policy, PartitionKey key) {
        desk.open();
        try {
            Slot slot = partitions.existing(policy, key);
            return slot != null && slot.bothUntilMicros > nowMicros();
        } finally {
            desk.shut();
        }
    }

    @Override
    public boolean refund(Decision.Admitted admission) {
        return refund(admission.receipt());
    }

    /** Gives back what a receipt of these books says, as far as that is still possible. */
    boolean refund(Receipt receipt) {
        boolean given = false;
        int expired = 0;
        desk.open();
        try {
            long now = nowMicros();
            for (Receipt.Item item : receipt.spend()) {
                boolean isGiven = refund(item, now);
                given |= isGiven;
                expired += !isGiven && item.isExpiredLease(now) ? 1 : 0;
            }
        } finally {
            desk.shut();
        }
        for (int i = 0; i < expired; i++) {
            signals.leaseExpired();
        }
        return given;
    }

    /**
     * Gives back an admission that came to nothing. A lease that was held before is still held, and lasts as if it had been renewed.
     *
     * @return whether there is such a lease
     */
    boolean takeBack(Receipt receipt) {
        Receipt taken = receipt.withoutRenewals();
        refund(taken);
        return taken.demands().size() < receipt.demands().size();
    }

    private boolean refund(Receipt.Item item, long now) {
        Demand demand = item.demand();
        Slot slot = partitions.existing(demand.policy(), demand.key());
        if (slot == null) {
            return false;
        }
        boolean given = slot.cell.refund(demand, item.reading(), item.atMicros(), now);
        used(slot, left(slot, demand, now), now);
        return given;
    }

    @Override
    public void reset(Policy policy, PartitionKey key) {
        desk.open();
        try {
            partitions.remove(policy, key);
        } finally {
            desk.shut();
        }
    }

    /** The policy's name and a scatter of the key: nothing outside this process can be asked for it. */
    @Override
    public String storeKey(Policy policy, PartitionKey key) {
        return policy.name() + ":" + key;
    }

    /** Queues in the memory of this process; as many as are asked for by name, and gone with it. */
    @Override
    public BoundedQueues queues() {
        return policy -> new LocalBoundedQueue(
                policy,
                queues.computeIfAbsent(policy.form() + ":" + policy.name(), name -> new QueuedEntries()),
                this::nowMicros);
    }

    @Override
    public void close() {
        desk.open();
        try {
            queues.clear();
            partitions.clear();
        } finally {
            desk.shut();
        }
    }

    int partitions() {
        desk.open();
        try {
            return partitions.size();
        } finally {
            desk.shut();
        }
    }

    /** The instant on this limiter's clock. */
    long nowMicros() {
        Instant now = clock.instant();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }
}
