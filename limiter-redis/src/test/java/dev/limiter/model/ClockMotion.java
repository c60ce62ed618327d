package dev.limiter.model;

import dev.limiter.Policy;
import dev.limiter.model.Pause.Fixed;
import dev.limiter.model.Pause.Said;
import dev.limiter.testkit.property.Dice;

/** How the clock of a history moves. */
enum ClockMotion {
    /** The clock stands. */
    FROZEN,

    /** Much happens at one instant. */
    BURSTS,

    /** All kinds of motion, but no step back. */
    FORWARD,

    /** All kinds of motion, also steps back and forth. */
    STEPPING;

    private static final long HOUR_MICROS = 3_600_000_000L;

    Pause pause(Policy policy, Dice dice) {
        long window = policy.windowMicros();
        return switch (this) {
            case FROZEN -> new Fixed(0);
            case BURSTS -> dice.chance(75) ? new Fixed(0) : forward(policy, dice);
            case FORWARD -> dice.chance(25) ? new Fixed(0) : forward(policy, dice);
            case STEPPING ->
                dice.chance(15) ? step(window, dice) : dice.chance(25) ? new Fixed(0) : forward(policy, dice);
        };
    }

    private static Pause forward(Policy policy, Dice dice) {
        long window = policy.windowMicros();
        long perUnit = Math.max(1, window / policy.limit());
        return dice.chance(45)
                ? new Said(dice.oneOf(Pause.Figure.values()), (int) dice.between(0, 3), dice.oneOf(-1L, 0L, 0L, 1L))
                : new Fixed(dice.oneOf(
                        1L,
                        dice.between(1, 1_000),
                        perUnit,
                        dice.between(1, 3 * perUnit),
                        dice.between(1, window / 10),
                        dice.between(1, window),
                        window - 1,
                        window,
                        window + 1,
                        dice.between(1, 2 * window + 2)));
    }

    private static Pause step(long window, Dice dice) {
        return new Fixed(dice.oneOf(
                -1L,
                -window,
                -window - 1,
                -2 * window,
                -2 * window - 1,
                -HOUR_MICROS,
                HOUR_MICROS,
                2 * window,
                -dice.between(1, window),
                -dice.between(1, 2 * window),
                dice.between(1, 2 * window)));
    }
}
