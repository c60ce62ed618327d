package dev.limiter.redis.internal.limiter;

import dev.limiter.Check;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Rejections by partition, in a table. Each partition has a row of {@value #ROW} places. If all
 * are taken, a new rejection replaces one of them, which costs its partition a call. So the
 * table needs no sweep and no lock, and callers cannot fill it with made-up keys. It holds at
 * most {@value #PLACES} rejections of keys of {@value #LONGEST_KEY} characters, 26 MB.
 */
final class RejectionCache {
    static final int ROW = 8;
    static final int PLACES = 1 << 15;
    static final int LONGEST_KEY = 256;

    /** The places, each with a {@link CachedRejection}, a {@link Removed}, or nothing yet. */
    private final AtomicReferenceArray<Object> places = new AtomicReferenceArray<>(PLACES);

    /** For each row, how often a newer reply of the store came for one of its partitions. */
    private final AtomicIntegerArray versions = new AtomicIntegerArray(PLACES / ROW);

    /**
     * Marks a place whose rejection was removed. Each mark differs from all before, so that a
     * caller that read the place before finds that it has changed.
     */
    private static final class Removed {}

    /** The first place of a partition's row, whatever the members of the policy. */
    static int row(Policy policy, PartitionKey key) {
        int hash = Long.hashCode(key.stableHash()) ^ policy.name().hashCode() * 0x9E3779B9;
        return (hash ^ hash >>> 16) & PLACES - ROW;
    }

    /** The rejection that answers a check now; null if there is none. */
    CachedRejection find(int row, Check check, long nanos) {
        for (int place = row; place < row + ROW; place++) {
            if (places.get(place) instanceof CachedRejection rejection
                    && rejection.answers(check)
                    && rejection.holdsAt(nanos)) {
                return rejection;
            }
        }
        return null;
    }

    /**
     * The place for a rejection of this check: that of its partition, otherwise one whose
     * rejection does not hold any more, otherwise any.
     */
    int slotFor(int row, Check check, long nanos) {
        int slot = row + (int) (check.key().stableHash() >>> 32 & ROW - 1);
        for (int place = row + ROW - 1; place >= row; place--) {
            if (!(places.get(place) instanceof CachedRejection rejection) || !rejection.holdsAt(nanos)) {
                slot = place;
            } else if (rejection.concerns(check.policy(), check.key())) {
                return place;
            }
        }
        return slot;
    }

    /**
     * The content of a place. The caller reads it before it asks the store, and passes it to
     * {@link #remember} afterwards.
     */
    Object at(int place) {
        return places.get(place);
    }

    /**
     * The version of a row. The caller reads it before it asks the store, and passes it to
     * {@link #remember}.
     */
    int version(int row) {
        return versions.get(row / ROW);
    }

    /**
     * Caches a rejection, unless place or version have changed since the store was asked: then it
     * may be untrue.
     *
     * @param seen what was {@linkplain #at there} before the store was asked
     * @param seenVersion the {@linkplain #version version} before the store was asked
     */
    void remember(int place, Object seen, int seenVersion, CachedRejection rejection) {
        boolean there = places.compareAndSet(place, seen, rejection);
        // Checked after the rejection is in its place: invalidate() first counts the version, and
        // then looks for the rejection.
        if (there && versions.get(place / ROW) != seenVersion) {
            places.compareAndSet(place, rejection, new Removed());
        }
    }

    /** Forgets all rejections, and those of calls that are under way. */
    void clear() {
        Removed mark = new Removed();
        for (int place = 0; place < PLACES; place++) {
            places.set(place, mark);
        }
    }

    /**
     * Forgets the rejections of a partition, and those of calls that are under way, whatever their
     * limit. The store may have charged the partition, or given units back.
     */
    void invalidate(Policy policy, PartitionKey key) {
        int row = row(policy, key);
        versions.incrementAndGet(row / ROW);
        for (int place = row; place < row + ROW; place++) {
            Object there = places.get(place);
            if (there instanceof CachedRejection rejection && rejection.concerns(policy, key)) {
                places.compareAndSet(place, there, new Removed());
            }
        }
    }
}
