package dev.limiter.model;

import dev.limiter.Algorithm;
import dev.limiter.Refill;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.RandomDistribution;

/**
 * Random histories: bursts at one instant, clocks that stand or step, costs up to the most a policy allows, limits that change
 * midway, groups, shadows, borrowing, refunds late and twice, charges beyond the quota, peeks and resets.
 */
public final class Histories {
    private static final int MOST_STEPS = 60;

    private Histories() {}

    /**
     * Histories of 1 to 60 steps, in which the first demand of each group is of this algorithm. One that fails shrinks by
     * leaving out steps.
     *
     * @param refill {@code SMOOTH} for all but {@code TOKEN_BUCKET}
     */
    public static Arbitrary<History> of(Algorithm algorithm, Refill refill) {
        return Arbitraries.randomValue(random -> Scene.draw(algorithm, refill, new Dice(random)))
                .flatMap(Histories::in);
    }

    /** One of them, drawn without jqwik: for those who need many and do not need them to shrink. */
    public static History draw(Algorithm algorithm, Refill refill, Random random) {
        Dice dice = new Dice(random);
        Scene scene = Scene.draw(algorithm, refill, dice);
        List<Step> steps = new ArrayList<>();
        for (long left = dice.between(1, MOST_STEPS); left > 0; left--) {
            steps.add(scene.step(dice));
        }
        return new History(scene.name(), steps);
    }

    private static Arbitrary<History> in(Scene scene) {
        return Arbitraries.randomValue(random -> scene.step(new Dice(random)))
                .list()
                .ofMinSize(1)
                .ofMaxSize(MOST_STEPS)
                .withSizeDistribution(RandomDistribution.uniform())
                .map(steps -> new History(scene.name(), steps));
    }
}
