package dev.limiter.redis;

import java.util.Iterator;
import java.util.List;

/** The script's flat list of whole numbers, read from the front. */
final class Reply {
    private final long atMicros;
    private final Iterator<?> numbers;

    /**
     * @throws ClassCastException if Redis answered with something else than a list
     */
    Reply(Object reply) {
        List<?> list = (List<?>) reply;
        this.atMicros = (Long) list.get(0);
        this.numbers = list.iterator();
    }

    /** The instant of the call on Redis' clock, which every reply begins with. */
    long atMicros() {
        return atMicros;
    }

    long next() {
        return (Long) numbers.next();
    }

    boolean nextFlag() {
        return next() == 1;
    }
}
