package dev.limiter.testkit.property;

import java.util.List;

/** The text of a case with steps. */
public final class Lines {

    private Lines() {}

    /** The heading, then a line for each step, numbered from 1. */
    public static String numbered(Object heading, List<?> steps) {
        StringBuilder text = new StringBuilder().append(heading);
        for (int i = 0; i < steps.size(); i++) {
            text.append(System.lineSeparator()).append(i + 1).append(": ").append(steps.get(i));
        }
        return text.toString();
    }
}
