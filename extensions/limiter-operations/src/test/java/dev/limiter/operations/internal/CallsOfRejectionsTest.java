package dev.limiter.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.algorithm.Ban;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a caller costs Redis that a limit with a ban rejects. Two instances share it. */
class CallsOfRejectionsTest {
    private static final Pattern CALLS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");
    private static final int BAN = 20;
    private static final Policy LIMIT = new Policy(PolicyMembers.of("login", Algorithm.FIXED_WINDOW, 1)
            .with(PolicyMember.WINDOW, Duration.ofDays(300))
            .with(PolicyMember.BAN, Ban.parse("1h after " + BAN)));
    private static final PartitionKey EVE = PartitionKey.of("user", "eve");

    private static RateLimiter store(RedisServer redis) {
        Map<String, String> values = Map.of("limiter.redis.uri", redis.uri(), "limiter.redis.deadline", "20s");
        Settings settings = name -> Optional.ofNullable(values.get(name));
        return ServiceLoader.load(RateLimiterProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.isNamed(settings))
                .flatMap(each -> each.create("calls", settings, Signals.NONE).stream())
                .findFirst()
                .orElseThrow();
    }

    private static RateLimiter operated(RateLimiter store) {
        return new OperatedRateLimiter(
                store,
                new Rejections(System::nanoTime, policy -> true),
                new Candidates(),
                new Bans(store),
                new Forgiven((policy, key) -> {}, PartitionKey::text),
                check -> null);
    }

    private static long calls(RedisServer redis) {
        Matcher calls = CALLS.matcher(redis.command("INFO", "commandstats").toString());
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    /** The cache holds for 10 s, so a slow machine asks again. */
    @Test
    void rejectionsOfTheCacheCostNoCallAndTheTwentiethBansOnBothInstances() {
        try (RedisServer redis = RedisServer.start();
                RateLimiter one = operated(store(redis));
                RateLimiter other = operated(store(redis))) {
            assertThat(one.acquire(LIMIT, EVE).admitted()).isTrue();
            long began = System.nanoTime();
            long before = calls(redis);
            for (int rejected = 1; rejected < BAN; rejected++) {
                assertThat(one.acquire(LIMIT, EVE).admitted()).isFalse();
            }
            long periods = 1 + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) / 10;
            assertThat(calls(redis) - before).isLessThanOrEqualTo(2 * periods);
            assertThat(one.peek(LIMIT.gate(), EVE).admitted()).isTrue();
            one.acquire(LIMIT, EVE);
            for (RateLimiter each : List.of(other, one, other)) {
                assertThat(each.acquire(LIMIT, EVE).results().get(0).retryAfterMicros())
                        .isBetween(TimeUnit.MINUTES.toMicros(55), TimeUnit.HOURS.toMicros(1));
            }
        }
    }
}
