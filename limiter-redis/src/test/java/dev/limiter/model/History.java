package dev.limiter.model;

import java.util.List;

/**
 * Calls of a limiter, one after the other.
 *
 * @param name what is under test and a number; a hint for the reader, not unique
 */
public record History(String name, List<Step> steps) {

    /** One line for each step, as a property that fails shows it. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name);
        for (int i = 0; i < steps.size(); i++) {
            text.append(System.lineSeparator()).append(i + 1).append(": ").append(steps.get(i));
        }
        return text.toString();
    }
}
