package dev.limiter.testkit.property;

import java.util.concurrent.atomic.AtomicReference;

/**
 * One case and what the check said of it.
 *
 * @param drawn null if the generator threw
 */
record Attempt<T>(T drawn, Verdict verdict) {

    /** Draws the case of this seed and checks it. What the generator throws is a verdict, too. */
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
