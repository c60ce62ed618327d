package dev.limiter.model;

import dev.limiter.testkit.property.Lines;
import java.util.List;

/** Calls of one queue, one after the other. */
public record QueueHistory(List<QueueStep> steps) {

    /** One line for each step, as a property that fails shows it. */
    @Override
    public String toString() {
        return Lines.numbered("queue", steps);
    }
}
