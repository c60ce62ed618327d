package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.InvalidPolicyException;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.redis.internal.script.VirtualTime;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.threads.ManyThreads;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.RedisClient;

/** Periods of the calendar on several nodes, whose clocks differ from that of Redis. */
class CalendarNodesTest {
    private static final ZoneId PARIS = ZoneId.of("Europe/Paris");
    private static final Policy PLAN = Policy.of("plan", 10, CalendarPeriod.parse("1 month Europe/Paris"));
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final long SECOND = 1_000_000;
    private static final long MARCH = micros(LocalDate.of(2024, 3, 1));
    private static final long APRIL = micros(LocalDate.of(2024, 4, 1));

    @AutoClose
    private final RedisServer redis = RedisServer.start();

    @AutoClose
    private final RedisClient jedis = RedisClient.create(redis.uri());

    private final VirtualTime time = new VirtualTime(jedis);

    private static long micros(LocalDate date) {
        return date.atStartOfDay(PARIS).toEpochSecond() * SECOND;
    }

    private RateLimiter node(Duration ahead) {
        InstantSource own = () -> time.instant().plus(ahead);
        return time.shipped("calendar", own);
    }

    /** Two nodes with clocks a minute apart ask in turn, from two minutes before the end. */
    @Test
    void twoNodesAMinuteApartAdmitNoMoreThanTheQuotaOfEachPeriod() {
        List<RateLimiter> nodes =
                List.of(node(Duration.ZERO), node(Duration.ofSeconds(60)), node(Duration.ofSeconds(-60)));
        int before = 0;
        int after = 0;
        int asked = 0;
        for (long at = MARCH - 120 * SECOND; at < MARCH + 120 * SECOND; at += SECOND) {
            time.move(at);
            boolean admitted =
                    nodes.get(asked++ % nodes.size()).acquire(PLAN, ALICE).admitted();
            before += admitted && at < MARCH ? 1 : 0;
            after += admitted && at >= MARCH ? 1 : 0;
        }
        assertThat(List.of(before, after)).containsExactly(10, 10);
    }

    /**
     * Redis gives back in the period that was charged. Then it refuses to tell what is left: its
     * clock is months behind that period and the node.
     */
    @Test
    void aSettlementThatIsAskedAgainGivesBackOnce() {
        time.move(APRIL);
        RateLimiter node = time.shipped("calendar", InstantSource.fixed(time.instant()));
        CheckGroup estimate = CheckGroup.of(new Check(PLAN, ALICE, 8));
        Decision.Admitted admission = (Decision.Admitted) node.acquire(estimate);
        node.acquire(PLAN, ALICE);
        time.move(APRIL - Duration.ofDays(100).toSeconds() * SECOND);
        assertThat(node.settle(admission, PLAN, 5).used()).isEqualTo(6);
    }

    /** The first call of such a node is refused, unheard by its caller, and asked again. */
    @ParameterizedTest
    @ValueSource(ints = {-40, -3, 3, 40, 3_650, -3_650})
    void aNodeWhoseClockIsDaysWrongCountsInThePeriodOfRedis(int days) {
        Policy daily = Policy.of("daily", 2, CalendarPeriod.parse("1 day Europe/Paris"));
        time.move(MARCH + 5 * SECOND);
        RateLimiter node = node(Duration.ofDays(days));
        assertThat(node.peek(daily, ALICE).remaining()).isEqualTo(2);
        assertThat(node.charge(PLAN, ALICE, 4).remaining()).isEqualTo(6);
        assertThat(node.acquire(daily, ALICE).admitted()).isTrue();
        assertThat(node.acquire(daily, ALICE).admitted()).isTrue();
        Decision.Rejected rejected = (Decision.Rejected) node.acquire(daily, ALICE);
        assertThat(rejected.retryAfter()).isEqualTo(Duration.ofDays(1).minusSeconds(5));
        CheckGroup both = CheckGroup.of(Check.of(daily, ALICE), Check.of(PLAN, ALICE));
        assertThat(node.acquire(both).admitted()).isFalse();
        time.move(MARCH + 86_400 * SECOND);
        assertThat(node.acquire(both).admitted()).isTrue();
    }

    /** Each of them is refused once, though the first has taught the node the difference. */
    @Test
    void manyCallersOfSuchANodeAreAllDecided() throws Exception {
        time.move(MARCH + 5 * SECOND);
        for (int round = 0; round < 20; round++) {
            RateLimiter node = node(Duration.ofDays(400));
            PartitionKey key = PartitionKey.of("round", String.valueOf(round));
            assertThat(ManyThreads.call(8, () -> node.acquire(PLAN, key).admitted()))
                    .containsOnly(true);
            assertThat(node.peek(PLAN, key).remaining()).isEqualTo(2);
        }
    }

    /** March 2024 in Paris has 31 days, but for the hour that spring takes. */
    @Test
    void theWaitAtTheFirstSecondAndLastInstantIsExact() {
        for (RateLimiter each : List.of(node(Duration.ZERO), new LocalRateLimiter(time))) {
            for (long at : new long[] {MARCH, MARCH + 1, APRIL - 1}) {
                time.move(at);
                each.reset(PLAN, ALICE);
                each.charge(PLAN, ALICE, 10);
                CheckResult result = each.peek(PLAN, ALICE);
                assertThat(result.retryAfterMicros()).isEqualTo(APRIL - at);
                assertThat(result.resetAfterMicros()).isEqualTo(APRIL - at);
            }
            time.move(APRIL);
            assertThat(each.acquire(PLAN, ALICE).admitted()).isTrue();
        }
        assertThat(APRIL - MARCH).isEqualTo(Duration.ofDays(31).minusHours(1).toSeconds() * SECOND);
    }

    /** A caller that moves its billing day does not get a second quota. */
    @Test
    void aPeriodThatHasBegunEndsAsItBegan() {
        Policy moved = PLAN.in(CalendarPeriod.parse("1 month Europe/Paris").withAnchor("15"));
        for (RateLimiter each : List.of(node(Duration.ZERO), new LocalRateLimiter(time))) {
            time.move(MARCH);
            each.charge(PLAN, ALICE, 10);
            time.move(micros(LocalDate.of(2024, 3, 15)));
            assertThat(each.acquire(moved, ALICE).admitted()).isFalse();
            time.move(APRIL);
            assertThat(each.acquire(moved, ALICE).admitted()).isTrue();
            assertThat(each.peek(moved, ALICE).resetAfterMicros()).isEqualTo(micros(LocalDate.of(2024, 4, 15)) - APRIL);
            each.reset(moved, ALICE);
        }
    }

    /** Each day its period would end tomorrow. */
    @Test
    void aBillingDayThatMovesEachDayGivesNoFurtherQuota() {
        for (RateLimiter each : List.of(node(Duration.ZERO), new LocalRateLimiter(time))) {
            int quotas = 0;
            for (LocalDate day = LocalDate.of(2024, 3, 1); day.getMonthValue() < 4; day = day.plusDays(1)) {
                time.move(micros(day) + SECOND);
                quotas += spent(each, movedTo(day.plusDays(1).toString())) ? 1 : 0;
            }
            assertThat(quotas).as("March, without the rule 31").isEqualTo(2);
        }
    }

    /** At each end it moves to where its next period ends first. */
    @ParameterizedTest
    @ValueSource(strings = {"day", "week", "month", "quarter", "year"})
    void aPeriodLastsAtLeastAsLongAsTheShortestWhereverItIsMoved(String unit) {
        List<Policy> moves = new ArrayList<>();
        for (String zone : List.of("Pacific/Kiritimati", "Europe/Paris", "America/Lima", "Etc/GMT+12")) {
            CalendarPeriod period =
                    CalendarPeriod.parse("1 " + unit + " " + zone).movable();
            for (int day = 0; day < 31 && !unit.equals("day"); day++) {
                LocalDate anchor = LocalDate.of(2024, 1, 1).plusDays(day);
                moves.add(PLAN.in(period.withAnchor(anchor.toString())));
            }
            moves.add(PLAN.in(period));
        }
        long shortest = moves.get(0).period().shortestMicros();
        for (RateLimiter each : List.of(node(Duration.ZERO), new LocalRateLimiter(time))) {
            time.move(MARCH);
            long end = MARCH - shortest;
            for (int i = 0; i < 12; i++) {
                long last = end;
                Policy soonest = Collections.min(
                        moves, Comparator.comparing(move -> move.period().endMicros(time.micros(), last)));
                assertThat(spent(each, soonest)).isTrue();
                assertThat(moves).noneMatch(move -> spent(each, move));
                end = time.micros() + each.peek(soonest, ALICE).resetAfterMicros();
                assertThat(end - last).isGreaterThanOrEqualTo(shortest);
                time.move(end);
            }
        }
    }

    /** In April 2024 its period has ended; the next one ends on the new day, or a month later. */
    @ParameterizedTest
    @CsvSource({"1, 15, 2024-05-15, 2024-06-15", "2, 1, 2024-05-01, 2024-06-01", "31, 28, 2024-04-28, 2024-05-28"})
    void aBillingDayThatMovesOnceMakesOnePeriodLonger(String before, String after, LocalDate next, LocalDate later) {
        for (RateLimiter each : List.of(node(Duration.ZERO), new LocalRateLimiter(time))) {
            time.move(MARCH + 10 * 86_400 * SECOND);
            assertThat(spent(each, movedTo(before))).isTrue();
            time.advance(each.peek(movedTo(after), ALICE).resetAfterMicros());
            assertThat(each.peek(movedTo(after), ALICE).used()).isZero();
            assertThat(spent(each, movedTo(after))).isTrue();
            time.move(micros(next) - 1);
            assertThat(spent(each, movedTo(after))).isFalse();
            for (LocalDate end : List.of(next, later)) {
                time.move(micros(end));
                assertThat(spent(each, movedTo(after))).isTrue();
            }
            each.reset(PLAN, ALICE);
        }
    }

    /**
     * A node that is 20 days behind sends boundaries of which the last, May 10, is less than 28
     * days after April 14.
     */
    @Test
    void aNodeThatIsDaysBehindPassesOverTheSameBoundary() {
        for (RateLimiter each : List.of(node(Duration.ZERO), node(Duration.ofDays(-20)))) {
            time.move(micros(LocalDate.of(2024, 3, 20)));
            assertThat(spent(each, movedTo("14"))).isTrue();
            time.move(micros(LocalDate.of(2024, 4, 16)));
            assertThat(spent(each, movedTo("10"))).isTrue();
            assertThat(time.micros() + each.peek(movedTo("10"), ALICE).resetAfterMicros())
                    .isEqualTo(micros(LocalDate.of(2024, 6, 10)));
            each.reset(PLAN, ALICE);
        }
    }

    /** Redis keeps what was used beyond the end of its period. The count was moved into it. */
    @Test
    void aPeriodThatCanBeMovedIsKeptBeyondItsEndThoughTheClockSteppedBack() {
        RateLimiter node = node(Duration.ZERO);
        time.move(MARCH + Duration.ofDays(366).toSeconds() * SECOND);
        assertThat(spent(node, movedTo("1"))).isTrue();
        time.move(APRIL - SECOND);
        assertThat(spent(node, movedTo("1"))).isFalse();
        long keptMicros = jedis.pttl(node.storeKey(movedTo("1"), ALICE)) * 1_000;
        assertThat(keptMicros).isGreaterThan(movedTo("1").period().shortestMicros());
    }

    private static Policy movedTo(String anchor) {
        return PLAN.in(PLAN.period().withAnchor(anchor).movable());
    }

    /** Spends the whole quota, if it is there. */
    private static boolean spent(RateLimiter limiter, Policy policy) {
        return limiter.acquire(CheckGroup.of(new Check(policy, ALICE, policy.limit())))
                .admitted();
    }

    @Test
    void onlyFixedWindowsHavePeriods() {
        assertThatExceptionOfType(InvalidPolicyException.class)
                .isThrownBy(() ->
                        Policy.of("p", Algorithm.GCRA, 5, Duration.ofDays(1)).in(CalendarPeriod.parse("1 day")))
                .withMessage("a calendar period is for FIXED_WINDOW only; leave it out of GCRA");
        assertThatExceptionOfType(InvalidPolicyException.class)
                .isThrownBy(() -> PLAN.withDelayVariation(Duration.ofSeconds(1)));
        assertThat(PLAN.asSoft().whenStoreFails(null).period()).isEqualTo(PLAN.period());
    }
}
