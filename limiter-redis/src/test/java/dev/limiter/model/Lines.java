package dev.limiter.model;

import java.util.List;

/** How histories are shown. */
final class Lines {

    private Lines() {}

    /** A heading, and one line with a number from 1 for each step. */
    static String numbered(String heading, List<?> steps) {
        StringBuilder text = new StringBuilder(heading);
        for (int i = 0; i < steps.size(); i++) {
            text.append(System.lineSeparator()).append(i + 1).append(": ").append(steps.get(i));
        }
        return text.toString();
    }
}
