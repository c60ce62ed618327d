package dev.limiter.queue.model;

import dev.limiter.queue.QueuePolicy;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Generator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Random histories of a queue. Capacities change with every call, holds end at this microsecond
 * or the next, consumers come back late, clocks stand or step, and some ids were never given.
 */
public final class QueueHistories {
    /** The name of the queue. */
    public static final String QUEUE = "proof";

    private static final int MOST_STEPS = 60;
    private static final int CROWD = 20;
    private static final List<String> PAYLOADS =
            List.of("", "fish for Ada", "ünïcode \u0000 \uD83D\uDC27", "x".repeat(300));

    private QueueHistories() {}

    /** Histories of 1 to 60 steps, and of more where there is a crowd. */
    public static Generator<QueueHistory> any() {
        return dice -> {
            List<QueueStep> steps = new ArrayList<>();
            long holdMicros = 1_000;
            for (long left = dice.between(1, MOST_STEPS); left > 0; left--) {
                long pauseMicros = pauseMicros(holdMicros, dice);
                holdMicros = dice.oneOf(1_000L, 1_000L, 700_000L, 2_000_000L);
                QueuePolicy policy = policy(holdMicros, dice);
                if (dice.chance(2)) {
                    steps.addAll(crowd(pauseMicros, policy, dice));
                    pauseMicros = 0;
                }
                steps.add(step(pauseMicros, policy, dice));
            }
            return new QueueHistory(List.copyOf(steps));
        };
    }

    private static long pauseMicros(long holdMicros, Dice dice) {
        long forward = dice.oneOf(0L, 0L, 1L, holdMicros - 1, holdMicros, holdMicros + 1, dice.between(0, 3_000_000));
        return dice.chance(3) ? forward - dice.between(0, 5_000_000) : forward;
    }

    private static QueuePolicy policy(long holdMicros, Dice dice) {
        return QueuePolicy.of(QUEUE, dice.oneOf(1L, 2L, 3L, 5L, 25L, 25L))
                .withHold(Duration.ofNanos(1_000 * holdMicros))
                .withDeliveries((int) dice.between(1, 3))
                .remembering((int) dice.between(1, 4));
    }

    private static QueueStep step(long pauseMicros, QueuePolicy policy, Dice dice) {
        return switch ((int) dice.between(0, 9)) {
            case 0, 1, 2, 3 -> new QueueStep.OfferResult(pauseMicros, policy, dice.oneOf(PAYLOADS));
            case 4, 5, 6 -> new QueueStep.Take(pauseMicros, policy, "consumer-" + dice.between(1, 3));
            case 7 -> new QueueStep.Acknowledge(pauseMicros, policy, id(dice.chance(90), 99, dice));
            case 8 -> new QueueStep.State(pauseMicros, policy, id(false, dice.chance(70) ? 5 : 99, dice));
            default -> new QueueStep.Stats(pauseMicros, policy);
        };
    }

    private static QueueStep.Id id(boolean delivered, int furthest, Dice dice) {
        return new QueueStep.Id(delivered, (int) dice.between(0, furthest));
    }

    /**
     * A crowd of 20 entries. More holds are over than a take passes over, and sometimes more
     * holds are ahead of the clock than a take repairs.
     */
    private static List<QueueStep> crowd(long pauseMicros, QueuePolicy drawn, Dice dice) {
        QueuePolicy policy = drawn.withCapacity(25).withDeliveries(1);
        List<QueueStep> steps = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            steps.add(new QueueStep.OfferResult(i == 0 ? pauseMicros : 0, policy, "crowd"));
            steps.add(new QueueStep.Take(0, policy, "crowd"));
        }
        if (dice.chance(50)) {
            steps.add(new QueueStep.Take(-10 * policy.holdMicros(), policy, "crowd"));
        }
        steps.add(new QueueStep.Take(policy.holdMicros(), policy, "crowd"));
        steps.add(new QueueStep.Stats(0, policy));
        steps.add(new QueueStep.Take(0, policy, "crowd"));
        steps.add(new QueueStep.Stats(0, policy));
        return steps;
    }
}
