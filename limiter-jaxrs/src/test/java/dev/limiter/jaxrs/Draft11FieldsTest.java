package dev.limiter.jaxrs;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static dev.limiter.Algorithm.UNIFORM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Answer;
import dev.limiter.Decision;
import dev.limiter.DurationNotation;
import dev.limiter.Policy;
import jakarta.ws.rs.core.MultivaluedHashMap;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Draft11FieldsTest {

    /** The example of the contract: one request made of each. */
    @Test
    void aBucketIsItsBurstAndTheTimeInWhichThatComesBack() {
        Policy buyer =
                Policy.of("buyer", TOKEN_BUCKET, 5, Duration.ofSeconds(10)).withBurst(10);
        Policy api = Policy.of("api", GCRA, 600, Duration.ofMinutes(1)).withBurst(50);
        MultivaluedHashMap<String, Object> headers = written(
                new Answer(buyer, true, 9, 0, 2_000_000, 2_000_000), new Answer(api, true, 49, 0, 100_000, 100_000));
        assertThat(headers.getFirst("RateLimit-Policy")).isEqualTo("\"buyer\";q=10;w=20, \"api\";q=50;w=5");
        assertThat(headers.getFirst("RateLimit")).isEqualTo("\"buyer\";r=9;t=2, \"api\";r=49;t=1");
        assertThat(headers).doesNotContainKey("Retry-After");
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
        assertThat(Draft11Fields.policies(List.of(policy))).isEqualTo(item);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "999999, 1", "1000000, 1", "1000001, 2", "9999999, 10"})
    void retryAfterIsRoundedUpAndAtLeastOne(long micros, String seconds) {
        Policy policy = Policy.of("p", UNIFORM, 1, Duration.ofSeconds(10));
        Policy other = Policy.of("o", FIXED_WINDOW, 1, Duration.ofSeconds(10));
        MultivaluedHashMap<String, Object> headers =
                written(new Answer(policy, false, 0, micros, micros, micros), new Answer(other, true, 1, 0, 0, 0));
        assertThat(String.valueOf(headers.getFirst("Retry-After"))).isEqualTo(seconds);
        assertThat(headers.getFirst("RateLimit")).isEqualTo("\"p\";r=0;t=" + seconds + ", \"o\";r=1");
    }

    private static MultivaluedHashMap<String, Object> written(Answer... answers) {
        List<Answer> all = List.of(answers);
        List<Policy> policies = all.stream().map(Answer::policy).toList();
        MultivaluedHashMap<String, Object> headers = new MultivaluedHashMap<>();
        boolean admitted = all.stream().allMatch(Answer::admitted);
        Decision decision = admitted ? new Decision.Admitted(all, 0, null) : new Decision.Rejected(all, 0);
        Draft11Fields.write(new Plan("e", List.of(), Draft11Fields.policies(policies)), List.of(decision), headers);
        return headers;
    }
}
