package dev.limiter.operations.internal;

import dev.limiter.PartitionKey;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many different callers there were, by their {@link PartitionKey#stableHash()}: exact up to
 * {@value #EXACT}, an estimate beyond. It keeps the least hashes. The more callers there are, the
 * closer these are to 0: Bar-Yossef et al., "Counting Distinct Elements in a Data Stream", RANDOM
 * 2002.
 *
 * <p>The standard error of the estimate is 1.6 %. Callers that choose the values of their keys can
 * choose low hashes, which raise it. The memory has a bound of 320 KB. Safe for use by several
 * threads.
 */
final class DistinctCallers {
    static final int EXACT = 2_048;

    /** One more than are counted exactly, so that a full set is known to be an estimate. */
    private static final int LEAST = EXACT + 1;

    /** Hashes beyond the least that are kept for a while. Dropping them takes a sort. */
    static final int SPARE = 1_024;

    final Set<Long> kept = ConcurrentHashMap.newKeySet();

    /** Higher hashes are not among the least. */
    private volatile long highest = Long.MAX_VALUE;

    /**
     * Counts a caller. A hash that is known or too high takes no lock.
     *
     * @param hash at least 0
     */
    void add(long hash) {
        if (hash <= highest && !kept.contains(hash) && kept.add(hash) && kept.size() > LEAST + SPARE) {
            dropOthers();
        }
    }

    private synchronized void dropOthers() {
        if (kept.size() > LEAST + SPARE) {
            highest = least()[EXACT];
            kept.removeIf(hash -> hash > highest);
        }
    }

    private long[] least() {
        return kept.stream().mapToLong(Long::longValue).sorted().limit(LEAST).toArray();
    }

    /** Counts all callers that another instance has counted. */
    void addAll(DistinctCallers other) {
        for (long hash : other.least()) {
            add(hash);
        }
    }

    /** {@return the number of callers} */
    long count() {
        long[] least = least();
        return least.length < LEAST
                ? least.length
                : Math.max(LEAST, Math.round(EXACT / Math.scalb((double) least[EXACT], -63)));
    }

    /** {@return a text of at most 44 kB, from which {@link #of} makes the same} */
    String text() {
        long[] least = least();
        ByteBuffer bytes = ByteBuffer.allocate(least.length * Long.BYTES);
        bytes.asLongBuffer().put(least);
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
