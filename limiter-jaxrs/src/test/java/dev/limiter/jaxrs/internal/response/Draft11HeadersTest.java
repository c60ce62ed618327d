package dev.limiter.jaxrs.internal.response;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.CheckResult;
import dev.limiter.Policy;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.settings.DurationNotation;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Draft11HeadersTest {

    /** The example of the contract: one request made of each. */
    @Test
    void aBucketIsItsBurstAndTheTimeInWhichThatComesBack() {
        Policy buyer =
                Policy.of("buyer", TOKEN_BUCKET, 5, Duration.ofSeconds(10)).withBurst(10);
        Policy api = Policy.of("api", GCRA, 600, Duration.ofMinutes(1)).withBurst(50);
        Map<String, String> headers = written(
                new CheckResult(buyer, true, 9, 0, 2_000_000, 2_000_000),
                new CheckResult(api, true, 49, 0, 100_000, 100_000));
        assertThat(headers.get("RateLimit-Policy")).isEqualTo("\"buyer\";q=10;w=20, \"api\";q=50;w=5");
        assertThat(headers.get("RateLimit")).isEqualTo("\"buyer\";r=9;t=2, \"api\";r=49");
    }

    @ParameterizedTest
    @CsvSource({
        "FIXED_WINDOW, 5, 10s, '\"p\";q=5;w=10'",
        "SLIDING_LOG, 5, 500ms, '\"p\";q=5'",
        "SLIDING_LOG, 5, 1500ms, '\"p\";q=5'",
        "UNIFORM, 1, 10s, '\"p\";q=1;w=10'",
        "UNIFORM, 5, 1s, '\"p\";q=1'",
        "GCRA, 3, 1s, '\"p\";q=3;w=1'",
        "SLIDING_WINDOW, 5, 10s, '\"p\";q=5;w=10'",
        "CONCURRENCY, 5, 30s, '\"p\";q=5;qu=\"concurrent-requests\"'",
    })
    void aWindowThatIsNoWholeNumberOfSecondsIsLeftOut(Algorithm algorithm, long limit, String window, String item) {
        Policy policy = Policy.of("p", algorithm, limit, DurationNotation.parse(window));
        assertThat(EffectivePolicy.of(policy, true).policyItem()).isEqualTo(item);
    }

    /**
     * Within t no more than r can be used: so it is cut, not rounded up, and left out when
     * nothing is left of it.
     */
    @ParameterizedTest
    @CsvSource({"1, ''", "999999, ''", "1000000, ;t=1", "1999999, ;t=1", "9999999, ;t=9"})
    void tIsNeverLongerThanTheTruth(long micros, String t) {
        Policy policy = Policy.of("p", UNIFORM, 1, Duration.ofSeconds(10));
        Policy other = Policy.of("o", FIXED_WINDOW, 1, Duration.ofSeconds(10));
        Map<String, String> fields = written(
                new CheckResult(policy, false, 0, micros, micros, micros), new CheckResult(other, true, 1, 0, 0, 0));
        assertThat(fields.get("RateLimit")).isEqualTo("\"p\";r=0" + t + ", \"o\";r=1");
    }

    /** With nothing left, t would tell a client to stop, and a soft limit rejects no request. */
    @Test
    void aSoftLimitWithNothingLeftHasNoT() {
        Policy soft =
                Policy.of("included", 100, CalendarPeriod.parse("1 month")).asSoft();
        long ends = Duration.ofDays(12).toNanos() / 1_000;
        CheckResult last = new CheckResult(soft, true, 1, 0, ends, ends);
        CheckResult full = new CheckResult(soft, true, 0, 0, ends, ends);
        CheckResult beyond = new CheckResult(soft, true, 0, 150, 0, 0, ends, ends, false);
        assertThat(written(last).get("RateLimit")).isEqualTo("\"included\";r=1;t=1036800");
        assertThat(written(full).get("RateLimit")).isEqualTo("\"included\";r=0");
        assertThat(written(beyond).get("RateLimit")).isEqualTo("\"included\";r=0");
        assertThat(written(beyond).get("RateLimit-Policy")).isEqualTo("\"included\";q=100");
    }

    private static Map<String, String> written(CheckResult... answers) {
        Map<String, String> fields = new HashMap<>();
        List<PublishedResult> published = Stream.of(answers)
                .map(answer -> new PublishedResult(EffectivePolicy.of(answer.policy(), true), answer))
                .toList();
        new Draft11Headers().write(published, fields::put);
        return fields;
    }
}
