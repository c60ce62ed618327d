package dev.limiter.redis.internal.limiter;

import dev.limiter.Check;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Rejections by partition, in the places of a table: each partition has a row of {@value #ROW}, and where all of a row are taken, one
 * is driven out, which costs its partition a call. So there is nothing to sweep, to lock, or to fill, whatever keys callers make
 * up: at most {@value #PLACES} rejections of keys of {@value #LONGEST_KEY} characters, 13 MB.
 */
final class RejectionCache {
    static final int ROW = 4;
    static final int PLACES = 1 << 14;
    static final int LONGEST_KEY = 256;

    /** At each place a {@link CachedRejection}, a {@link Forgotten}, or nothing yet. */
    private final AtomicReferenceArray<Object> places = new AtomicReferenceArray<>(PLACES);

    /** Of each row how often the store has said something newer of one of its partitions. */
    private final AtomicIntegerArray news = new AtomicIntegerArray(PLACES / ROW);

    /** Something was forgotten here. Each differs from all others, so that who looked before finds that the place has changed. */
    private static final class Forgotten {}

    /** The first place of the row where the rejections of a partition are, whatever numbers it is asked with. */
    static int row(Policy policy, PartitionKey key) {
        int hash = Long.hashCode(key.spread()) ^ policy.name().hashCode() * 0x9E3779B9;
        return (hash ^ hash >>> 16) & PLACES - ROW;
    }

    /** What answers a demand at this moment; null if nothing does. */
    CachedRejection find(int row, Check demand, long nanos) {
        for (int place = row; place < row + ROW; place++) {
            if (places.get(place) instanceof CachedRejection rejection
                    && rejection.answers(demand)
                    && rejection.holdsAt(nanos)) {
                return rejection;
            }
        }
        return null;
    }

    /** Where a rejection of this demand belongs: where its partition has one, else where there is none that holds, else anywhere. */
    int room(int row, Check demand, long nanos) {
        int room = row + (int) (demand.key().spread() >>> 32 & ROW - 1);
        for (int place = row + ROW - 1; place >= row; place--) {
            if (!(places.get(place) instanceof CachedRejection rejection) || !rejection.holdsAt(nanos)) {
                room = place;
            } else if (rejection.concerns(demand.policy(), demand.key())) {
                return place;
            }
        }
        return room;
    }

    /** What is at a place. The caller reads it before it asks the store, and hands it to {@link #remember} afterwards. */
    Object at(int place) {
        return places.get(place);
    }

    /** How much news there was of a row. The caller reads it before it asks the store, and hands it to {@link #remember}. */
    int news(int row) {
        return news.get(row / ROW);
    }

    /**
     * Remembers a rejection, unless something has changed since the store was asked: what came between may have made it untrue.
     *
     * @param seen what was {@linkplain #at there} before the store was asked
     * @param heard how much {@linkplain #news news} there was
     */
    void remember(int place, Object seen, int heard, CachedRejection rejection) {
        boolean there = places.compareAndSet(place, seen, rejection);
        // After the rejection is there: outdate() counts its news first, and looks for the rejection then.
        if (there && news.get(place / ROW) != heard) {
            places.compareAndSet(place, rejection, new Forgotten());
        }
    }

    /** Forgets what is known of a partition, and what those will know of it who are asking at present. */
    void forget(Policy policy, PartitionKey key) {
        int row = row(policy, key);
        for (int place = row; place < row + ROW; place++) {
            places.set(place, new Forgotten());
        }
    }

    /** The store has said something newer of a partition, with other numbers maybe, and may have charged it. */
    void outdate(Policy policy, PartitionKey key) {
        int row = row(policy, key);
        news.incrementAndGet(row / ROW);
        for (int place = row; place < row + ROW; place++) {
            Object there = places.get(place);
            if (there instanceof CachedRejection rejection && rejection.concerns(policy, key)) {
                places.compareAndSet(place, there, new Forgotten());
            }
        }
    }
}
