package dev.limiter.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.operations.internal.SpaceSaving.Entry;
import dev.limiter.testkit.property.Generator;
import dev.limiter.testkit.property.Lines;
import dev.limiter.testkit.property.Property;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the paper proves of each stream, and exact counts beside it. */
@Tag("proof")
class SpaceSavingTest {

    private record Add(int key, long weight) {}

    private record History(int capacity, List<Add> adds) {
        private static Generator<History> histories() {
            return dice -> {
                int capacity = (int) dice.number(1, 20);
                int keys = (int) dice.between(1, 3L * capacity);
                long heaviest = dice.oneOf(1L, 3L, 1_000L);
                return new History(capacity, dice.list(1, 400, d -> {
                    long least = d.between(1, keys);
                    return new Add((int) d.between(least, keys), d.number(1, heaviest));
                }));
            };
        }

        private History with(List<Add> fewer) {
            return new History(capacity, fewer);
        }

        @Override
        public String toString() {
            return Lines.numbered("capacity " + capacity, adds);
        }
    }

    @Test
    void countsAreBoundsAndNoFrequentKeyIsMissing() {
        Property.forAll(History.histories())
                .tries(1_000)
                .leavingOut(History::adds, History::with)
                .check(SpaceSavingTest::checkEachStep);
    }

    private static void checkEachStep(History history) {
        SpaceSaving<Integer> summary = new SpaceSaving<>(history.capacity());
        Map<Integer, Long> exact = new HashMap<>();
        for (Add add : history.adds()) {
            summary.add(add.key(), add.weight());
            exact.merge(add.key(), add.weight(), Long::sum);
            check(summary, history.capacity(), exact);
        }
    }

    private static void check(SpaceSaving<Integer> summary, int capacity, Map<Integer, Long> exact) {
        long all = exact.values().stream().mapToLong(Long::longValue).sum();
        List<Entry<Integer>> top = summary.top(Integer.MAX_VALUE);
        assertThat(top).hasSize(Math.min(capacity, exact.size())).isSortedAccordingTo(Entry.MOST_FIRST);
        assertThat(top.stream().mapToLong(Entry::count).sum()).isEqualTo(all);
        long least = top.size() < capacity ? 0 : top.get(top.size() - 1).count();
        assertThat(least).isLessThanOrEqualTo(all / capacity);
        Map<Integer, Long> missing = new HashMap<>(exact);
        for (Entry<Integer> entry : top) {
            long count = missing.remove(entry.key());
            assertThat(count).isBetween(entry.count() - entry.error(), entry.count());
            assertThat(entry.error()).isBetween(0L, exact.size() <= capacity ? 0 : least);
        }
        assertThat(missing.values()).allMatch(count -> count <= least);
        assertThat(summary.top(2)).isEqualTo(top.subList(0, Math.min(2, top.size())));
    }
}
