package dev.limiter.spi;

import dev.limiter.Demand;
import dev.limiter.Policy;
import java.util.ArrayList;
import java.util.List;
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
    private final List<Item> items;
    private final Receipt copy;

    /** What one policy was charged. Parts of a receipt share their items with it, so each is given back once. */
    public static final class Item {
        private final Demand demand;
        private final Reading reading;
        private final long atMicros;
        private final AtomicBoolean spent = new AtomicBoolean();

        private Item(Demand demand, Reading reading, long atMicros) {
            this.demand = demand;
            this.reading = reading;
            this.atMicros = atMicros;
        }

        /** What was asked, and charged. */
        public Demand demand() {
            return demand;
        }

        /** What was found before the charge. */
        public Reading reading() {
            return reading;
        }

        /** The instant of the charge on the store's clock, in µs since 1970. */
        public long atMicros() {
            return atMicros;
        }

        private boolean isInStore() {
            return reading != null;
        }
    }

    /**
     * @param demands all that were asked; those that did not fit, as a shadow may not, were not charged
     * @param readings one for each demand: what was found before the charge
     * @param atMicros the instant of the decision on the store's clock
     */
    public Receipt(List<Demand> demands, List<Reading> readings, long atMicros) {
        List<Item> charged = new ArrayList<>(demands.size());
        for (int i = 0; i < demands.size(); i++) {
            if (readings.get(i).fits()) {
                charged.add(new Item(demands.get(i), readings.get(i), atMicros));
            }
        }
        this.items = charged;
        this.copy = null;
    }

    private Receipt(List<Item> items, Receipt copy) {
        this.items = items;
        this.copy = copy;
    }

    /**
     * Of what was charged without asking, whether it fitted or not.
     *
     * @param charged what was charged in full, so that it can be given back
     * @param readings one for each demand: what was found before the charge
     * @param atMicros the instant of the charge on the clock of these books
     */
    public static Receipt ofCharges(List<Demand> charged, List<Reading> readings, long atMicros) {
        List<Item> items = new ArrayList<>(charged.size());
        for (int i = 0; i < charged.size(); i++) {
            items.add(new Item(charged.get(i), readings.get(i), atMicros));
        }
        return new Receipt(items, null);
    }

    /**
     * Of what the store was not told.
     *
     * @param demands what the fallback let pass
     * @param copy what of it stands in its books; null if nothing does
     */
    public static Receipt ofFallback(List<Demand> demands, Receipt copy) {
        return new Receipt(
                demands.stream().map(demand -> new Item(demand, null, 0)).toList(), copy);
    }

    /** One receipt for parts that were charged one after the other. */
    public static Receipt joined(List<Receipt> parts) {
        List<Receipt> copies = parts.stream()
                .filter(part -> part.copy != null)
                .map(part -> part.copy)
                .toList();
        return new Receipt(
                parts.stream().flatMap(part -> part.items.stream()).toList(), copies.isEmpty() ? null : joined(copies));
    }

    /** The same with what the fallback's books have of it. */
    public Receipt withCopy(Receipt inBooks) {
        return new Receipt(items, inBooks);
    }

    /** What the fallback's books have of the same charge; null if nothing. */
    public Receipt copy() {
        return copy;
    }

    /**
     * What the store was charged and has not been given back so far, neither by this receipt nor by a part of it; from now on it
     * has.
     */
    public List<Item> spend() {
        List<Item> unspent = new ArrayList<>(items.size());
        for (Item item : items) {
            if (item.isInStore() && item.spent.compareAndSet(false, true)) {
                unspent.add(item);
            }
        }
        return unspent;
    }

    /** What {@link #spend} would give, while nobody else does. */
    public List<Item> unspent() {
        return items.stream()
                .filter(item -> item.isInStore() && !item.spent.get())
                .toList();
    }

    /** The part that consists of these items, without a copy. */
    public Receipt only(List<Item> some) {
        return new Receipt(items.stream().filter(some::contains).toList(), null);
    }

    /** The part that concerns some policies. */
    public Receipt only(Predicate<Policy> policies) {
        return new Receipt(
                items.stream()
                        .filter(item -> policies.test(item.demand.policy()))
                        .toList(),
                copy == null ? null : copy.only(policies));
    }

    /** What was charged, or let pass. */
    public List<Demand> demands() {
        return items.stream().map(Item::demand).toList();
    }
}
