package dev.limiter.benchmarks;

/**
 * Sums spans in buckets whose width is 1/256 of what they hold, so that the longest can be left
 * out. For one thread.
 */
final class Latencies {
    private static final int EXACT = 256;
    private static final int EXACT_BITS = 8;

    private final long[] buckets = new long[EXACT * (Long.SIZE - EXACT_BITS)];
    private final long[] sums = new long[buckets.length];
    private long count;

    void record(long nanos) {
        int bucket = bucket(Math.max(0, nanos));
        buckets[bucket]++;
        sums[bucket] += nanos;
        count++;
    }

    /**
     * @param share such as 0.99
     * @return the mean of the shortest spans, at least this share of all; not a number if there
     *     are none
     */
    double meanNanos(double share) {
        long wanted = (long) Math.ceil(share * count);
        long seen = 0;
        double sum = 0;
        for (int i = 0; seen < wanted; i++) {
            seen += buckets[i];
            sum += sums[i];
        }
        return sum / seen;
    }

    private static int bucket(long nanos) {
        if (nanos < EXACT) {
            return (int) nanos;
        }
        int shift = Long.SIZE - Long.numberOfLeadingZeros(nanos) - 1 - EXACT_BITS;
        return EXACT * (shift + 1) + (int) (nanos >>> shift) - EXACT;
    }
}
