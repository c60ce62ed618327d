package dev.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The number of {@code Retry-After} for a service's own response. */
class NotAdmittedExceptionTest {
    private static final Policy POLICY = Policy.of("p", Algorithm.UNIFORM, 1, Duration.ofHours(2));
    private static final Policy SHADOW = POLICY.asShadow();

    @ParameterizedTest
    @CsvSource({"1, 1", "400000, 1", "999999, 1", "1000000, 1", "1000001, 2", "58000001, 59"})
    void theWaitIsRoundedUpToSecondsAndIsAtLeastOne(long micros, long seconds) {
        assertThat(rejected(micros).retryAfterSeconds()).isEqualTo(seconds);
        assertThat(new RateLimitExceededException(rejected(micros)).retryAfterSeconds())
                .isEqualTo(seconds);
    }

    @Test
    void theLongestWaitOfThoseThatRejectedCounts() {
        CheckResult shadow = new CheckResult(SHADOW, false, 0, 9_000_000, 9_000_000, 9_000_000);
        Decision.Rejected rejected =
                new Decision.Rejected(List.of(result(400_000), shadow, result(1_200_000), result(30)), 0);
        assertThat(rejected.retryAfterSeconds()).isEqualTo(2);
    }

    @Test
    void aStoreThatIsAwayIsTriedAgainAfterASecond() {
        assertThat(new StoreUnavailableException("away", null).retryAfterSeconds())
                .isOne();
    }

    @Test
    void aLongerWaitCanBeToldAndAShorterCannot() {
        assertThat(new RateLimitExceededException(rejected(1_200_000), 2).retryAfterSeconds())
                .isEqualTo(2);
        assertThat(new RateLimitExceededException(rejected(1_200_000), 31).retryAfterSeconds())
                .isEqualTo(31);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RateLimitExceededException(rejected(1_200_000), 1))
                .withMessage("retryAfterSeconds must be at least the 2 s of the decision, was 1");
    }

    /** Serialization keeps the exception, without the decision. */
    @Test
    void itSurvivesSerialization() throws Exception {
        assertThat(copy(new RateLimitExceededException(rejected(1_200_000), 31)).retryAfterSeconds())
                .isEqualTo(31);
    }

    private static NotAdmittedException copy(NotAdmittedException exception) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(exception);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (NotAdmittedException) in.readObject();
        }
    }

    private static Decision.Rejected rejected(long micros) {
        return new Decision.Rejected(List.of(result(micros)), 0);
    }

    private static CheckResult result(long micros) {
        return new CheckResult(POLICY, false, 0, micros, micros, micros);
    }
}
