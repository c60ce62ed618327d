package dev.limiter;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GATE;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.LEAKY_BUCKET;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.SLIDING_WINDOW;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.algorithm.PolicyMember;
import java.time.Duration;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyTest {
    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limit  | GCRA         | 0          | PT10S            | 0 | limit must be at least 1, was 0",
                "limit  | GCRA         | -5         | PT10S            | 0 | limit must be at least 1, was -5",
                "limit  | FIXED_WINDOW | 2147483648 | PT10S            | 0 | limit must be below 2^31, was 2147483648",
                "limit  | SLIDING_LOG  | 1000001    | PT10S            | 0 | limit of a SLIDING_LOG must be at most 1000000, was 1000001",
                "window | GCRA         | 5          | PT0S             | 0 | window must be from 1 µs to 366 days, was 0s",
                "window | GCRA         | 5          | P367D            | 0 | window must be from 1 µs to 366 days, was 367d",
                "window | GCRA         | 5          | PT0.0000015S     | 0 | window must be whole microseconds, was PT0.0000015S",
                "burst  | SLIDING_LOG  | 5          | PT10S            | 5 | SLIDING_LOG has no burst; leave it out, was 5",
                "burst  | UNIFORM      | 5          | PT10S            | 2 | UNIFORM has no burst; leave it out, was 2",
                "burst  | GCRA         | 5          | PT10S            | -1 | burst must be from 1 to 2^31 - 1, or 0 for limit, was -1",
                "burst  | GCRA         | 1          | P366D            | 100 | burst of 100 at 1 per 366d takes decades to refill, too long to count exactly; lower burst or raise limit",
            })
    void whatCannotBeIsRefusedWithMemberRuleAndValue(
            String member, Algorithm algorithm, long limit, Duration window, long burst, String message) {
        assertThatExceptionOfType(InvalidPolicyException.class)
                .isThrownBy(() -> Policy.of("p", algorithm, limit, window).withBurst(burst))
                .withMessage(message)
                .satisfies(refused -> assertThat(refused.member()).isEqualTo(member));
    }

    @Test
    void whatIsForOneAlgorithmOnlyIsRefusedForTheOthers() {
        assertRefused(
                "refill",
                "refill is for TOKEN_BUCKET only; leave it out of GCRA",
                () -> Policy.of("p", GCRA, 5, TEN_SECONDS).withRefill(Refill.INTERVAL));
        assertRefused(
                "borrow",
                "borrow is for TOKEN_BUCKET only; leave it out of SLIDING_LOG",
                () -> Policy.of("p", SLIDING_LOG, 5, TEN_SECONDS).borrowing());
        assertRefused(
                "aligned",
                "aligned is for FIXED_WINDOW and SLIDING_WINDOW only; leave it out of GCRA",
                () -> Policy.of("p", GCRA, 5, TEN_SECONDS).alignedToTheClock());
        assertRefused(
                "maxWait",
                "maxWait is for LEAKY_BUCKET only; leave it out of GCRA",
                () -> new Policy(
                        Policy.of("p", GCRA, 5, TEN_SECONDS).members().with(PolicyMember.MAX_WAIT, TEN_SECONDS)));
    }

    @Test
    void onlyPeriodsOfTheCalendarAreKept() {
        Policy month = Policy.of("p", 5, CalendarPeriod.parse("1 month"));
        assertThat(month.asSoft().keepingPrevious().keepsPrevious()).isTrue();
        assertThat(month.keepsPrevious()).isFalse();
        String rule = "keep must be 0, or 1 for a FIXED_WINDOW with a calendar period such as 1 month, was ";
        for (Policy other :
                List.of(Policy.of("p", FIXED_WINDOW, 5, TEN_SECONDS), Policy.of("p", GCRA, 5, TEN_SECONDS))) {
            assertRefused("keep", rule + 1, other::keepingPrevious);
        }
        for (long keep : new long[] {-1, 2}) {
            assertRefused("keep", rule + keep, () -> new Policy(month.members().with(PolicyMember.KEEP, keep)));
        }
    }

    @Test
    void aQueueMustKnowHowLongItHolds() {
        assertRefused(
                "maxWait",
                "maxWait is missing; write how long a LEAKY_BUCKET may hold a request, such as \"2s\"",
                () -> Policy.of("p", LEAKY_BUCKET, 5, TEN_SECONDS));
        assertRefused(
                "maxWait",
                "maxWait must be from 0 to 366 days, was PT-1S",
                () -> Policy.leakyBucket("p", 5, TEN_SECONDS, Duration.ofSeconds(-1)));
        assertRefused(
                "maxWait",
                "maxWait must be whole microseconds, was PT0.0000015S",
                () -> Policy.leakyBucket("p", 5, TEN_SECONDS, Duration.ofNanos(1_500)));
        assertRefused(
                "maxWait",
                "maxWait of 366d at 1000000 per 1s holds 31622400000001 requests, which must be below 2^31; lower maxWait or"
                        + " limit",
                () -> Policy.leakyBucket("p", 1_000_000, Duration.ofSeconds(1), Duration.ofDays(366)));
    }

    private static void assertRefused(String member, String message, ThrowingCallable policy) {
        assertThatExceptionOfType(InvalidPolicyException.class)
                .isThrownBy(policy)
                .withMessage(message)
                .satisfies(refused -> assertThat(refused.member()).isEqualTo(member));
    }

    @ParameterizedTest
    @CsvSource({"''", "' '", "' a'", "'a\"b'", "'a\\b'", "'größe'", "'a\nb'"})
    void aNameThatIsNoStructuredFieldStringIsRefused(String name) {
        assertThatExceptionOfType(InvalidPolicyException.class)
                .isThrownBy(() -> Policy.of(name, GCRA, 5, TEN_SECONDS))
                .satisfies(refused -> assertThat(refused.member()).isEqualTo("name"));
    }

    /** A policy is a key of maps: policies with other members are not equal. */
    @Test
    void policiesAreEqualIfAllMembersAre() {
        Policy bucket = Policy.of("p", TOKEN_BUCKET, 5, TEN_SECONDS).withBurst(8);
        assertThat(Policy.of("p", TOKEN_BUCKET, 5, TEN_SECONDS).withBurst(8))
                .isEqualTo(bucket)
                .hasSameHashCodeAs(bucket)
                .hasToString(bucket.toString());
        Policy queue = Policy.leakyBucket("p", 5, TEN_SECONDS, TEN_SECONDS);
        Policy window = Policy.of("p", FIXED_WINDOW, 5, TEN_SECONDS);
        Policy gcra = Policy.of("p", GCRA, 5, TEN_SECONDS).withBurst(8);
        Policy month = Policy.of("p", 5, CalendarPeriod.parse("1 month"));
        assertThat(List.of(
                        bucket,
                        Policy.of("q", TOKEN_BUCKET, 5, TEN_SECONDS).withBurst(8),
                        gcra,
                        Policy.of("p", TOKEN_BUCKET, 6, TEN_SECONDS).withBurst(8),
                        Policy.of("p", TOKEN_BUCKET, 5, TEN_SECONDS.plusSeconds(1))
                                .withBurst(8),
                        bucket.withBurst(9),
                        bucket.withVaryingLimit(),
                        bucket.withRefill(Refill.INTERVAL),
                        bucket.borrowing(),
                        queue,
                        Policy.leakyBucket("p", 5, TEN_SECONDS, TEN_SECONDS.plusSeconds(1)),
                        window,
                        window.alignedToTheClock(),
                        month,
                        month.keepingPrevious(),
                        bucket.asShadow(),
                        bucket.whenStoreFails(OnStoreFailure.CLOSED)))
                .doesNotHaveDuplicates();
    }

    @Test
    void eachCopyOfAPolicyKeepsThatItsLimitVaries() {
        Policy bucket = Policy.of("p", TOKEN_BUCKET, 5, TEN_SECONDS).withVaryingLimit();
        assertThat(List.of(
                        bucket.withBurst(8),
                        bucket.withRefill(Refill.SMOOTH),
                        bucket.borrowing(),
                        bucket.asShadow(),
                        bucket.whenStoreFails(OnStoreFailure.CLOSED),
                        bucket.withDelayVariation(TEN_SECONDS)))
                .allMatch(policy -> policy.rules().keepsUnits());
    }

    /** A queue keeps its slots, and the others count units. */
    @Test
    void aLimitThatVariesChangesBucketsOnly() {
        List<Policy> others = List.of(
                Policy.leakyBucket("p", 5, TEN_SECONDS, TEN_SECONDS),
                Policy.of("p", TOKEN_BUCKET, 5, TEN_SECONDS).withRefill(Refill.INTERVAL),
                Policy.of("p", SLIDING_LOG, 5, TEN_SECONDS),
                Policy.of("p", 5, CalendarPeriod.parse("1 month")));
        assertThat(others)
                .allSatisfy(policy -> assertThat(policy.withVaryingLimit()).isEqualTo(policy));
    }

    @Test
    void theExtremesOfEachRangeAreAdmitted() {
        assertThat(Policy.of("p", FIXED_WINDOW, Integer.MAX_VALUE, Duration.ofDays(366))
                        .rules()
                        .mostInAnyWindow())
                .isEqualTo(2L * Integer.MAX_VALUE);
        assertThat(Policy.of("p", GCRA, Integer.MAX_VALUE, Duration.ofDays(366)).capacity())
                .isEqualTo(Integer.MAX_VALUE);
        assertThat(Policy.of("p", SLIDING_LOG, 1_000_000, Duration.ofNanos(1_000))
                        .windowMicros())
                .isEqualTo(1);
        assertThat(Policy.of("p", GCRA, 1, Duration.ofDays(366)).withBurst(35).capacity())
                .isEqualTo(35);
        // The bucket alone would fit into 71 years; with as much debt it does not.
        assertThatExceptionOfType(InvalidPolicyException.class)
                .isThrownBy(() -> Policy.of("p", GCRA, 1, Duration.ofDays(366)).withBurst(36));
    }

    @Test
    void capacityIsWhatPassesBackToBackFromRest() {
        assertThat(Policy.of("p", GCRA, 5, TEN_SECONDS).capacity()).isEqualTo(5);
        assertThat(Policy.of("p", TOKEN_BUCKET, 5, TEN_SECONDS).withBurst(10).capacity())
                .isEqualTo(10);
        assertThat(Policy.of("p", UNIFORM, 5, TEN_SECONDS).capacity()).isEqualTo(1);
        assertThat(Policy.of("p", FIXED_WINDOW, 5, TEN_SECONDS).capacity()).isEqualTo(5);
    }

    /** So 10 a day may be more than 400 in one of them. */
    @Test
    void aPeriodThatCanBeMovedMayLastNearlyTwoMonths() {
        Policy daily = Policy.of("p", GCRA, 10, Duration.ofDays(1)).withBurst(1);
        CalendarPeriod month = CalendarPeriod.parse("1 month");
        assertThat(Policy.of("plan", 400, month).rules().admitsAllOf(daily.rules()))
                .isTrue();
        assertThat(Policy.of("plan", 400, month.movable()).rules().admitsAllOf(daily.rules()))
                .isFalse();
    }

    @Test
    void theMostThatAnyWindowCanAdmitIsSaidForEachKind() {
        assertThat(Policy.of("p", SLIDING_WINDOW, 5, TEN_SECONDS).rules().mostInAnyWindow())
                .isEqualTo(9);
        Policy bucket = Policy.of("p", TOKEN_BUCKET, 5, TEN_SECONDS).withBurst(8);
        assertThat(bucket.rules().mostInAnyWindow()).isEqualTo(12);
        assertThat(bucket.borrowing().rules().mostInAnyWindow()).isEqualTo(12 + 7);
        assertThat(bucket.withRefill(Refill.INTERVAL).rules().mostInAnyWindow()).isEqualTo(13);
        assertThat(bucket.withRefill(Refill.INTERVAL).borrowing().rules().mostInAnyWindow())
                .isEqualTo(13 + 7);
        assertThat(Policy.concurrency("p", 5).rules().mostInAnyWindow()).isEqualTo(5);
    }

    @Test
    void aLeakyBucketsCapacityIsTheRequestThatRunsAtOnceAndThoseThatWait() {
        assertThat(Policy.leakyBucket("p", 10, TEN_SECONDS, Duration.ofSeconds(2))
                        .capacity())
                .isEqualTo(3);
        assertThat(Policy.leakyBucket("p", 10, TEN_SECONDS, Duration.ofMillis(1_999))
                        .capacity())
                .isEqualTo(2);
        assertThat(Policy.leakyBucket("p", Integer.MAX_VALUE, Duration.ofDays(366), Duration.ofDays(365))
                        .capacity())
                .isEqualTo(1 + (long) (Integer.MAX_VALUE * 365.0 / 366));
    }

    @Test
    void theTimeInWhichAQuotaComesBackIsRoundedUpToWholeIntervals() {
        Policy bucket = Policy.of("p", TOKEN_BUCKET, 10, TEN_SECONDS).withBurst(15);
        assertThat(bucket.rules().quotaMicros()).isEqualTo(15_000_000);
        assertThat(bucket.withRefill(Refill.INTERVAL).rules().quotaMicros()).isEqualTo(20_000_000);
        assertThat(Policy.of("p", GCRA, 3, Duration.ofSeconds(1))
                        .withBurst(1)
                        .rules()
                        .quotaMicros())
                .isEqualTo(333_334);
    }

    @Test
    void aBorrowingRequestMayCostTheTokensOfAWindow() {
        Policy bucket = Policy.of("p", TOKEN_BUCKET, 50, TEN_SECONDS).withBurst(5);
        assertThat(bucket.maxCost()).isEqualTo(5);
        assertThat(bucket.borrowing().maxCost()).isEqualTo(50);
        assertThat(Policy.concurrency("p", 5).maxCost()).isEqualTo(1);
    }

    @Test
    void onlyALeaseHasAName() {
        PartitionKey key = PartitionKey.of("user", "alice");
        Policy leases = Policy.concurrency("p", 5);
        assertThat(Check.of(leases, key)).isNotEqualTo(Check.of(leases, key));
        assertThat(Check.ofLease(leases, key, "job-1").lease()).isEqualTo("job-1");
        for (String wrong : new String[] {"", "a b", "ä", "x".repeat(101)}) {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> Check.ofLease(leases, key, wrong))
                    .withMessageStartingWith("a lease must be 1 to 100 characters");
        }
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Check.ofLease(Policy.of("p", GCRA, 5, TEN_SECONDS), key, "job-1"))
                .withMessageStartingWith("only CONCURRENCY has leases");
    }

    @Test
    void aGroupWaitsForOneQueueOnly() {
        PartitionKey key = PartitionKey.of("user", "alice");
        Policy a = Policy.leakyBucket("a", 5, TEN_SECONDS, TEN_SECONDS);
        Policy b = Policy.leakyBucket("b", 5, TEN_SECONDS, TEN_SECONDS);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> CheckGroup.of(Check.of(a, key), Check.of(b, key)))
                .withMessage("a group can wait for one LEAKY_BUCKET, not for 2");
        assertThat(CheckGroup.of(Check.of(a, key), Check.of(b.asShadow(), key)).checks())
                .hasSize(2);
    }

    @Test
    void onlyWhatIsSpentCanBeChargedAfterwards() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ChargeResult.requireChargeable(Policy.concurrency("p", 5), 1))
                .withMessageContaining("no units can be charged");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> ChargeResult.requireChargeable(Policy.of("p", GCRA, 5, TEN_SECONDS), -1))
                .withMessage("units on policy \"p\" must be from 0 to 2^31 - 1, were -1");
    }

    @Test
    void aDemandCostsFromOneUnitToWhatThePolicyCanHold() {
        Policy log = Policy.of("p", SLIDING_LOG, 5_000, TEN_SECONDS);
        PartitionKey key = PartitionKey.of("user", "alice");
        assertThat(new Check(log, key, 1_000).cost()).isEqualTo(1_000);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new Check(log, key, 1_001))
                .withMessage("cost on policy \"p\" must be from 1 to 1000 units, was 1001");
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> new Check(log, key, 0));
    }

    @Test
    void aGroupAsksEachPartitionOnce() {
        Policy policy = Policy.of("p", GCRA, 5, TEN_SECONDS);
        Check check = Check.of(policy, PartitionKey.of("user", "alice"));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> CheckGroup.of(check, new Check(policy, PartitionKey.of("user", "alice"), 2)))
                .withMessageContaining("asked twice");
        assertThat(CheckGroup.of(check, Check.of(policy, PartitionKey.of("user", "bob")))
                        .checks())
                .hasSize(2);
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(CheckGroup::of);
    }

    /** A table of policies is asked at each request, and would compare those of one code. */
    @Test
    void quotasOfContractsAndAnchorsOfCallersHaveHashCodesOfTheirOwn() {
        CalendarPeriod year = CalendarPeriod.parse("1 year Europe/Paris");
        LocalDate first = LocalDate.of(2024, 1, 1);
        Set<Integer> codes = new HashSet<>();
        for (int limit = 1; limit <= 50; limit++) {
            for (int day = 0; day < 366; day++) {
                CalendarPeriod period = year.withAnchor(first.plusDays(day).toString());
                codes.add(Policy.of("plan", limit, period).hashCode());
            }
        }
        assertThat(codes).hasSize(50 * 366);
        codes.clear();
        for (int burst = 1; burst <= 1_000; burst++) {
            codes.add(Policy.of("plan", GCRA, 5, TEN_SECONDS).withBurst(burst).hashCode());
        }
        assertThat(codes).hasSize(1_000);
        assertThat(Policy.of("plan", 5, CalendarPeriod.parse("1 month")))
                .hasSameHashCodeAs(
                        Policy.of("plan", 5, CalendarPeriod.parse("1 month").withAnchor("1")));
    }

    @Test
    void aGateIsNamedAfterItsPolicyAndLastsAnHour() {
        Policy carrier = Policy.of("carrier", GCRA, 50, TEN_SECONDS).whenStoreFails(OnStoreFailure.CLOSED);
        Policy gate = carrier.gate();
        assertThat(gate)
                .isEqualTo(
                        Policy.of("carrier.gate", GATE, 1, Duration.ofHours(1)).whenStoreFails(OnStoreFailure.CLOSED));
        assertThat(carrier.asShadow().gate().enforcement()).isEqualTo(Enforcement.SHADOW);
        assertThat(gate.maxCost()).isOne();
        assertRefused(
                "limit",
                "limit of a GATE, which counts nothing, must be 1, was 5",
                () -> Policy.of("p", GATE, 5, TEN_SECONDS));
        assertRefused(
                "name",
                "name must have at most 100 characters, has 105",
                () -> Policy.of("p".repeat(100), GCRA, 5, TEN_SECONDS).gate());
    }

    @Test
    void aGroupAsksTheGatesBehindItsPolicies() {
        PartitionKey key = PartitionKey.of("carrier", "post");
        Policy a = Policy.of("a", GCRA, 5, TEN_SECONDS);
        Policy b = Policy.of("b", GCRA, 5, TEN_SECONDS);
        CheckGroup group = CheckGroup.of(Check.of(a, key), new Check(b, key, 3)).asRefundable();
        CheckGroup gated = group.withGates();
        assertThat(gated.checks())
                .containsExactly(
                        Check.of(a, key), new Check(b, key, 3), Check.of(a.gate(), key), Check.of(b.gate(), key));
        assertThat(gated.refundable()).isTrue();
    }

    /** The window is the partner's plus the delay variation. */
    @Test
    void aDelayVariationMakesTheWindowLonger() {
        Policy carrier = Policy.leakyBucket("carrier", 50, Duration.ofSeconds(1), TEN_SECONDS);
        assertThat(carrier.withDelayVariation(Duration.ofMillis(50)))
                .isEqualTo(Policy.leakyBucket("carrier", 50, Duration.ofMillis(1_050), TEN_SECONDS));
        assertThat(carrier.withDelayVariation(Duration.ZERO)).isEqualTo(carrier);
        assertRefused(
                "delayVariation",
                "the delay variation must not be negative, was PT-0.001S",
                () -> carrier.withDelayVariation(Duration.ofMillis(-1)));
        assertRefused(
                "window",
                "window must be from 1 µs to 366 days, was 366d1ms",
                () -> Policy.of("p", GCRA, 5, Duration.ofDays(366)).withDelayVariation(Duration.ofMillis(1)));
    }
}
