package dev.limiter.queue.model;

import dev.limiter.testkit.property.Lines;
import java.util.List;

/** Calls of a queue, in order. */
public record QueueHistory(List<QueueStep> steps) {

    /** A line for each step, as a failing property shows it. */
    @Override
    public String toString() {
        return Lines.numbered("queue", steps);
    }
}
