package dev.limiter.local;

import dev.limiter.Answer;
import dev.limiter.Demand;
import dev.limiter.Policy;
import dev.limiter.spi.Reading;

/** A cell that counts whole units, so that a debt is charged as a cost is. */
interface CountingCell extends Cell {

    /** What {@link #read} found last. */
    Reading found();

    /** Charges units on top of what was found. */
    void add(Policy policy, long units, long nowMicros);

    @Override
    default void charge(Demand demand, long nowMicros) {
        add(demand.policy(), demand.cost(), nowMicros);
    }

    @Override
    default Reading admit(Demand demand, Reading found, long slotMicros, long nowMicros) {
        boolean whole = found.chargeable(demand.policy(), demand.cost()) == demand.cost();
        if (whole) {
            charge(demand, nowMicros);
        } else {
            debt(demand.policy(), demand.cost(), nowMicros);
        }
        return whole ? found : null;
    }

    @Override
    default Reading admitShown(Demand demand, long shown, Answer answer, long nowMicros) {
        Reading found = found();
        long rest = demand.cost() - shown;
        boolean whole = rest == 0 || found.chargeable(demand.policy(), rest) == rest;
        if (rest > 0) {
            debt(demand.policy(), rest, nowMicros);
        }
        return whole ? found : null;
    }

    @Override
    default void debt(Policy policy, long units, long nowMicros) {
        long charged = found().chargeable(policy, units);
        if (charged > 0) {
            add(policy, charged, nowMicros);
        }
    }
}
