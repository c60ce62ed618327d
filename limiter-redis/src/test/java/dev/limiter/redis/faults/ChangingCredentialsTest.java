package dev.limiter.redis.faults;

import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisServer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The credentials change every two seconds, some ten times. */
@Tag("faults")
class ChangingCredentialsTest {
    private static final long SECONDS = Long.getLong("credentials.seconds", 20);

    @Test
    void noDecisionIsLostOnOneServer() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            ChangingCredentialsLoad.run(ChangingUsers.Kind.PASSWORD, List.of(redis), redis.uri(), SECONDS);
        }
    }

    /** A connection whose user ends first is closed, and its decisions are lost. */
    @Test
    void noConnectionIsClosedWithItsUser() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            ChangingCredentialsLoad.run(ChangingUsers.Kind.USER, List.of(redis), redis.uri(), SECONDS / 2);
        }
    }

    @Test
    void noDecisionIsLostOnACluster() throws Exception {
        try (RedisCluster cluster = RedisCluster.start(3, 0)) {
            ChangingCredentialsLoad.run(ChangingUsers.Kind.PASSWORD, cluster.nodes(), cluster.uri(), SECONDS);
        }
    }
}
