package dev.limiter.local.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares the two orders of eviction with plain lists. */
@Tag("proof")
class EvictionOrderTest {
    private static final int STEPS = 200;
    private static final Property<Long> SEEDS = Property.forAll(dice -> dice.between(0, Long.MAX_VALUE - 1));

    /**
     * The first partition is the one whose unit comes back first, whatever was added and removed
     * before.
     */
    @Test
    void theFirstSpentSlotIsTheSoonest() {
        SEEDS.tries(1_000).check(seed -> compareSpent(new Dice(seed)));
    }

    private static void compareSpent(Dice dice) {
        SpentPartitions spent = new SpentPartitions();
        List<PartitionEntry> model = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            if (model.isEmpty() || dice.number(0, 2) > 0) {
                PartitionEntry entry = entry(dice.number(1, 1_000), dice.number(1, 50));
                spent.add(entry);
                model.add(entry);
            } else {
                PartitionEntry entry = model.remove((int) dice.number(0, model.size() - 1));
                spent.remove(entry);
                assertThat(entry.place).isNegative();
            }
            long soonest = model.stream()
                    .mapToLong(entry -> entry.spentUntilMicros)
                    .min()
                    .orElse(-1);
            assertThat(spent.first() == null ? -1 : spent.first().spentUntilMicros)
                    .isEqualTo(soonest);
            assertThat(spent.size()).isEqualTo(model.size());
            assertThat(spent.bytes())
                    .isEqualTo(model.stream().mapToLong(entry -> entry.bytes).sum());
        }
        while (!model.isEmpty()) {
            PartitionEntry first = spent.first();
            assertThat(model.stream().mapToLong(entry -> entry.spentUntilMicros).min())
                    .hasValue(first.spentUntilMicros);
            spent.remove(first);
            model.remove(first);
        }
        assertThat(spent.first()).isNull();
    }

    /**
     * The eldest is the one that was added first; looking goes round, and goes on where it was.
     */
    @Test
    void unspentSlotsAreLookedAtInTurn() {
        SEEDS.tries(1_000).check(seed -> compareUnspent(new Dice(seed)));
    }

    private static void compareUnspent(Dice dice) {
        UnspentPartitions unspent = new UnspentPartitions();
        List<PartitionEntry> model = new ArrayList<>();
        int next = 0; // an index of the model; its size stands for the end
        for (int step = 0; step < STEPS; step++) {
            long kind = model.isEmpty() ? 0 : dice.number(0, 2);
            if (kind == 0) {
                PartitionEntry entry = entry(0, 1);
                unspent.addYoungest(entry);
                model.add(entry);
                // The end of the round lies behind the youngest: an entry that is added at the end
                // is not in this round.
                next = next == model.size() - 1 ? model.size() : next;
            } else if (kind == 1) {
                int removed = (int) dice.number(0, model.size() - 1);
                unspent.remove(model.remove(removed));
                next -= removed < next ? 1 : 0;
            } else {
                next = next == model.size() ? 0 : next;
                assertThat(unspent.next()).isSameAs(model.get(next));
                next++;
            }
            assertThat(unspent.eldest()).isSameAs(model.isEmpty() ? null : model.get(0));
        }
    }

    @Test
    void nothingIsFoundWhereNothingIs() {
        UnspentPartitions unspent = new UnspentPartitions();
        assertThat(unspent.next()).isNull();
        assertThat(unspent.eldest()).isNull();
        unspent.addYoungest(entry(0, 1));
        unspent.clear();
        assertThat(unspent.next()).isNull();
        SpentPartitions spent = new SpentPartitions();
        spent.add(entry(1, 1));
        spent.clear();
        assertThat(spent.first()).isNull();
        assertThat(spent.bytes()).isZero();
    }

    private static PartitionEntry entry(long spentUntilMicros, long bytes) {
        PartitionEntry entry = new PartitionEntry(null, null);
        entry.spentUntilMicros = spentUntilMicros;
        entry.bytes = bytes;
        return entry;
    }
}
