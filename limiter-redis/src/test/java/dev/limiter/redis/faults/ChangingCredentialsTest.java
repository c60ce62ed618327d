package dev.limiter.redis.faults;

import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisServer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A minute in which the credentials change every two seconds. */
@Tag("faults")
class ChangingCredentialsTest {
    private static final long SECONDS = Long.getLong("credentials.seconds", 60);

    @ParameterizedTest
    @EnumSource
    void noDecisionIsLostOnOneServer(ChangingUsers.Kind kind) throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            ChangingCredentialsLoad.run(kind, List.of(redis), redis.uri(), SECONDS);
        }
    }

    @Test
    void noDecisionIsLostOnACluster() throws Exception {
        try (RedisCluster cluster = RedisCluster.start(3, 0)) {
            ChangingCredentialsLoad.run(ChangingUsers.Kind.PASSWORD, cluster.nodes(), cluster.uri(), SECONDS);
        }
    }
}
