package dev.limiter.redis.faults;

import static dev.limiter.redis.faults.Limiters.ROOMY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.testkit.FaultProxy;
import dev.limiter.testkit.RedisSentinels;
import dev.limiter.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sentinels that ask for a password, or are away. */
@Tag("faults")
class SentinelsTest {
    private static final Policy COUNTER = Limiters.counter("counter", ROOMY);
    private static final long AWAY_MILLIS = 3_000;
    private static final int SENTINELS = 3;

    @Test
    void theirPasswordStandsInTheAddressAndTheLogSaysSo() {
        try (RedisSentinels redis = RedisSentinels.start(1)) {
            RedisServer master = redis.master();
            redis.requirePassword("secret");
            try (LogLines log = new LogLines();
                    RateLimiter limiter = Limiters.closed(redis.uri(), new LogAssertions())) {
                assertThat(limiter).isNotNull();
                assertThat(log.lines())
                        .singleElement()
                        .asString()
                        .startsWith("LIM11: ")
                        .contains("NOAUTH", "?sentinel=user:password");
            }
            String uri = redis.uri().replace("#", "?sentinel=:secret#");
            try (LogLines log = new LogLines();
                    RateLimiter limiter = Limiters.closed(uri, new LogAssertions(), Limiters.PATIENT)) {
                assertThat(log.lines()).isEmpty();
                assertThat(Limiters.outcome(limiter, COUNTER, Limiters.key("all")))
                        .isEqualTo("admitted by the store");
                master.kill();
                Moments.until(
                        "the sentinels report another master",
                        () -> Limiters.outcome(limiter, COUNTER, Limiters.key("all"))
                                .equals("admitted by the store"));
            }
        }
    }

    /** A firewall that forgets idle connections tells neither end. */
    @Test
    void aConnectionThatEndsUnnoticedHidesNoNewMaster() {
        try (RedisSentinels redis = RedisSentinels.start(1)) {
            List<FaultProxy> fronts = new ArrayList<>();
            String uri = Pattern.compile("(127.0.0.1):(\\d+)")
                    .matcher(redis.uri())
                    .replaceAll(sentinel -> {
                        fronts.add(FaultProxy.to(sentinel.group(1), Integer.parseInt(sentinel.group(2))));
                        return "127.0.0.1:" + fronts.get(fronts.size() - 1).port();
                    });
            try (RateLimiter limiter = Limiters.closed(uri, new LogAssertions())) {
                BooleanSupplier decides = () ->
                        Limiters.outcome(limiter, COUNTER, Limiters.key("all")).equals("admitted by the store");
                Moments.until("the limiter asks the first master", decides);
                fronts.forEach(front -> front.blackHole());
                redis.killMaster();
                redis.awaitPromotion();
                fronts.forEach(FaultProxy::pass);
                long back = System.nanoTime();
                Moments.until("the limiter asks the new master", decides);
                Moments.say(
                        "a switch that no sentinel could report: asked again after %.1f s",
                        Moments.seconds(System.nanoTime() - back));
            } finally {
                fronts.forEach(FaultProxy::close);
            }
        }
    }

    /** Jedis logs each try with a stack trace, which is gigabytes a day. */
    @Test
    void whileTheyAreAwayTheLogHasALineOfEach() {
        try (RedisSentinels redis = RedisSentinels.start(1);
                RateLimiter limiter = Limiters.closed(redis.uri(), new LogAssertions());
                LogLines log = new LogLines("")) {
            redis.killSentinels();
            Moments.until("all are missed", () -> log.lines().size() >= SENTINELS);
            Moments.millis(AWAY_MILLIS);
            Moments.say("%d lines in %d ms without sentinels", log.lines().size(), AWAY_MILLIS);
            assertThat(log.lines())
                    .hasSize(SENTINELS)
                    .allSatisfy(line -> assertThat(line).startsWith("The sentinel at 127.0.0.1:"));
            assertThat(Limiters.outcome(limiter, COUNTER, Limiters.key("all"))).isEqualTo("admitted by the store");
        }
    }
}
