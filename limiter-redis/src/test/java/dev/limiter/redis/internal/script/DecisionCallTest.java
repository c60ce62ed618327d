package dev.limiter.redis.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much of a round trip a decision takes. */
class DecisionCallTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Policy ONE = Policy.of("p", Algorithm.GCRA, 5, Duration.ofHours(10));
    private static final Policy OTHER = Policy.of("q", Algorithm.SLIDING_LOG, 5, Duration.ofHours(10));

    /** Keys and arguments, however many groups; the text of a script counts for no caller. */
    @Test
    void aQuestionTakesAsManyBytesAsItsKeysAndArguments() {
        PreparedPolicies policies = new PreparedPolicies(new RedisKeys("bytes", ""));
        CheckGroup one = CheckGroup.of(Check.of(ONE, ALICE));
        CheckGroup two = CheckGroup.of(Check.of(ONE, ALICE), Check.of(OTHER, ALICE));
        for (DecisionCall call : List.of(
                DecisionCall.decide(policies, one),
                DecisionCall.decide(policies, two),
                DecisionCall.peek(policies, two),
                DecisionCall.decideEach(policies, Collections.nCopies(9, two)))) {
            int bytes = 0;
            for (List<byte[]> parts : List.of(call.keys(), call.arguments())) {
                for (byte[] part : parts) {
                    bytes += part.length;
                }
            }
            assertThat(call.bytes()).isEqualTo(bytes);
            assertThat(call.isLarge()).isFalse();
        }
    }
}
