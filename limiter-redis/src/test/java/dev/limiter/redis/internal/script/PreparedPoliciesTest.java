package dev.limiter.redis.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is made for a policy once, and when it is made again. */
class PreparedPoliciesTest {

    /** Quotas that contracts had earlier do not keep out those that they have now. */
    @Test
    void whatIsMadeForAPolicyIsKeptAfterTenThousandOthers() {
        PreparedPolicies kept = new PreparedPolicies(new RedisKeys("kept", ""));
        PartitionKey key = PartitionKey.of("user", "alice");
        Policy first = Policy.of("policy 0", Algorithm.GCRA, 1, Duration.ofSeconds(1));
        PreparedPolicies.Prepared made = kept.of(first);
        for (int i = 1; i < PreparedPolicies.MAX_PREPARED; i++) {
            kept.of(Policy.of("policy " + i, Algorithm.GCRA, 1, Duration.ofSeconds(1)));
        }
        assertThat(kept.of(first)).isSameAs(made);
        Policy more = Policy.of("policy 10000", Algorithm.GCRA, 1, Duration.ofSeconds(1));
        assertThat(kept.of(more)).isSameAs(kept.of(more));
        PreparedPolicies.Prepared again = kept.of(first);
        assertThat(again).isNotSameAs(made).isSameAs(kept.of(first));
        assertThat(again.key(key)).isEqualTo(made.key(key));
        assertThat(again.key(key)).isNotEqualTo(kept.of(more).key(key));
    }
}
