package dev.limiter.testkit.property;

import java.util.concurrent.atomic.AtomicReference;

/**
 * A case and the outcome of its check.
 *
 * @param drawn null if the generator threw
 */
record Attempt<T>(T drawn, Verdict verdict) {

    /**
     * Draws the case of this seed and checks it. An exception of the generator counts as a failure.
     */
    static <T> Attempt<T> at(long seed, Generator<? extends T> generator, Check<? super T> check) {
        AtomicReference<T> drawn = new AtomicReference<>();
        Check<Dice> drawAndCheck = dice -> {
            drawn.set(generator.draw(dice));
            check.of(drawn.get());
        };
        Verdict verdict = Verdict.of(drawAndCheck, new Dice(seed));
        return new Attempt<>(drawn.get(), verdict);
    }
}
