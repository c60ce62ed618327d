package dev.limiter.redis;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.SLIDING_WINDOW;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;
import static dev.limiter.Refill.INTERVAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.internal.settings.DurationNotation;
import dev.limiter.redis.Stores.Fresh;
import dev.limiter.redis.Stores.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Timelines of each algorithm's promises; each runs on Redis and in memory. */
class TimelinesTest {
    @AutoClose
    private static final Stores stores = new Stores();

    private static Timeline on(Store store, Policy policy) {
        Fresh fresh = stores.fresh(store);
        return new Timeline(fresh.limiter(), fresh.time(), policy);
    }

    private static Policy policy(Algorithm algorithm, long limit, String window) {
        return Policy.of("p", algorithm, limit, DurationNotation.parse(window));
    }

    /**
     * "Realization of Distributed Current Limiter by Redis+Lua", 1,000 per 3 s: 1,980 in the
     * seconds 3 to 5.
     */
    @ParameterizedTest
    @EnumSource(Store.class)
    void theArticlesTableOfAFixedWindow(Store store) {
        on(store, policy(FIXED_WINDOW, 1_000, "3s"))
                .at("500ms")
                .admits(1, 10)
                .at("1500ms")
                .admits(1, 10)
                .at("2500ms")
                .admits(1, 980)
                .remaining(0)
                .at("3500ms")
                .admits(1, 900)
                .at("4500ms")
                .admits(1, 100)
                .at("5500ms")
                .rejectsFor("500ms");
        on(store, policy(FIXED_WINDOW, 1_000, "3s"))
                .at("500ms")
                .admits(1, 1_000)
                .at("1500ms")
                .rejectsFor("1500ms")
                .at("2500ms")
                .rejectsFor("500ms")
                .at("3s")
                .admits(1, 1_000);
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aFixedWindowReachesTwiceItsLimitAcrossABoundary(Store store) {
        Timeline timeline = on(store, policy(FIXED_WINDOW, 100, "10s"));
        long before = timeline.at(9_999_999).passing(1_000);
        long after = timeline.at(10_000_000).passing(1_000);
        System.out.printf("%n%s: a fixed window of 100 gave %d and %d within a microsecond%n", store, before, after);
        assertThat(before).isEqualTo(100);
        assertThat(after).isEqualTo(100);
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aSlidingWindowWeighsTheWindowBefore(Store store) {
        on(store, policy(SLIDING_WINDOW, 100, "1m"))
                .at("30s")
                .admits(1, 50)
                .at("1m15s")
                .admits(1, 30)
                .remaining(32) // 50 × ¾ + 30 = 67.5
                .admits(32)
                .rejects(1)
                .at("2m15s")
                .remaining(0)
                .admits(53); // 62 × ¾ = 46.5
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aSlidingWindowAdmitsNearlyTwiceItsLimitAndNeverMore(Store store) {
        Timeline timeline = on(store, policy(SLIDING_WINDOW, 10, "10s"));
        assertThat(timeline.at(9_999_999).passing(100)).isEqualTo(10);
        long admitted = 10;
        for (long second = 1; second < 10; second++) {
            admitted += timeline.at(10_000_000 + second * 1_000_000).passing(100);
        }
        assertThat(admitted).isEqualTo(19);
        assertThat(timeline.at(19_999_998).passing(100)).isZero();
    }

    /**
     * Every half-open interval of a window's length, of random traffic that asks for far more.
     */
    @ParameterizedTest
    @EnumSource(Store.class)
    void aSlidingLogNeverExceedsItsLimitInAnyInterval(Store store) {
        for (long limit : new long[] {1, 2, 7}) {
            Timeline timeline = on(store, policy(SLIDING_LOG, limit, "10s"));
            SplittableRandom random = new SplittableRandom(limit);
            List<Long> admitted = new ArrayList<>();
            long now = 0;
            for (int i = 0; i < 2_000; i++) {
                now += random.nextInt(3) == 0 ? 0 : random.nextLong(10_000_000 / limit);
                if (timeline.at(now).ask(1).admitted()) {
                    admitted.add(now);
                }
            }
            for (int i = 0; i + limit < admitted.size(); i++) {
                assertThat(admitted.get(i + (int) limit) - admitted.get(i)).isGreaterThanOrEqualTo(10_000_000);
            }
            System.out.printf(
                    "%n%s: a sliding log of %d admitted %d of 2,000, in no interval more than %d%n",
                    store, limit, admitted.size(), limit);
            assertThat(admitted).hasSizeGreaterThan(100);
        }
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aSlidingLogOfAHundredThousandIsExactAtItsEdge(Store store) {
        Timeline timeline = on(store, policy(SLIDING_LOG, 100_000, "10s"));
        for (int i = 0; i < 100; i++) {
            timeline.at(i).admits(1, 1_000);
        }
        timeline.at(9_999_999).rejects(1).remaining(0);
        assertThat(timeline.at(10_000_000).passing(2_000)).isEqualTo(1_000);
        timeline.rejects(1);
        assertThat(timeline.at(10_000_002).passing(3_000)).isEqualTo(2_000);
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aSlidingLogOfAHundredThousandNeverExceedsItInAnyInterval(Store store) {
        Timeline timeline = on(store, policy(SLIDING_LOG, 100_000, "10s"));
        SplittableRandom random = new SplittableRandom(100_000);
        List<Long> instants = new ArrayList<>();
        List<Long> totals = new ArrayList<>(List.of(0L));
        long now = 0;
        for (int i = 0; i < 1_000; i++) {
            now += random.nextInt(4) == 0 ? 0 : random.nextLong(100_000);
            long cost = 1 + random.nextInt(1_000);
            if (timeline.at(now).ask(cost).admitted()) {
                instants.add(now);
                totals.add(totals.get(totals.size() - 1) + cost);
            }
        }
        int first = 0;
        long most = 0;
        for (int last = 0; last < instants.size(); last++) {
            while (instants.get(first) <= instants.get(last) - 10_000_000) {
                first++;
            }
            most = Math.max(most, totals.get(last + 1) - totals.get(first));
        }
        System.out.printf("%n%s: a sliding log of 100,000 held %,d at most in any interval%n", store, most);
        assertThat(most).isBetween(99_900L, 100_000L);
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aGateOfTwoSecondsStaysClosedForTwoSeconds(Store store) {
        on(store, policy(UNIFORM, 1, "2s"))
                .at("0s")
                .admits(1)
                .at("1505ms")
                .rejectsFor("495ms")
                .at(1_999_999)
                .rejects(1)
                .at("2s")
                .admits(1);
        on(store, policy(UNIFORM, 1, "400ms"))
                .at("0s")
                .admits(1)
                .at(399_999)
                .rejects(1)
                .at("400ms")
                .admits(1);
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void tokensComeTogetherAtTheEndOfEachInterval(Store store) {
        Policy bucket = policy(TOKEN_BUCKET, 10, "10s").withBurst(20).withRefill(INTERVAL);
        on(store, bucket)
                .at("3s") // the first take from a full bucket begins the phase
                .admits(20)
                .rejectsFor("10s")
                .nextAfter("10s")
                .resetAfter("20s")
                .at(12_999_999)
                .rejects(1)
                .at("13s")
                .admits(10)
                .rejectsFor("10s")
                .at("50s") // full again, and so without a phase
                .admits(1)
                .remaining(19)
                .nextAfter("10s")
                .resetAfter("10s");
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aBorrowingRequestPassesWithOneTokenAndTheNextOnesWait(Store store) {
        on(store, policy(TOKEN_BUCKET, 10, "10s").withBurst(5).borrowing())
                .at("0s")
                .admits(4)
                .admits(1, 10)
                .remaining(0)
                .rejectsFor("10s") // nine below zero
                .at("10s")
                .admits(1);
        on(store, policy(TOKEN_BUCKET, 5, "10s").withRefill(INTERVAL).borrowing())
                .at("0s")
                .admits(4)
                .admits(1, 5)
                .rejectsFor("10s") // four below zero, and five come
                .at("10s")
                .admits(1)
                .rejectsFor("10s");
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aLeakyBucketHoldsForSlotsAndRejectsWaitsThatAreTooLong(Store store) {
        Policy queue = Policy.leakyBucket("p", 10, DurationNotation.parse("10s"), DurationNotation.parse("2s"));
        on(store, queue)
                .at("0s")
                .holdsFor("0s")
                .remaining(2)
                .holdsFor("1s")
                .holdsFor("2s")
                .remaining(0)
                .rejectsFor("1s")
                .resetAfter("3s")
                .at("500ms")
                .rejectsFor("500ms")
                .at("1s")
                .holdsFor("2s");
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aSlotIsGivenBackOnlyWhileItIsTheLast(Store store) {
        Policy queue = Policy.leakyBucket("p", 10, DurationNotation.parse("10s"), DurationNotation.parse("2s"));
        Timeline timeline = on(store, queue).at("0s").holdsFor("0s").holdsFor("1s");
        Decision.Admitted second = timeline.lastAdmission();
        timeline.holdsFor("2s");
        assertThat(timeline.refund(second)).isFalse();
        timeline.refundsTheLast(true).refundsTheLast(false).holdsFor("2s");
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void whatLeakedIsNotGivenBackTwice(Store store) {
        // Five at once, of which one second later one has leaked: four can be given back, and
        // five pass, not six.
        Timeline timeline =
                on(store, policy(GCRA, 5, "5s")).at("0s").admits(1, 5).at("1s").refundsTheLast(true);
        assertThat(timeline.passing(100)).isEqualTo(5);
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void unitsComeBackInTheSameWindowOnly(Store store) {
        on(store, policy(FIXED_WINDOW, 5, "10s"))
                .at("1s")
                .admits(1, 5)
                .refundsTheLast(true)
                .admits(1, 5)
                .at("10s")
                .refundsTheLast(false)
                .peeks(5);
        on(store, policy(SLIDING_LOG, 5, "10s"))
                .at("1s")
                .admits(1, 3)
                .refundsTheLast(true)
                .admits(1, 5)
                .at("11s")
                .refundsTheLast(false);
        on(store, policy(TOKEN_BUCKET, 5, "10s").withRefill(INTERVAL))
                .at("1s")
                .admits(1, 3)
                .at(10_999_999)
                .refundsTheLast(true)
                .peeks(5)
                .admits(1, 5)
                .at(20_999_999)
                .refundsTheLast(false);
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aCostKnownAfterwardsIsDebtUpToOneFurtherQuota(Store store) {
        on(store, policy(GCRA, 10, "10s"))
                .at("0s")
                .admits(8)
                .charges(7, 7)
                .rejectsFor("6s")
                .charges(100, 5)
                .charges(1, 0)
                .rejectsFor("11s")
                .at("11s")
                .admits(1);
        on(store, policy(SLIDING_LOG, 10, "10s"))
                .at("0s")
                .admits(1, 10)
                .at("1s")
                .charges(100, 10)
                .rejectsFor("10s")
                .at("11s")
                .admits(10);
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aLimitThatIsLoweredOrRaisedHoldsFromTheNextRequestOn(Store store) {
        on(store, policy(SLIDING_LOG, 10, "10s"))
                .at("0s")
                .admits(8)
                .under(policy(SLIDING_LOG, 3, "10s"))
                .rejectsFor("10s")
                .under(policy(SLIDING_LOG, 12, "10s"))
                .admits(4)
                .rejects(1);
        on(store, policy(FIXED_WINDOW, 10, "10s"))
                .at("0s")
                .admits(8)
                .under(policy(FIXED_WINDOW, 3, "10s"))
                .rejectsFor("10s")
                .under(policy(FIXED_WINDOW, 9, "10s"))
                .admits(1)
                .rejects(1);
    }
}
