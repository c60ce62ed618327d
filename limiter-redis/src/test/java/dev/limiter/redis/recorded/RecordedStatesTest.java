package dev.limiter.redis.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Enforcement;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.calendar.CalendarUnit;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.redis.internal.script.VirtualTime;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An instance of another version finds these keys and states during an update, and goes on from
 * them: a difference would lose what was counted.
 */
@Tag("store")
class RecordedStatesTest extends RecordingsContract {
    RecordedStatesTest() {
        super("redis/recorded", RecordedStatesTest::onRedis);
    }

    private static Player onRedis(String name, Map<String, String> headers, VirtualTime time) {
        String application = headers.getOrDefault("application", "zoo");
        return new LimiterPlayer(
                time.shipped(application, headers.getOrDefault("secret", "")), name, headers.get("key"));
    }

    /** Another implementation gives the recorded answers, too. */
    @Test
    void theLimiterInMemoryGivesTheSameAnswers() throws IOException {
        recordings.requireAnswers(
                (name, headers, time) -> new LimiterPlayer(new LocalRateLimiter(time), name, headers.get("key")));
    }

    private static final Set<PolicyMember<?>> CHANGE_NO_STATE = Set.of(PolicyMember.ON_STORE_FAILURE, PolicyMember.BAN);

    /** A new algorithm, member or unit asks for a state here. */
    @Test
    void everyAlgorithmAndEveryMemberOfAPolicyHasAState() throws IOException {
        List<Policy> policies = recordings.calls().stream()
                .filter(call -> call.startsWith("under "))
                .map(call -> PolicyNotation.read("any", call.substring("under ".length())))
                .toList();
        assertThat(policies.stream().map(Policy::algorithm)).contains(Algorithm.values());
        assertThat(policies.stream().map(Policy::enforcement)).contains(Enforcement.values());
        assertThat(PolicyMember.ALL.stream()
                        .filter(member -> !CHANGE_NO_STATE.contains(member))
                        .filter(member -> policies.stream().noneMatch(policy -> differs(policy, member))))
                .as("members of which no recorded policy has another value than the default")
                .isEmpty();
        assertThat(policies.stream()
                        .filter(policy -> policy.period() != null)
                        .map(policy -> policy.period().unit()))
                .contains(CalendarUnit.values());
    }

    private static <T> boolean differs(Policy policy, PolicyMember<T> member) {
        T value = policy.members().get(member);
        return value != null && !value.equals(member.otherwise());
    }
}
