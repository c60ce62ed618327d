package dev.limiter.spi;

import dev.limiter.Demand;
import dev.limiter.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * What a store needs to give back what an admission took: what was asked, what was found, and when. For stores; everyone else
 * hands it on unread.
 */
public final class Receipt {
    private final List<Demand> demands;
    private final List<Reading> readings;
    private final long atMicros;
    private final AtomicBoolean spent = new AtomicBoolean();

    /**
     * @param readings one for each demand: what was found before the charge
     * @param atMicros the instant of the decision on the store's clock
     */
    public Receipt(List<Demand> demands, List<Reading> readings, long atMicros) {
        this.demands = demands;
        this.readings = readings;
        this.atMicros = atMicros;
    }

    /** True for the first who asks, and for nobody after: what was taken can be given back once. */
    public boolean spend() {
        return spent.compareAndSet(false, true);
    }

    /** The part that concerns some policies, given back by itself. */
    public Receipt only(Predicate<Policy> policies) {
        List<Demand> chosen = new ArrayList<>();
        List<Reading> found = new ArrayList<>();
        for (int i = 0; i < demands.size(); i++) {
            if (policies.test(demands.get(i).policy())) {
                chosen.add(demands.get(i));
                found.add(readings.get(i));
            }
        }
        return new Receipt(chosen, found, atMicros);
    }

    /** What was asked. */
    public List<Demand> demands() {
        return demands;
    }

    /** What was found before the charge, for each demand. */
    public List<Reading> readings() {
        return readings;
    }

    /** The instant of the decision on the store's clock, in µs since 1970. */
    public long atMicros() {
        return atMicros;
    }

    /** Equal for the same admission, given back or not. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Receipt receipt
                && atMicros == receipt.atMicros
                && demands.equals(receipt.demands)
                && readings.equals(receipt.readings);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(atMicros) + 31 * demands.hashCode();
    }

    @Override
    public String toString() {
        return "Receipt[at " + atMicros + " µs, " + readings + "]";
    }
}
