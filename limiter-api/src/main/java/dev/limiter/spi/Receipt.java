package dev.limiter.spi;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.spi.algorithm.StateSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * What a store needs to give back what an admission took: what was charged, what was found before, and when. For stores;
 * everyone else hands it on unread.
 *
 * <p>The fallback keeps books of its own, of what it admitted and of what the store did. A receipt of the same charge in these is the
 * {@linkplain #copy copy}.
 */
public final class Receipt {
    private final Charged charged;
    private final Receipt copy;

    /** What one policy was charged. Parts of a receipt share their items with it, so each is given back once. */
    public static final class Item {
        private final Check demand;
        private final StateSnapshot reading;
        private final long atMicros;
        private final AtomicBoolean spent = new AtomicBoolean();

        private Item(Check demand, StateSnapshot reading, long atMicros) {
            this.demand = demand;
            this.reading = reading;
            this.atMicros = atMicros;
        }

        /** {@return what was asked, and charged} */
        public Check demand() {
            return demand;
        }

        /** {@return what was found before the charge} */
        public StateSnapshot reading() {
            return reading;
        }

        /** {@return the instant of the charge on the store's clock, in µs since 1970} */
        public long atMicros() {
            return atMicros;
        }

        /**
         * {@return whether this is a lease that has expired at an instant, if it was not renewed since}
         *
         * @param nowMicros the instant on the store's clock, in µs since 1970
         */
        public boolean isExpiredLease(long nowMicros) {
            return demand.policy().algorithm() == Algorithm.CONCURRENCY
                    && nowMicros - atMicros >= demand.policy().windowMicros();
        }

        private boolean isInStore() {
            return reading != null;
        }

        private boolean isRenewal() {
            return reading != null && reading.renews();
        }
    }

    /** What was charged at one instant. Its items are made when one is asked for, since most receipts are thrown away unread. */
    private static final class Charged {
        private final List<Check> demands;
        private final List<StateSnapshot> readings;
        private final long atMicros;
        private final Deferred entry;
        private volatile List<Item> items;

        /**
         * @param readings one for each demand; null of what the store was not told
         */
        Charged(List<Check> demands, List<StateSnapshot> readings, long atMicros) {
            this.demands = demands;
            this.readings = readings;
            this.atMicros = atMicros;
            this.entry = null;
        }

        Charged(List<Check> demands, Deferred entry) {
            this.demands = demands;
            this.readings = null;
            this.atMicros = 0;
            this.entry = entry;
        }

        /** Those of the demands that fitted: mostly all. */
        static Charged ofFitting(List<Check> demands, List<StateSnapshot> readings, long atMicros) {
            for (int i = 0; i < readings.size(); i++) {
                if (!readings.get(i).fits()) {
                    return some(demands, readings, atMicros);
                }
            }
            return new Charged(demands, readings, atMicros);
        }

        private static Charged some(List<Check> demands, List<StateSnapshot> readings, long atMicros) {
            List<Check> some = new ArrayList<>(demands.size());
            for (int i = 0; i < demands.size(); i++) {
                if (readings.get(i).fits()) {
                    some.add(demands.get(i));
                }
            }
            return new Charged(
                    List.copyOf(some),
                    readings.stream().filter(StateSnapshot::fits).toList(),
                    atMicros);
        }

        Charged(List<Item> items) {
            this(items.stream().map(Item::demand).toList(), null, 0);
            this.items = items;
        }

        /** Asks the entry outside of the lock: it waits for the books, whose present owner may ask for these items. */
        List<Item> items() {
            List<Item> known = items;
            return known != null
                    ? known
                    : theItems(entry == null ? items(readings, atMicros) : items(entry.readings(), entry.atMicros()));
        }

        /** The items of the first thread win, because an item records whether it was given back. */
        private synchronized List<Item> theItems(List<Item> made) {
            if (items == null) {
                items = made;
            }
            return items;
        }

        /** Parts that were charged one after the other have an instant each. */
        long atMicros(Check demand) {
            if (readings != null) {
                return atMicros;
            }
            for (Item item : items()) {
                if (item.demand.policy().name().equals(demand.policy().name())
                        && item.demand.key().equals(demand.key())) {
                    return item.atMicros;
                }
            }
            throw new NoSuchElementException(
                    "nothing was charged for policy " + demand.policy().name());
        }

        List<Check> demands() {
            return entry == null ? demands : items().stream().map(Item::demand).toList();
        }

        private List<Item> items(List<StateSnapshot> found, long at) {
            List<Item> made = new ArrayList<>(demands.size());
            for (int i = 0; i < demands.size(); i++) {
                StateSnapshot reading = found == null ? null : found.get(i);
                if (reading != null || entry == null) {
                    made.add(new Item(demands.get(i), reading, at));
                }
            }
            return made;
        }
    }

    /**
     * Of a decision.
     *
     * @param demands all that were asked; those that did not fit, as a shadow may not, were not charged
     * @param readings one for each demand: what was found before the charge; not changed afterwards
     * @param atMicros the instant of the decision on the store's clock
     */
    public Receipt(List<Check> demands, List<StateSnapshot> readings, long atMicros) {
        this(Charged.ofFitting(demands, readings, atMicros), null);
    }

    private Receipt(Charged charged, Receipt copy) {
        this.charged = charged;
        this.copy = copy;
    }

    /** A charge that a store may write a little later, but before any caller reads it. */
    public interface Deferred {

        /**
         * {@return what was found before the charge, one for each demand; null of what was not charged in full, and cannot be given back}
         * Asked for, it is written at the latest now.
         */
        List<StateSnapshot> readings();

        /** {@return the instant of the charge on the clock of these books; as {@link #readings}} */
        long atMicros();
    }

    /**
     * {@return a receipt of what was charged without asking, whether it fitted or not}
     *
     * @param demands what was to be charged; not changed afterwards
     * @param entry what the group has taken
     */
    public static Receipt ofEntry(List<Check> demands, Deferred entry) {
        return new Receipt(new Charged(demands, entry), null);
    }

    /**
     * {@return a receipt of what the store was not told}
     *
     * @param demands what the fallback let pass
     * @param copy what of it stands in its books; null if nothing does
     */
    public static Receipt ofFallback(List<Check> demands, Receipt copy) {
        return new Receipt(new Charged(demands, null, 0), copy);
    }

    /**
     * {@return one receipt for parts that were charged one after the other}
     *
     * @param parts one or more
     */
    public static Receipt joined(List<Receipt> parts) {
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
     * {@return the same with what the fallback's books have of it}
     *
     * @param inBooks of the same group
     */
    public Receipt withCopy(Receipt inBooks) {
        return new Receipt(charged, inBooks);
    }

    /** {@return what the fallback's books have of the same charge; null if nothing} */
    public Receipt copy() {
        return copy;
    }

    /**
     * {@return what the store was charged and has not been given back so far, neither by this receipt nor by a part of it; from now on it
     * has}
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

    /** {@return what {@link #spend} would give, if no other caller spends} */
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
                        .filter(item -> policies.test(item.demand.policy()))
                        .toList(),
                copy == null ? null : copy.only(policies));
    }

    /**
     * {@return the part that was not held before, for a decision that came to nothing} Leases that were held and have only been renewed
     * are not in it: the work that they count goes on.
     */
    public Receipt withoutRenewals() {
        return of(
                items().stream().filter(item -> !item.isRenewal()).toList(),
                copy == null ? null : copy.withoutRenewals());
    }

    /**
     * {@return the instant at which a partition was charged on the store's clock, in µs since 1970}
     *
     * @param demand of the partition, which is one of those that were charged
     */
    public long chargedMicros(Check demand) {
        return charged.atMicros(demand);
    }

    /** {@return what was charged, or let pass} */
    public List<Check> demands() {
        return charged.demands();
    }
}
