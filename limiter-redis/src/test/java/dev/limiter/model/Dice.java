package dev.limiter.model;

import java.util.List;
import java.util.Random;

/** Draws, in the words of those who need them. */
record Dice(Random random) {

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** One of them, each as likely as it is often there. */
    @SafeVarargs
    final <T> T oneOf(T... faces) {
        return faces[random.nextInt(faces.length)];
    }

    <T> T oneOf(List<T> faces) {
        return faces.get(random.nextInt(faces.size()));
    }

    /** Each from {@code least} to {@code most} is as likely. */
    long between(long least, long most) {
        return least + (long) (random.nextDouble() * (most - least + 1));
    }
}
