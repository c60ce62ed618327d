package dev.limiter.model;

import dev.limiter.testkit.property.Generator;
import dev.limiter.testkit.property.Lines;
import dev.limiter.testkit.property.Property;
import java.util.List;

/**
 * Calls of a limiter, one after the other.
 *
 * @param name what is under test; a hint for the reader
 */
public record History(String name, List<Step> steps) {

    /** A property of such histories. It leaves out steps of a failing history. */
    public static Property<History> forAll(Generator<History> histories) {
        return Property.forAll(histories)
                .leavingOut(History::steps, (history, steps) -> new History(history.name(), steps));
    }

    /** A line for each step, as a failing property shows it. */
    @Override
    public String toString() {
        return Lines.numbered(name, steps);
    }
}
