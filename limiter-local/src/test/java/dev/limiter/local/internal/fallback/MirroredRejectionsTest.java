package dev.limiter.local.internal.fallback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The mirror records a rejection by the store once, until it may be out of date. */
class MirroredRejectionsTest {
    private static final Policy DAY = Policy.of("day", Algorithm.FIXED_WINDOW, 5, Duration.ofDays(1));
    private static final long NOW = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;

    private final MirroredRejections heard = new MirroredRejections();

    @Test
    void aRejectionIsNewOnceASecond() {
        assertThat(isNew("alice", NOW)).isTrue();
        assertThat(isNew("alice", NOW)).isFalse();
        assertThat(isNew("alice", NOW + SECOND - 1)).isFalse();
        assertThat(isNew("alice", NOW + SECOND)).isTrue();
        assertThat(isNew("alice", NOW + 2 * SECOND - 1)).isFalse();
    }

    /**
     * A unit comes back within the second: the next rejection tells something that the mirror do
     * not know.
     */
    @Test
    void aRejectionIsNewWhenAUnitCameBack() {
        Check check = check(DAY, "alice");
        CheckResult soon = new CheckResult(DAY, false, 0, 300, 300, SECOND);
        assertThat(heard.isNew(check, soon, NOW)).isTrue();
        assertThat(heard.isNew(check, soon, NOW + 299)).isFalse();
        assertThat(heard.isNew(check, soon, NOW + 300)).isTrue();
    }

    @Test
    void eachKeyAndEachPolicyIsHeardByItself() {
        for (int i = 0; i < 5_000; i++) {
            assertThat(isNew("user " + i, NOW)).isTrue();
        }
        MirroredRejections other = new MirroredRejections();
        Policy hour = Policy.of("hour", Algorithm.FIXED_WINDOW, 5, Duration.ofHours(1));
        for (int i = 0; i < 5_000; i++) {
            assertThat(other.isNew(check(DAY, "user " + i), spent(DAY), NOW)).isTrue();
            assertThat(other.isNew(check(hour, "user " + i), spent(hour), NOW)).isTrue();
        }
    }

    /** A cost of 3 is rejected with 2 left: how many are left changes with each unit. */
    @Test
    void aRejectionThatLeavesUnitsIsAlwaysNew() {
        Check check = check(DAY, "alice");
        CheckResult two = new CheckResult(DAY, false, 2, SECOND, SECOND, SECOND);
        assertThat(heard.isNew(check, two, NOW)).isTrue();
        assertThat(heard.isNew(check, two, NOW)).isTrue();
    }

    /** That 3 were too many tells nothing of the 2 that are left. */
    @Test
    void onlyACostBeyondWhatIsLeftIsRejected() {
        PartitionKey alice = PartitionKey.of("user", "alice");
        CheckResult two = new CheckResult(DAY, false, 2, SECOND, SECOND, SECOND);
        heard.isNew(new Check(DAY, alice, 3), two, NOW);
        assertThat(heard.isRejected(new Check(DAY, alice, 2), NOW)).isFalse();
        assertThat(heard.isRejected(new Check(DAY, alice, 3), NOW)).isTrue();
    }

    @Test
    void aClockThatStepsBackMakesItNew() {
        assertThat(isNew("alice", NOW)).isTrue();
        assertThat(isNew("alice", NOW - 1)).isTrue();
        assertThat(isNew("alice", NOW - 1)).isFalse();
    }

    private boolean isNew(String user, long micros) {
        return heard.isNew(check(DAY, user), spent(DAY), micros);
    }

    private static CheckResult spent(Policy policy) {
        return new CheckResult(policy, false, 0, 3_600 * SECOND, 3_600 * SECOND, 3_600 * SECOND);
    }

    private static Check check(Policy policy, String user) {
        return Check.of(policy, PartitionKey.of("user", user));
    }
}
