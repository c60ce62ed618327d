package dev.limiter.jaxrs.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.PartitionKey;
import dev.limiter.testkit.threads.ManyThreads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Fifty places, and callers that want them all. */
class SlotWaitPlacesTest {
    private static final int MOST = 50;

    private final SlotWaitPlaces places = new SlotWaitPlaces(MOST);
    private final Map<String, List<SlotWaitPlaces.Place>> given = new HashMap<>();

    @Test
    void aCallerAloneHasAllPlaces() {
        assertThat(take("carrier", "mallory", 60)).isEqualTo(50);
        assertThat(kept("carrier", "mallory")).isEqualTo(50);
        assertThat(places.taken()).isEqualTo(50);
    }

    @Test
    void anotherCallerGetsUpToItsShareOfThem() {
        take("carrier", "mallory", 60);
        assertThat(take("carrier", "alice", 1)).isEqualTo(1);
        assertThat(kept("carrier", "mallory")).isEqualTo(49);
        take("carrier", "alice", 60);
        assertThat(kept("carrier", "mallory")).isEqualTo(25);
        assertThat(kept("carrier", "alice")).isEqualTo(25);
        take("carrier", "mallory", 60);
        assertThat(kept("carrier", "alice")).as("nothing is taken back").isEqualTo(25);
        assertThat(places.taken()).isEqualTo(50);
    }

    /**
     * A caller with as many places, or one less, takes none: the two would only hand it to and
     * fro.
     */
    @Test
    void equalCallersTakeNothingFromEachOther() {
        take("carrier", "alice", 25);
        take("carrier", "bob", 25);
        assertThat(take("carrier", "alice", 1)).isEqualTo(25);
        given.get("carrier alice").get(0).close();
        assertThat(take("carrier", "carol", 1)).isEqualTo(1);
        assertThat(take("carrier", "alice", 1)).as("24 beside 25").isEqualTo(25);
        assertThat(kept("carrier", "bob")).isEqualTo(25);
        assertThat(take("report", "dave", 60)).isEqualTo(25);
        assertThat(take("carrier", "erin", 1)).as("of its own policy's places").isEqualTo(1);
        assertThat(kept("report", "dave")).isEqualTo(25);
    }

    @Test
    void theRequestThatCameLastLosesItsPlace() {
        take("carrier", "mallory", 50);
        take("carrier", "alice", 1);
        List<SlotWaitPlaces.Place> all = given.get("carrier mallory");
        assertThat(isKept(all.get(0))).isTrue();
        assertThat(isKept(all.get(49))).isFalse();
    }

    /** A client with a fresh address for each request has many partitions, but one policy. */
    @Test
    void manyAddressesOfOnePolicyLeaveAnotherPolicyItsShare() {
        for (int i = 0; i < 60; i++) {
            take("carrier", "address " + i, 1);
        }
        assertThat(take("report", "alice", 60)).isEqualTo(25);
        assertThat(take("search", "bob", 1)).isEqualTo(1);
        assertThat(kept("report", "alice")).isBetween(24L, 25L);
    }

    @Test
    void whatIsLeftIsAnothers() {
        take("carrier", "mallory", 50);
        List<SlotWaitPlaces.Place> all = given.get("carrier mallory");
        all.get(3).close();
        all.get(3).close();
        assertThat(places.taken()).isEqualTo(49);
        assertThat(take("carrier", "alice", 1)).isEqualTo(1);
        assertThat(kept("carrier", "mallory")).as("none was taken away").isEqualTo(50);
        all.forEach(SlotWaitPlaces.Place::close);
        assertThat(places.taken()).isEqualTo(1);
    }

    @Test
    void withoutPlacesNoRequestWaits() {
        assertThat(new SlotWaitPlaces(0).take("carrier", PartitionKey.of("user", "alice")))
                .isNull();
    }

    /**
     * Whatever comes and goes: each policy that asks again and again ends with its share, and so
     * does each of its partitions.
     */
    @Test
    void eachPolicyAndPartitionGetsItsShare() {
        SplittableRandom random = new SplittableRandom(20_261_122);
        for (int round = 0; round < 200; round++) {
            int size = 1 + random.nextInt(60);
            SlotWaitPlaces some = new SlotWaitPlaces(size);
            for (int i = 0; i < size; i++) {
                some.take("there", PartitionKey.of("user", "p" + random.nextInt(3)));
            }
            int policies = 1 + random.nextInt(5);
            int partitions = 1 + random.nextInt(5);
            Map<String, List<SlotWaitPlaces.Place>> asking = new HashMap<>();
            for (int turn = 0; turn < 70; turn++) {
                for (int policy = 0; policy < policies; policy++) {
                    for (int partition = 0; partition < partitions; partition++) {
                        String name = policy + "/" + partition;
                        SlotWaitPlaces.Place place = some.take("asking " + policy, PartitionKey.of("user", name));
                        if (place != null) {
                            asking.computeIfAbsent(name, first -> new ArrayList<>())
                                    .add(place);
                        }
                    }
                }
            }
            int share = size / (policies + 1) / partitions; // those that were there before are one more policy
            for (int policy = 0; policy < policies; policy++) {
                for (int partition = 0; partition < partitions; partition++) {
                    assertThat(asking.getOrDefault(policy + "/" + partition, List.of()).stream()
                                    .filter(SlotWaitPlacesTest::isKept)
                                    .count())
                            .as("%d places, %d policies, %d partitions, round %d", size, policies, partitions, round)
                            .isGreaterThanOrEqualTo(share);
                }
            }
            assertThat(some.taken()).isLessThanOrEqualTo(size);
        }
    }

    /** Without the lock, places are lost, or given twice. */
    @Test
    void threadsNeverHoldMoreThanAllPlaces() throws Exception {
        SlotWaitPlaces two = new SlotWaitPlaces(2);
        AtomicInteger held = new AtomicInteger();
        AtomicInteger mostHeld = new AtomicInteger();
        ManyThreads.call(16, () -> {
            for (int i = 0; i < 10_000; i++) {
                try (SlotWaitPlaces.Place place = two.take("carrier", PartitionKey.of("user", "alice"))) {
                    if (place != null) {
                        mostHeld.accumulateAndGet(held.incrementAndGet(), Math::max);
                        held.decrementAndGet();
                    }
                }
            }
            return null;
        });
        assertThat(mostHeld.get()).isLessThanOrEqualTo(2);
        assertThat(two.taken()).isZero();
    }

    private int take(String policy, String user, int times) {
        List<SlotWaitPlaces.Place> mine = given.computeIfAbsent(policy + ' ' + user, first -> new ArrayList<>());
        for (int i = 0; i < times; i++) {
            SlotWaitPlaces.Place place = places.take(policy, PartitionKey.of("user", user));
            if (place != null) {
                mine.add(place);
            }
        }
        return mine.size();
    }

    private long kept(String policy, String user) {
        return given.get(policy + ' ' + user).stream()
                .filter(SlotWaitPlacesTest::isKept)
                .count();
    }

    private static boolean isKept(SlotWaitPlaces.Place place) {
        return place.takenAway().getCount() > 0;
    }
}
