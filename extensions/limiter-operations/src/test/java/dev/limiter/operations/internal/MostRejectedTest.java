package dev.limiter.operations.internal;

import static dev.limiter.operations.internal.MostRejected.COUNTERS;
import static dev.limiter.operations.internal.MostRejected.SLICE_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.PartitionKey;
import dev.limiter.operations.internal.MostRejected.Span;
import dev.limiter.operations.internal.SpaceSaving.Entry;
import dev.limiter.testkit.heap.LiveObjects;
import dev.limiter.testkit.property.Generator;
import dev.limiter.testkit.property.Property;
import dev.limiter.testkit.property.TestSize;
import dev.limiter.testkit.threads.ManyThreads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rejections of a while ago, of many threads, and of more partitions than have counters. */
@Tag("proof")
class MostRejectedTest {
    private static final PartitionKey ALICE = user("alice");
    private static final PartitionKey BOB = user("bob");

    /** They all have counters, and so exact counts. */
    private static final int KEYS = COUNTERS - 2;

    private static final int ALL = Integer.MAX_VALUE;

    private static final String LONG = "\u0416".repeat(PartitionKey.MAX_VALUE_LENGTH);

    /** It overflows in the first slice. */
    private long nanos = Long.MAX_VALUE - 1_000;

    private final MostRejected most = new MostRejected(() -> nanos);

    private static PartitionKey user(Object name) {
        return PartitionKey.of("user", String.valueOf(name));
    }

    private static Entry<PartitionKey> exactly(PartitionKey key, long count) {
        return new Entry<>(key, count, 0);
    }

    @Test
    void aRejectionIsForgottenWithItsSlice() {
        most.rejected(ALICE);
        nanos += SLICE_NANOS - 1;
        most.rejected(ALICE);
        most.rejected(BOB);
        nanos += SLICE_NANOS;
        assertThat(most.top(2, Span.TEN_MINUTES)).containsExactly(exactly(ALICE, 2), exactly(BOB, 1));
        nanos++;
        assertThat(most.top(2, Span.TEN_MINUTES)).isEmpty();
        nanos += 10 * SLICE_NANOS - 1;
        assertThat(most.top(1, Span.HOUR)).containsExactly(exactly(ALICE, 2));
        nanos++;
        assertThat(most.top(2, Span.HOUR)).isEmpty();
    }

    private record Step(int key, int times, int slices) {}

    private static Generator<Step> steps(int keys) {
        return dice -> new Step(
                (int) dice.between(dice.between(0, keys), keys),
                (int) dice.number(1, 20),
                dice.between(1, 500) == 1 ? dice.oneOf(1, 1, 1, 2, 12) : 0);
    }

    @Test
    void countsAreBoundsAndNoFrequentPartitionIsMissing() {
        Generator<List<Step>> histories =
                dice -> dice.list(1, 6_000, steps(dice.oneOf(COUNTERS - 1, 2 * COUNTERS, 10 * COUNTERS)));
        Property.forAll(histories)
                .tries(400)
                .leavingOut(steps -> steps, (all, fewer) -> fewer)
                .check(this::check);
    }

    private void check(List<Step> steps) {
        MostRejected own = new MostRejected(() -> nanos);
        List<Map<PartitionKey, Long>> slices = new ArrayList<>(List.of(new HashMap<>()));
        for (Step step : steps) {
            for (int slice = 0; slice < step.slices(); slice++) {
                nanos += SLICE_NANOS;
                slices.add(new HashMap<>());
            }
            for (int time = 0; time < step.times(); time++) {
                own.rejected(user(step.key()));
            }
            slices.get(slices.size() - 1).merge(user(step.key()), (long) step.times(), Long::sum);
        }
        check(own.top(ALL, Span.TEN_MINUTES), slices.subList(Math.max(0, slices.size() - 2), slices.size()));
        check(own.top(ALL, Span.HOUR), slices.subList(Math.max(0, slices.size() - 12), slices.size()));
    }

    private static void check(List<Entry<PartitionKey>> top, List<Map<PartitionKey, Long>> slices) {
        Map<PartitionKey, Long> exact = new HashMap<>();
        slices.forEach(slice -> slice.forEach((key, count) -> exact.merge(key, count, Long::sum)));
        long all = exact.values().stream().mapToLong(Long::longValue).sum();
        boolean allCounted = slices.stream().allMatch(slice -> slice.size() < COUNTERS);
        assertThat(top).isSortedAccordingTo(Entry.MOST_FIRST);
        for (Entry<PartitionKey> entry : top) {
            assertThat(exact.remove(entry.key()))
                    .isBetween(entry.count() - entry.error(), entry.count() + (allCounted ? 0 : all / COUNTERS));
            assertThat(entry.error()).isBetween(0L, allCounted ? 0 : all / COUNTERS);
        }
        assertThat(exact.values()).allMatch(count -> !allCounted && count <= all / COUNTERS);
    }

    /** A million keys by Zipf's law. */
    @ParameterizedTest
    @CsvSource({"1.0, 1", "1.0, 12", "1.2, 1", "1.2, 12"})
    void ofTwentyAtLeastEighteenAreFound(double exponent, int slices) {
        int[] exact = new int[1_000_000];
        double[] sums = new double[exact.length];
        for (int key = 0; key < sums.length; key++) {
            sums[key] = (key == 0 ? 0 : sums[key - 1]) + Math.pow(key + 1, -exponent);
        }
        SplittableRandom random = new SplittableRandom(1);
        int events = TestSize.of(5_000_000);
        for (int event = 0; event < events; event++) {
            int found = Arrays.binarySearch(sums, random.nextDouble(sums[sums.length - 1]));
            int key = found < 0 ? -1 - found : found;
            exact[key]++;
            most.rejected(user(key));
            if ((event + 1) % (events / slices + 1) == 0) {
                nanos += SLICE_NANOS;
            }
        }
        Set<PartitionKey> highest = new HashSet<>();
        IntStream.range(0, exact.length)
                .boxed()
                .sorted(Comparator.comparing(key -> -exact[key]))
                .limit(20)
                .forEach(key -> highest.add(user(key)));
        assertThat(most.top(ALL, Span.HOUR)).hasSizeLessThanOrEqualTo(slices * COUNTERS);
        assertThat(most.top(20, Span.HOUR))
                .filteredOn(entry -> highest.contains(entry.key()))
                .hasSizeGreaterThanOrEqualTo(18);
    }

    /** The longest keys that a caller can send in two values, in a script of two bytes a letter. */
    @Test
    void theMemoryDoesNotGrow() {
        long before = LiveObjects.bytes(byte[].class);
        for (int slice = 0; slice < 40; slice++) {
            for (int key = 0; key < 4 * COUNTERS; key++) {
                String name = slice + "-" + key + LONG;
                most.rejected(PartitionKey.builder()
                        .add("user", name)
                        .add("org", name)
                        .build());
            }
            assertThat(most.top(ALL, Span.TEN_MINUTES)).hasSize(Math.min(2, slice + 1) * COUNTERS);
            assertThat(most.top(ALL, Span.HOUR)).hasSize(Math.min(12, slice + 1) * COUNTERS);
            assertThat(most.past).hasSize(Math.min(11, slice));
            nanos += SLICE_NANOS;
        }
        nanos -= SLICE_NANOS;
        assertThat(most.top(ALL, Span.HOUR)).hasSize(12 * COUNTERS);
        assertThat(LiveObjects.bytes(byte[].class) - before).isLessThan(3 << 20);
    }

    /** The hash is the same on all instances. */
    @Test
    void aLongKeyIsToldByItsHash() {
        PartitionKey mallory = user("mallory" + LONG);
        most.rejected(mallory);
        most.rejected(user("mallory" + LONG));
        most.rejected(user("mallet" + LONG));
        String hash = Long.toHexString(mallory.stableHash());
        assertThat(most.top(1, Span.HOUR)).containsExactly(exactly(PartitionKey.of("partition", hash), 2));
    }

    @Test
    void listsOfInstancesAreAddedUp() {
        List<Entry<String>> first = List.of(new Entry<>("a", 9, 2), new Entry<>("b", 5, 1));
        List<Entry<String>> second = List.of(new Entry<>("b", 6, 3), new Entry<>("c", 1, 0));
        assertThat(MostRejected.merge(Stream.concat(first.stream(), second.stream())))
                .containsExactly(new Entry<>("b", 11, 4), new Entry<>("a", 9, 2), new Entry<>("c", 1, 0));
        assertThat(MostRejected.merge(Stream.<Entry<String>>of())).isEmpty();
    }

    @Test
    void noRejectionOfManyThreadsIsLost() throws Exception {
        int rounds = 200;
        ManyThreads.call(8, () -> {
            for (int i = 0; i < rounds * KEYS; i++) {
                most.rejected(user(i % KEYS));
            }
            return null;
        });
        assertThat(most.top(ALL, Span.HOUR))
                .hasSize(KEYS)
                .allMatch(entry -> entry.equals(exactly(entry.key(), 8 * rounds)));
    }
}
