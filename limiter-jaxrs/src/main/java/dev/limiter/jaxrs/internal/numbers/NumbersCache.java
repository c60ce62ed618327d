package dev.limiter.jaxrs.internal.numbers;

import dev.limiter.PartitionKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The numbers by partition, with the second-chance algorithm: at most {@value #MOST_PARTITIONS},
 * with keys of at most {@value #MOST_CHARACTERS} characters in all. A new one takes the place of
 * the oldest that had one request only, or none since the cache last looked at it. So made-up
 * keys do not push out partitions in use.
 */
final class NumbersCache {
    static final int MOST_PARTITIONS = 10_000;
    static final int MOST_CHARACTERS = 4_000_000;

    private final ConcurrentHashMap<Place, PartitionNumbers> partitions = new ConcurrentHashMap<>();
    private final Deque<Place> inOrder = new ArrayDeque<>();
    private long characters;

    private record Place(String policy, PartitionKey key) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byKey = key.compareTo(other.key);
            return byKey != 0 ? byKey : policy.compareTo(other.policy);
        }
    }

    PartitionNumbers of(String policy, PartitionKey key, PolicyNumbers numbers) {
        Place place = new Place(policy, key);
        PartitionNumbers there = partitions.get(place);
        if (there == null) {
            return add(place, numbers);
        }
        there.use();
        return there;
    }

    private synchronized PartitionNumbers add(Place place, PolicyNumbers numbers) {
        PartitionNumbers there = partitions.get(place);
        if (there != null) {
            return there;
        }
        characters += place.key().text().length();
        while (!inOrder.isEmpty() && (partitions.size() >= MOST_PARTITIONS || characters > MOST_CHARACTERS)) {
            evictOne();
        }
        PartitionNumbers made = new PartitionNumbers(numbers, place.key());
        partitions.put(place, made);
        inOrder.add(place);
        return made;
    }

    /** Passes over each partition in use once. */
    private void evictOne() {
        Place oldest = inOrder.remove();
        while (partitions.get(oldest).takeUsed()) {
            inOrder.add(oldest);
            oldest = inOrder.remove();
        }
        partitions.remove(oldest);
        characters -= oldest.key().text().length();
    }

    /** How many partitions there are. */
    int size() {
        return partitions.size();
    }
}
