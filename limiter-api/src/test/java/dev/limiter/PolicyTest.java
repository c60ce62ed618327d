package dev.limiter;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
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
                "window | GCRA         | 5          | PT0S             | 0 | window must be from 1 µs to 366 days, was PT0S",
                "window | GCRA         | 5          | P367D            | 0 | window must be from 1 µs to 366 days, was PT8808H",
                "window | GCRA         | 5          | PT0.0000015S     | 0 | window must be whole microseconds, was PT0.0000015S",
                "burst  | SLIDING_LOG  | 5          | PT10S            | 5 | SLIDING_LOG has no burst; leave it out, was 5",
                "burst  | UNIFORM      | 5          | PT10S            | 2 | UNIFORM has no burst; leave it out, was 2",
                "burst  | GCRA         | 5          | PT10S            | -1 | burst must be from 1 to 2^31 - 1, or 0 for limit, was -1",
                "burst  | GCRA         | 1          | P366D            | 100 | burst of 100 at 1 per 366d takes decades to come back, too long to be counted exactly; lower burst or raise limit",
            })
    void whatCannotBeIsRefusedWithMemberRuleAndValue(
            String member, Algorithm algorithm, long limit, Duration window, long burst, String message) {
        assertThatExceptionOfType(InvalidPolicyException.class)
                .isThrownBy(() -> new Policy("p", algorithm, limit, window, burst))
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

    @Test
    void theExtremesOfEachRangeAreAdmitted() {
        assertThat(Policy.of("p", FIXED_WINDOW, Integer.MAX_VALUE, Duration.ofDays(366))
                        .mostInAnyWindow())
                .isEqualTo(2L * Integer.MAX_VALUE);
        assertThat(Policy.of("p", GCRA, Integer.MAX_VALUE, Duration.ofDays(366)).capacity())
                .isEqualTo(Integer.MAX_VALUE);
        assertThat(Policy.of("p", SLIDING_LOG, 1_000_000, Duration.ofNanos(1_000))
                        .windowMicros())
                .isEqualTo(1);
        assertThat(Policy.of("p", GCRA, 1, Duration.ofDays(366)).withBurst(35).capacity())
                .isEqualTo(35);
    }

    @Test
    void capacityIsWhatPassesBackToBackFromRest() {
        assertThat(Policy.of("p", GCRA, 5, TEN_SECONDS).capacity()).isEqualTo(5);
        assertThat(Policy.of("p", TOKEN_BUCKET, 5, TEN_SECONDS).withBurst(10).capacity())
                .isEqualTo(10);
        assertThat(Policy.of("p", UNIFORM, 5, TEN_SECONDS).capacity()).isEqualTo(1);
        assertThat(Policy.of("p", FIXED_WINDOW, 5, TEN_SECONDS).capacity()).isEqualTo(5);
    }

    @Test
    void aDemandCostsFromOneUnitToWhatThePolicyCanHold() {
        Policy log = Policy.of("p", SLIDING_LOG, 5_000, TEN_SECONDS);
        PartitionKey key = PartitionKey.of("user", "alice");
        assertThat(new Demand(log, key, 1_000).cost()).isEqualTo(1_000);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new Demand(log, key, 1_001))
                .withMessage("cost on policy \"p\" must be from 1 to 1000 units, was 1001");
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> new Demand(log, key, 0));
    }

    @Test
    void aGroupAsksEachPartitionOnce() {
        Policy policy = Policy.of("p", GCRA, 5, TEN_SECONDS);
        Demand demand = Demand.of(policy, PartitionKey.of("user", "alice"));
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> Group.of(demand, new Demand(policy, PartitionKey.of("user", "alice"), 2)))
                .withMessageContaining("asked twice");
        assertThat(Group.of(demand, Demand.of(policy, PartitionKey.of("user", "bob")))
                        .demands())
                .hasSize(2);
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(Group::of);
    }
}
