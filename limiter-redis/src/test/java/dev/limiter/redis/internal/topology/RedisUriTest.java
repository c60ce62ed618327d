package dev.limiter.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.limiter.redis.internal.limiter.RedisRateLimiterTest;
import dev.limiter.redis.internal.topology.RedisUri.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.HostAndPort;

/** {@link RedisRateLimiterTest} tests malformed addresses. */
class RedisUriTest {
    @Test
    void oneServer() {
        assertThat(RedisUri.parse(" redis://h "))
                .isEqualTo(new RedisUri(Kind.SINGLE, hosts("h", 6379), null, null, null, null, null, 0, false));
        assertThat(RedisUri.parse("rediss://joe:s%40c+ret@h:1/15"))
                .isEqualTo(new RedisUri(Kind.SINGLE, hosts("h", 1), null, "joe", "s@c+ret", null, null, 15, true));
        assertThat(RedisUri.parse("redis://[::1]:7/"))
                .isEqualTo(new RedisUri(Kind.SINGLE, hosts("[::1]", 7), null, null, null, null, null, 0, false));
    }

    @Test
    void aClusterOfManyOrOfOne() {
        RedisUri many = RedisUri.parse("redis://:pw@a:1,b");
        assertThat(many.kind()).isEqualTo(Kind.CLUSTER);
        assertThat(many.hosts()).containsExactly(new HostAndPort("a", 1), new HostAndPort("b", 6379));
        assertThat(many.password()).isEqualTo("pw");
        assertThat(many.user()).isNull();
        assertThat(RedisUri.parse("rediss-cluster://a:1").kind()).isEqualTo(Kind.CLUSTER);
    }

    @Test
    void sentinelsAndTheMasterTheyKnow() {
        RedisUri uri = RedisUri.parse("redis-sentinel://u:p@a,b:5/3?sentinel=s:t%23t#my master");
        assertThat(uri)
                .isEqualTo(new RedisUri(
                        Kind.SENTINEL,
                        List.of(new HostAndPort("a", 26379), new HostAndPort("b", 5)),
                        "my master",
                        "u",
                        "p",
                        "s",
                        "t#t",
                        3,
                        false));
        assertThat(uri.name()).isEqualTo("my master of a:26379,b:5");
    }

    @Test
    void noTextOfItHoldsThePassword() {
        assertThat(RedisUri.parse("redis://joe:secret@h").toString()).isEqualTo("h:6379");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://h?sentinel=:t",
                "redis://a,b?sentinel=:t",
                "redis-sentinel://a?sentinel=t#m",
                "redis-sentinel://a?password=t#m"
            })
    void onlySentinelsHaveAPasswordOfTheirOwn(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> RedisUri.parse(text));
    }

    private static List<HostAndPort> hosts(String host, int port) {
        return List.of(new HostAndPort(host, port));
    }
}
