package dev.limiter.operations.internal;

import static dev.limiter.operations.internal.DistinctCallers.EXACT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.limiter.PartitionKey;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Generator;
import dev.limiter.testkit.property.Property;
import dev.limiter.testkit.threads.ManyThreads;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Few callers, many callers, and the callers of several instances. */
@Tag("proof")
class DistinctCallersTest {
    private final DistinctCallers callers = new DistinctCallers();

    private static DistinctCallers of(long... hashes) {
        DistinctCallers callers = new DistinctCallers();
        LongStream.of(hashes).forEach(callers::add);
        return callers;
    }

    private static LongStream users(long from, long to) {
        return LongStream.range(from, to)
                .map(user -> PartitionKey.of("user", "" + user).stableHash());
    }

    @Test
    void eachCallerIsCountedOnce() {
        assertThat(callers.count()).isZero();
        for (int i = 1; i <= EXACT; i++) {
            long hash = PartitionKey.of("user", "" + i).stableHash();
            callers.add(hash);
            callers.add(hash);
            assertThat(callers.least).hasSize(i);
        }
        assertThat(callers.count()).isEqualTo(EXACT);
        callers.add(PartitionKey.of("user", "0").stableHash());
        assertThat(callers.count()).isGreaterThan(EXACT).isCloseTo(EXACT, withinPercentage(5));
    }

    @Test
    void theOutermostHashesAreCounted() {
        assertThat(of(0, Long.MAX_VALUE, 1, 0, Long.MAX_VALUE).count()).isEqualTo(3);
        long[] least = LongStream.rangeClosed(0, EXACT).toArray();
        assertThat(of(least).count()).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(ints = {EXACT + 1, 10_000, 100_000})
    void manyCallersAreCountedWithinFivePercent(int count) {
        for (long seed = 0; seed < 20; seed++) {
            DistinctCallers many = of(users(seed * count, (seed + 1) * count).toArray());
            assertThat(many.count()).as("seed " + seed).isCloseTo(count, withinPercentage(8));
        }
    }

    @Test
    void theMemoryDoesNotGrow() {
        users(0, 200_000).forEach(hash -> {
            callers.add(hash);
            assertThat(callers.least.size()).isLessThanOrEqualTo(EXACT + 1);
        });
        assertThat(callers.text().length()).isLessThanOrEqualTo(44_000);
    }

    /** Users with these numbers; the ranges of several instances overlap. */
    private record Range(long from, long to) {
        private static Range drawn(Dice dice) {
            long from = dice.between(0, 10_000);
            return new Range(from, from + dice.number(0, 20_000));
        }
    }

    @Test
    void callersOfSeveralInstancesAreCountedAsOfOne() {
        Generator<List<Range>> instances = dice -> dice.list(1, 4, Range::drawn);
        Property.forAll(instances).tries(100).check(ranges -> {
            DistinctCallers merged = new DistinctCallers();
            HashSet<Long> exact = new HashSet<>();
            for (Range range : ranges) {
                DistinctCallers one = of(users(range.from(), range.to()).toArray());
                users(range.from(), range.to()).forEach(exact::add);
                merged.addAll(DistinctCallers.of(one.text()));
            }
            long[] least = exact.stream()
                    .mapToLong(Long::longValue)
                    .sorted()
                    .limit(EXACT + 1)
                    .toArray();
            assertThat(merged.text()).isEqualTo(of(least).text());
            assertThat(DistinctCallers.of(merged.text()).least).hasSize(least.length);
            if (exact.size() <= EXACT) {
                assertThat(merged.count()).isEqualTo(exact.size());
            }
        });
    }

    @Test
    void noCallerOfManyThreadsIsLost() throws Exception {
        long[] all = users(0, 100_000).toArray();
        AtomicInteger threads = new AtomicInteger();
        ManyThreads.call(8, () -> {
            int first = threads.getAndIncrement();
            SplittableRandom random = new SplittableRandom(first);
            for (int i = first; i < all.length; i += 8) {
                callers.add(all[i]);
                callers.add(all[random.nextInt(all.length)]);
            }
            return null;
        });
        assertThat(callers.text()).isEqualTo(of(all).text());
        assertThat(callers.least.size()).isLessThanOrEqualTo(EXACT + 1);
    }

    @Test
    void anotherTextIsRefused() {
        assertThat(DistinctCallers.of("").count()).isZero();
        assertThat(DistinctCallers.of("AAAAAAAAAAc=").least).containsExactly(7L);
        assertThatThrownBy(() -> DistinctCallers.of("AAAAAAAAAA=="))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a text of callers must have a multiple of 8 bytes, had 7");
        assertThatThrownBy(() -> DistinctCallers.of("?")).isInstanceOf(IllegalArgumentException.class);
    }
}
