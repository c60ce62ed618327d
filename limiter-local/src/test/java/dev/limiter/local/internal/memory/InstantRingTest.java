package dev.limiter.local.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A ring is a list of instants that never fall. */
@Tag("proof")
class InstantRingTest {

    @Test
    void aRingIsAList() {
        Property.<List<Long>>forAll(dice -> dice.list(1, 60, drawn -> drawn.between(0, Long.MAX_VALUE - 1)))
                .tries(6_000)
                .check(InstantRingTest::isAList);
    }

    private static void isAList(List<Long> seeds) {
        InstantRing ring = new InstantRing();
        List<Long> list = new ArrayList<>();
        long now = 1_000;
        for (long seed : seeds) {
            Dice dice = new Dice(seed);
            now += dice.between(0, 2);
            switch ((int) dice.between(0, 4)) {
                case 0, 1 -> {
                    for (long left = dice.between(1, 12); left > 0; left--) {
                        ring.append(now);
                        list.add(now);
                    }
                }
                case 2 -> {
                    int count = (int) dice.between(0, list.size());
                    ring.dropOldest(count);
                    list.subList(0, count).clear();
                }
                case 3 -> {
                    long instant = now - dice.between(0, 4);
                    long most = dice.between(1, 6);
                    assertThat(ring.removeYoungest(instant, most)).isEqualTo(removed(list, instant, most));
                }
                default -> {
                    int count = (int) dice.between(0, 20);
                    ring.refill(count, now);
                    list.clear();
                    for (int i = 0; i < count; i++) {
                        list.add(now);
                    }
                }
            }
            assertThat(contents(ring)).isEqualTo(list);
            for (long instant = now - 5; instant <= now + 1; instant++) {
                long at = instant;
                assertThat(ring.countUpTo(at)).isEqualTo((int)
                        list.stream().filter(each -> each <= at).count());
            }
            assertThat(ring.bytes()).as("is kept small").isLessThanOrEqualTo(8 * Math.max(8, 16L * list.size()));
        }
    }

    private static int removed(List<Long> list, long instant, long most) {
        int removed = 0;
        while (removed < most && list.remove(instant)) {
            removed++;
        }
        return removed;
    }

    private static List<Long> contents(InstantRing ring) {
        List<Long> contents = new ArrayList<>();
        for (int i = 0; i < ring.size(); i++) {
            contents.add(ring.at(i));
        }
        return contents;
    }
}
