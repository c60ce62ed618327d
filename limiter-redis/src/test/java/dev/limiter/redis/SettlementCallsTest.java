package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Algorithm.Member;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.redis.internal.limiter.RedisRateLimiterProvider;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A settlement is one script call of the server that keeps the state, whatever was used. */
class SettlementCallsTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+)");
    private static final long ESTIMATE = 10;

    private static Stream<Policy> policies() {
        return Stream.of(Algorithm.values())
                .filter(each -> each.accepts(Member.COUNT_ON))
                .map(each -> Policy.of("tokens", each, 20, Duration.ofHours(1)))
                .filter(each -> each.maxCost() >= ESTIMATE);
    }

    @Test
    void aSettlementOnASingleServerIsOneCall() {
        try (RedisServer redis = RedisServer.start()) {
            assertOneCall(redis.uri(), List.of(redis));
        }
    }

    @Test
    void aSettlementInAClusterIsOneCall() {
        try (RedisCluster cluster = RedisCluster.start(2, 0)) {
            assertOneCall(cluster.uri(), cluster.nodes());
        }
    }

    private static void assertOneCall(String uri, List<RedisServer> nodes) {
        Map<String, String> settings = Map.of("limiter.redis.uri", uri, "limiter.redis.deadline", "10s");
        try (RateLimiter limiter = new RedisRateLimiterProvider()
                .create("calls", name -> Optional.ofNullable(settings.get(name)), Signals.NONE)
                .orElseThrow()) {
            Policy first = policies().findFirst().orElseThrow();
            limiter.settle(estimated(limiter, first), first, 1); // so that Redis knows the script
            policies().forEach(policy -> {
                for (long used : new long[] {0, 3, ESTIMATE + 2}) {
                    limiter.reset(policy, ALICE);
                    Decision.Admitted admission = estimated(limiter, policy);
                    long before = scriptCalls(nodes);
                    assertThat(limiter.settle(admission, policy, used).remaining())
                            .isEqualTo(20 - used);
                    assertThat(scriptCalls(nodes) - before)
                            .as("%s, %d used of %d", policy.algorithm(), used, ESTIMATE)
                            .isEqualTo(1);
                }
            });
        }
    }

    private static Decision.Admitted estimated(RateLimiter limiter, Policy policy) {
        return (Decision.Admitted) limiter.acquire(
                CheckGroup.of(new Check(policy, ALICE, ESTIMATE)).asRefundable());
    }

    private static long scriptCalls(List<RedisServer> nodes) {
        return nodes.stream()
                .flatMap(node -> SCRIPTS.matcher((String) node.command("INFO", "commandstats"))
                        .results())
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }
}
