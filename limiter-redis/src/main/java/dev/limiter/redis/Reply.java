package dev.limiter.redis;

import java.util.Iterator;
import java.util.List;

/** The script's flat list of whole numbers, read from the front. */
final class Reply {
    private final Iterator<?> numbers;

    /**
     * @throws ClassCastException if Redis answered with something else than a list
     */
    Reply(Object reply) {
        this.numbers = ((List<?>) reply).iterator();
    }

    long next() {
        return (Long) numbers.next();
    }

    boolean nextFlag() {
        return next() == 1;
    }
}
