package dev.limiter.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.benchmarks.contest.Verdict;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordedCallTest {
    private static final Policy THREE = Policy.of("three", Algorithm.GCRA, 3, Duration.ofHours(1));

    @Test
    void whatMonitorEscapesIsReadAsItWasSent() {
        assertThat(RecordedCall.words(" \"EVALSHA\" \"a\\x00\\xff\\n\" \"\\\"\\\\\""))
                .containsExactly(
                        new byte[] {'E', 'V', 'A', 'L', 'S', 'H', 'A'},
                        new byte[] {'a', 0, (byte) 0xff, '\n'},
                        new byte[] {'"', '\\'});
    }

    @Test
    void theSameCallThroughAPlainPoolCountsOnTheSameKey() {
        try (RedisServer redis = RedisServer.start();
                RateLimiter limiter = Limiters.of(redis)) {
            try (PooledScript pooled =
                    new PooledScript(redis, Pools.of(redis), limiter, THREE, List.of("alice", "bob"))) {
                assertThat(pooled.ask(1)).isEqualTo(Verdict.ADMITTED);
                assertThat(limiter.peek(THREE, Ours.key(THREE, "alice")).remaining())
                        .as("two by the limiter, to learn the call")
                        .isEqualTo(1);
                assertThat(limiter.peek(THREE, Ours.key(THREE, "bob")).remaining())
                        .as("one by the pool")
                        .isEqualTo(2);
            }
        }
    }
}
