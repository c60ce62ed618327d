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
 */
public final class Receipt {
    private final List<Item> items;
    private final long atMicros;

    /** What one policy was charged. Parts of a receipt share their items with it, so each is given back once. */
    public static final class Item {
        private final Demand demand;
        private final Reading reading;
        private final AtomicBoolean spent = new AtomicBoolean();

        Item(Demand demand, Reading reading) {
            this.demand = demand;
            this.reading = reading;
        }

        /** What was asked, and charged. */
        public Demand demand() {
            return demand;
        }

        /** What was found before the charge. */
        public Reading reading() {
            return reading;
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
                charged.add(new Item(demands.get(i), readings.get(i)));
            }
        }
        this.items = charged;
        this.atMicros = atMicros;
    }

    private Receipt(long atMicros, List<Item> items) {
        this.items = items;
        this.atMicros = atMicros;
    }

    /** What has not been given back so far, neither by this receipt nor by a part of it; from now on it has. */
    public List<Item> spend() {
        List<Item> unspent = new ArrayList<>(items.size());
        for (Item item : items) {
            if (item.spent.compareAndSet(false, true)) {
                unspent.add(item);
            }
        }
        return unspent;
    }

    /** The part that concerns some policies. */
    public Receipt only(Predicate<Policy> policies) {
        return new Receipt(
                atMicros,
                items.stream()
                        .filter(item -> policies.test(item.demand.policy()))
                        .toList());
    }

    /** What was charged. */
    public List<Demand> demands() {
        return items.stream().map(Item::demand).toList();
    }

    /** The instant of the decision on the store's clock, in µs since 1970. */
    public long atMicros() {
        return atMicros;
    }
}
