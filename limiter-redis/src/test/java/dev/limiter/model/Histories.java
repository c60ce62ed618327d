package dev.limiter.model;

import dev.limiter.testkit.property.Generator;

/**
 * Random histories: bursts at one instant, clocks that stand or step, costs up to the most a
 * policy allows, limits that change midway, groups, shadows, borrowing, refunds late and twice,
 * settlements up and down, charges beyond the quota, peeks and resets.
 */
public final class Histories {
    private static final int MOST_STEPS = 60;

    private Histories() {}

    /** Histories of 1 to 60 steps, in which the first check of each group is of this kind. */
    public static Generator<History> of(Kind kind) {
        return dice -> {
            Scenario scene = Scenario.draw(kind, dice);
            return new History(kind.toString(), dice.list(1, MOST_STEPS, scene::step));
        };
    }
}
