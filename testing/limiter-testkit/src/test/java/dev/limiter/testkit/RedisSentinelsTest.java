package dev.limiter.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RedisSentinelsTest {

    @Test
    void promotedReplicaLacksWhatWasWrittenAfterTheCut() {
        try (RedisSentinels redis = RedisSentinels.start(2)) {
            assertThat(redis.uri()).matches("redis-sentinel://127\\.0\\.0\\.1:\\d+(,127\\.0\\.0\\.1:\\d+){2}#mymaster");
            RedisServer first = redis.master();
            first.command("SET", "early", "v");
            redis.cutReplication();
            first.command("SET", "late", "v");

            redis.killMaster();
            redis.awaitPromotion();

            assertThat(redis.replicas()).contains(redis.master());
            assertThat(redis.master().command("GET", "early")).isEqualTo("v");
            assertThat(redis.master().command("GET", "late")).isNull();
            assertThat(redis.master().command("SET", "after", "v")).isEqualTo("OK");
        }
    }

    @Test
    void thereIsAReplicaToPromote() {
        assertThatThrownBy(() -> RedisSentinels.start(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
