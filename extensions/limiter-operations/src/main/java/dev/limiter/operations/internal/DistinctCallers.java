package dev.limiter.operations.internal;

import dev.limiter.PartitionKey;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many different callers there were, by their {@link PartitionKey#stableHash()}: exact up to
 * {@value #EXACT}, an estimate beyond. It keeps the least hashes. The more callers there are, the
 * closer these are to 0: Bar-Yossef et al., "Counting Distinct Elements in a Data Stream", RANDOM
 * 2002.
 *
 * <p>The standard error of the estimate is 1.6 %. Callers that choose the values of their keys can
 * choose low hashes, which raise it. Safe for use by several threads.
 */
final class DistinctCallers {
    static final int EXACT = 2_048;

    /** One more than are counted exactly, so that a full set is known to be an estimate. */
    private static final int LEAST = EXACT + 1;

    final ConcurrentSkipListSet<Long> least = new ConcurrentSkipListSet<>();
    private final AtomicInteger size = new AtomicInteger();

    /** @param hash at least 0 */
    void add(long hash) {
        boolean counts = size.get() < LEAST || hash < least.last();
        if (counts && least.add(hash) && size.incrementAndGet() > LEAST) {
            least.pollLast();
            size.decrementAndGet();
        }
    }

    /** Counts all callers that another instance has counted. */
    void addAll(DistinctCallers other) {
        other.least.forEach(this::add);
    }

    /** {@return the number of callers} */
    long count() {
        List<Long> hashes = List.copyOf(least);
        return hashes.size() < LEAST
                ? hashes.size()
                : Math.max(LEAST, Math.round(EXACT / Math.scalb((double) hashes.get(EXACT), -63)));
    }

    /** {@return a text of at most 44 kB, from which {@link #of} makes the same} */
    String text() {
        List<Long> hashes = List.copyOf(least);
        ByteBuffer bytes = ByteBuffer.allocate(hashes.size() * Long.BYTES);
        hashes.forEach(bytes::putLong);
        return Base64.getEncoder().encodeToString(bytes.array());
    }

    /**
     * {@return the callers of a {@link #text}}
     *
     * @throws IllegalArgumentException if it is no such text
     */
    static DistinctCallers of(String text) {
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
        if (bytes.remaining() % Long.BYTES != 0) {
            throw new IllegalArgumentException(
                    "a text of callers must have a multiple of 8 bytes, had " + bytes.remaining());
        }
        DistinctCallers callers = new DistinctCallers();
        while (bytes.hasRemaining()) {
            callers.add(bytes.getLong());
        }
        return callers;
    }
}
