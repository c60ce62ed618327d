package dev.limiter.internal.store;

import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.StateSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * What a store needs to give back an admission: what was charged, the state before, and when.
 * Only stores read it.
 *
 * <p>The fallback keeps a local mirror: a record of what it admitted and of what the store
 * admitted. The {@linkplain #copy copy} is the receipt of the same charge in the mirror.
 */
public final class Receipt {
    private final List<Check> checks;

    /** One for each check; null if there is a {@link #snapshot} alone, or if the items are made. */
    private final List<StateSnapshot> snapshots;

    /** The snapshot of a receipt of one check, which needs no list; otherwise null. */
    private final StateSnapshot snapshot;

    private final long atMicros;

    /** Made at the first call that needs them, since most receipts are never read. */
    private List<Item> items;

    private volatile Receipt copy;

    /**
     * The charge of one policy. Parts of a receipt share their items with it, so each item is
     * given back once.
     *
     * @param check the check that was charged
     * @param snapshot the state before the charge; null if the store does not know of it
     * @param atMicros the instant of the charge on the store's clock, in µs since 1970
     * @param spent whether it was given back, or settled
     */
    public record Item(Check check, StateSnapshot snapshot, long atMicros, AtomicBoolean spent) {
        private Item(Check check, StateSnapshot snapshot, long atMicros) {
            this(check, snapshot, atMicros, new AtomicBoolean());
        }

        /**
         * {@return whether this is a lease that has expired at an instant, if it was not renewed
         * since}
         *
         * @param nowMicros the instant on the store's clock, in µs since 1970
         */
        public boolean isExpiredLease(long nowMicros) {
            return isLease() && nowMicros - atMicros >= check.policy().windowMicros();
        }

        /** Whether it ends by itself, and has a name by which it is given back. */
        public boolean isLease() {
            return check.policy().rules().leases();
        }

        /** The charge of the units beyond a part, made at the same instant after this part. */
        private Item beyond(long units) {
            if (units == 0) {
                return new Item(check, snapshot, atMicros);
            }
            Check part = withCost(units);
            StateSnapshot then = snapshot == null ? null : snapshot.after(part, 1);
            return new Item(withCost(check.cost() - units), then, atMicros);
        }

        private Check withCost(long units) {
            return new Check(check.policy(), check.key(), units, check.lease(), check.maxWaitMicros());
        }

        private boolean isInStore() {
            return snapshot != null;
        }
    }

    /**
     * A receipt of charges.
     *
     * @param checks the checks that were charged
     * @param snapshots one for each check: the state before the charge; not changed afterwards
     * @param atMicros the instant of the charges on the store's clock
     */
    public Receipt(List<Check> checks, List<StateSnapshot> snapshots, long atMicros) {
        this.checks = checks;
        this.snapshots = snapshots;
        this.snapshot = null;
        this.atMicros = atMicros;
    }

    private Receipt(List<Check> checks, StateSnapshot snapshot, long atMicros) {
        this.checks = checks;
        this.snapshots = null;
        this.snapshot = snapshot;
        this.atMicros = atMicros;
    }

    private Receipt(List<Item> items, Receipt copy) {
        this.checks = items.stream().map(Item::check).toList();
        this.snapshots = null;
        this.snapshot = null;
        this.atMicros = 0;
        this.items = items;
        this.copy = copy;
    }

    private static Receipt of(
            List<Check> checks, List<StateSnapshot> snapshots, long atMicros, Predicate<StateSnapshot> charged) {
        List<Check> some = null; // mostly all are, and nothing is copied
        List<StateSnapshot> before = null;
        for (int i = 0; i < snapshots.size(); i++) {
            boolean isCharged = charged.test(snapshots.get(i));
            if (!isCharged && some == null) {
                some = new ArrayList<>(checks.subList(0, i));
                before = new ArrayList<>(snapshots.subList(0, i));
            } else if (isCharged && some != null) {
                some.add(checks.get(i));
                before.add(snapshots.get(i));
            }
        }
        return some == null ? new Receipt(checks, snapshots, atMicros) : new Receipt(some, before, atMicros);
    }

    /**
     * {@return the receipt of a decision}
     *
     * @param checks all checks of the group; those that did not fit, as a shadow may not, were
     *     not charged
     * @param snapshots one for each check: the state before the charge; not changed afterwards
     * @param atMicros the instant of the decision on the store's clock
     */
    public static Receipt ofDecision(List<Check> checks, List<StateSnapshot> snapshots, long atMicros) {
        return of(checks, snapshots, atMicros, StateSnapshot::fits);
    }

    /**
     * {@return the receipt of a group of one check}
     *
     * @param checks the one check
     * @param snapshot the state before the charge; null if it was not charged, or cannot be given
     *     back
     * @param atMicros the instant of the charge on the store's clock
     */
    public static Receipt ofOne(List<Check> checks, StateSnapshot snapshot, long atMicros) {
        return snapshot == null ? new Receipt(List.of(), List.of(), atMicros) : new Receipt(checks, snapshot, atMicros);
    }

    /**
     * {@return a receipt of units charged without asking, whether they fitted or not}
     *
     * @param checks the checks that were charged
     * @param snapshots one for each check: the state before the charge; null where it was not
     *     charged in full and cannot be given back
     * @param atMicros the instant of the charge on the store's clock
     */
    public static Receipt ofCharges(List<Check> checks, List<StateSnapshot> snapshots, long atMicros) {
        return of(checks, snapshots, atMicros, Objects::nonNull);
    }

    /**
     * {@return a receipt of an admission that the store was not told of}
     *
     * @param checks the checks that the fallback admitted
     * @param copy the receipt of the same charge in the mirror; null if there is none
     */
    public static Receipt ofFallback(List<Check> checks, Receipt copy) {
        return new Receipt(
                checks.stream().map(check -> new Item(check, null, 0)).toList(), copy);
    }

    /**
     * {@return one receipt for parts that were charged one after the other}
     *
     * @param parts of one store
     */
    public static Receipt joined(List<Receipt> parts) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        List<Receipt> copies = parts.stream()
                .filter(part -> part.copy != null)
                .map(part -> part.copy)
                .toList();
        return new Receipt(
                parts.stream().flatMap(part -> part.items().stream()).toList(),
                copies.isEmpty() ? null : joined(copies));
    }

    private synchronized List<Item> items() {
        if (items == null) {
            items = snapshot != null
                    ? List.of(new Item(checks.get(0), snapshot, atMicros))
                    : IntStream.range(0, checks.size())
                            .mapToObj(i -> new Item(checks.get(i), snapshots.get(i), atMicros))
                            .toList();
        }
        return items;
    }

    /**
     * Adds the receipt of the same charge in the local mirror, before a caller gets this one.
     *
     * @param inMirror the mirror's receipt
     */
    public void attach(Receipt inMirror) {
        copy = inMirror;
    }

    /** {@return the receipt of the same charge in the local mirror; null if there is none} */
    public Receipt copy() {
        return copy;
    }

    /**
     * {@return the items of the store that have not been given back so far, neither by this
     * receipt nor by a part of it} From now on they count as given back.
     */
    public List<Item> spend() {
        List<Item> unspent = new ArrayList<>(items().size());
        for (Item item : items()) {
            if (item.isInStore() && item.spent.compareAndSet(false, true)) {
                unspent.add(item);
            }
        }
        return unspent;
    }

    /**
     * Makes the charge of a policy final, so that no later refund gives any of it back.
     *
     * <p>Of c units, k come back exactly as if c − k units had been asked first, and k after
     * them at the same instant.
     *
     * @param policy the name of the policy
     * @param used units that stay charged; not negative
     * @return the receipt of the units beyond, to be given back; null if the charge was given
     *     back or settled before
     */
    public Receipt settle(String policy, long used) {
        List<Item> unused = new ArrayList<>(1);
        boolean isFirst = false;
        boolean isInStore = false;
        for (Item item : items()) {
            if (item.check.policy().name().equals(policy) && item.spent.compareAndSet(false, true)) {
                isFirst = true;
                isInStore |= item.isInStore();
                if (item.check.cost() > used) {
                    unused.add(item.beyond(used));
                }
            }
        }
        Receipt unusedCopy = isFirst && copy != null ? copy.settle(policy, used) : null;
        boolean isSettled = isInStore || copy == null || unusedCopy != null;
        return isFirst && isSettled ? new Receipt(unused, unusedCopy) : null;
    }

    /** {@return the items that {@link #spend} would return, if no other caller spends} */
    public List<Item> unspent() {
        return items().stream()
                .filter(item -> item.isInStore() && !item.spent.get())
                .toList();
    }

    /**
     * {@return the part that consists of these items, without a copy}
     *
     * @param some of its items
     */
    public Receipt only(List<Item> some) {
        return new Receipt(items().stream().filter(some::contains).toList(), null);
    }

    /**
     * {@return the part that concerns some policies}
     *
     * @param policies tells which of them
     */
    public Receipt only(Predicate<Policy> policies) {
        return part(item -> policies.test(item.check.policy()));
    }

    /**
     * {@return the receipt without renewed leases, for a decision that came to nothing} Leases
     * that were held before are not given back: the work that they count goes on.
     */
    public Receipt withoutRenewals() {
        return part(item -> item.snapshot == null || !item.snapshot.renews());
    }

    private Receipt part(Predicate<Item> isIn) {
        return new Receipt(items().stream().filter(isIn).toList(), copy == null ? null : copy.part(isIn));
    }

    /**
     * {@return the instant at which a partition was charged on the store's clock, in µs since
     * 1970}
     *
     * @param check a check of the partition, which was charged
     */
    public long chargedMicros(Check check) {
        if (snapshots != null || snapshot != null) {
            return atMicros;
        }
        for (Item item : items()) {
            if (item.check.policy().name().equals(check.policy().name())
                    && item.check.key().equals(check.key())) {
                return item.atMicros;
            }
        }
        throw new NoSuchElementException(
                "nothing was charged for policy " + check.policy().name());
    }

    /** {@return the checks that were charged or admitted} */
    public List<Check> checks() {
        return checks;
    }
}
