package dev.limiter.spi;

import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.spi.algorithm.StateSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * What a store needs to give back an admission: what was charged, the state before, and when.
 * Only stores read it.
 *
 * <p>The fallback keeps a local mirror: a record of what it admitted and of what the store
 * admitted. The {@linkplain #copy copy} is the receipt of the same charge in the mirror.
 */
public final class Receipt {
    private final Charged charged;
    private final Receipt copy;

    /**
     * The charge of one policy. Parts of a receipt share their items with it, so each item is
     * given back once.
     */
    public static final class Item {
        private final Check check;
        private final StateSnapshot snapshot;
        private final long atMicros;
        private final AtomicBoolean spent = new AtomicBoolean();

        private Item(Check check, StateSnapshot snapshot, long atMicros) {
            this.check = check;
            this.snapshot = snapshot;
            this.atMicros = atMicros;
        }

        /** {@return the check that was charged} */
        public Check check() {
            return check;
        }

        /** {@return the state before the charge} */
        public StateSnapshot snapshot() {
            return snapshot;
        }

        /** {@return the instant of the charge on the store's clock, in µs since 1970} */
        public long atMicros() {
            return atMicros;
        }

        /**
         * {@return whether this is a lease that has expired at an instant, if it was not renewed
         * since}
         *
         * @param nowMicros the instant on the store's clock, in µs since 1970
         */
        public boolean isExpiredLease(long nowMicros) {
            return check.policy().rules().leases()
                    && nowMicros - atMicros >= check.policy().windowMicros();
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

        private boolean isRenewal() {
            return snapshot != null && snapshot.renews();
        }
    }

    /**
     * The charges of one instant. The items are made at the first call that needs them, since
     * most receipts are never read.
     */
    private static final class Charged {
        private final List<Check> checks;
        private final List<StateSnapshot> snapshots;
        private final long atMicros;
        private final Deferred entry;
        private volatile List<Item> items;

        /** @param snapshots one for each check; null if the store was not told of the charge */
        Charged(List<Check> checks, List<StateSnapshot> snapshots, long atMicros) {
            this.checks = checks;
            this.snapshots = snapshots;
            this.atMicros = atMicros;
            this.entry = null;
        }

        Charged(List<Check> checks, Deferred entry) {
            this.checks = checks;
            this.snapshots = null;
            this.atMicros = 0;
            this.entry = entry;
        }

        /** The checks that fitted: mostly all. */
        static Charged ofFitting(List<Check> checks, List<StateSnapshot> snapshots, long atMicros) {
            for (int i = 0; i < snapshots.size(); i++) {
                if (!snapshots.get(i).fits()) {
                    return some(checks, snapshots, atMicros);
                }
            }
            return new Charged(checks, snapshots, atMicros);
        }

        private static Charged some(List<Check> checks, List<StateSnapshot> snapshots, long atMicros) {
            List<Check> some = new ArrayList<>(checks.size());
            for (int i = 0; i < checks.size(); i++) {
                if (snapshots.get(i).fits()) {
                    some.add(checks.get(i));
                }
            }
            return new Charged(
                    List.copyOf(some),
                    snapshots.stream().filter(StateSnapshot::fits).toList(),
                    atMicros);
        }

        Charged(List<Item> items) {
            this(items.stream().map(Item::check).toList(), null, 0);
            this.items = items;
        }

        /**
         * Asks the entry outside of the lock: it waits for the mirror, whose present owner may
         * ask for these items.
         */
        List<Item> items() {
            List<Item> known = items;
            return known != null
                    ? known
                    : theItems(entry == null ? items(snapshots, atMicros) : items(entry.snapshots(), entry.atMicros()));
        }

        /**
         * The items of the first thread win, because an item records whether it was given back.
         */
        private synchronized List<Item> theItems(List<Item> made) {
            if (items == null) {
                items = made;
            }
            return items;
        }

        /**
         * The instant of the charge. Parts that were charged one after the other have an instant
         * each.
         */
        long atMicros(Check check) {
            if (snapshots != null) {
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

        List<Check> checks() {
            return entry == null ? checks : items().stream().map(Item::check).toList();
        }

        private List<Item> items(List<StateSnapshot> found, long at) {
            List<Item> made = new ArrayList<>(checks.size());
            for (int i = 0; i < checks.size(); i++) {
                StateSnapshot snapshot = found == null ? null : found.get(i);
                if (snapshot != null || entry == null) {
                    made.add(new Item(checks.get(i), snapshot, at));
                }
            }
            return made;
        }
    }

    /**
     * The receipt of a decision.
     *
     * @param checks all checks of the group; those that did not fit, as a shadow may not, were
     *     not charged
     * @param snapshots one for each check: the state before the charge; not changed afterwards
     * @param atMicros the instant of the decision on the store's clock
     */
    public Receipt(List<Check> checks, List<StateSnapshot> snapshots, long atMicros) {
        this(Charged.ofFitting(checks, snapshots, atMicros), null);
    }

    private Receipt(Charged charged, Receipt copy) {
        this.charged = charged;
        this.copy = copy;
    }

    /** A charge that a store may write a little later, but before any caller reads it. */
    public interface Deferred {

        /**
         * {@return the state before the charge, one for each check; null where it was not
         * charged in full and cannot be given back} The charge is written by this call at the
         * latest.
         */
        List<StateSnapshot> snapshots();

        /**
         * {@return the instant of the charge on the mirror's clock; written as for
         * {@link #snapshots}}
         */
        long atMicros();
    }

    /**
     * {@return a receipt of units charged without asking, whether they fitted or not}
     *
     * @param checks the checks to be charged; not changed afterwards
     * @param entry the charge of the group
     */
    public static Receipt ofEntry(List<Check> checks, Deferred entry) {
        return new Receipt(new Charged(checks, entry), null);
    }

    /**
     * {@return a receipt of an admission that the store was not told of}
     *
     * @param checks the checks that the fallback admitted
     * @param copy the receipt of the same charge in the mirror; null if there is none
     */
    public static Receipt ofFallback(List<Check> checks, Receipt copy) {
        return new Receipt(new Charged(checks, null, 0), copy);
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
        return of(
                parts.stream().flatMap(part -> part.items().stream()).toList(),
                copies.isEmpty() ? null : joined(copies));
    }

    private static Receipt of(List<Item> items, Receipt copy) {
        return new Receipt(new Charged(items), copy);
    }

    private List<Item> items() {
        return charged.items();
    }

    /**
     * {@return the same receipt with its copy in the mirror}
     *
     * @param inBooks the receipt of the same group in the mirror
     */
    public Receipt withCopy(Receipt inBooks) {
        return new Receipt(charged, inBooks);
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
        return isFirst && isSettled ? of(unused, unusedCopy) : null;
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
        return of(items().stream().filter(some::contains).toList(), null);
    }

    /**
     * {@return the part that concerns some policies}
     *
     * @param policies tells which of them
     */
    public Receipt only(Predicate<Policy> policies) {
        return of(
                items().stream()
                        .filter(item -> policies.test(item.check.policy()))
                        .toList(),
                copy == null ? null : copy.only(policies));
    }

    /**
     * {@return the receipt without renewed leases, for a decision that came to nothing} Leases
     * that were held before are not given back: the work that they count goes on.
     */
    public Receipt withoutRenewals() {
        return of(
                items().stream().filter(item -> !item.isRenewal()).toList(),
                copy == null ? null : copy.withoutRenewals());
    }

    /**
     * {@return the instant at which a partition was charged on the store's clock, in µs since
     * 1970}
     *
     * @param check a check of the partition, which was charged
     */
    public long chargedMicros(Check check) {
        return charged.atMicros(check);
    }

    /** {@return the checks that were charged or admitted} */
    public List<Check> checks() {
        return charged.checks();
    }
}
