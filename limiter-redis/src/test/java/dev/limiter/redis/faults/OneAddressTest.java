package dev.limiter.redis.faults;

import static dev.limiter.redis.faults.Limiters.ROOMY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.testkit.InstalledProxy;
import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisServer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One address with several servers behind it. A managed Redis takes the keys of one slot in a call,
 * as a cluster of one node does. A proxy may go by the first key.
 */
@Tag("store")
class OneAddressTest {
    private static final Policy COUNTER = Limiters.counter("counter", ROOMY);
    private static final Policy TWO = Limiters.counter("two", 2);
    private static final Policy FIVE = Limiters.counter("five", 5);
    private static final CheckGroup BOTH =
            CheckGroup.of(Check.of(TWO, Limiters.key("alice")), Check.of(FIVE, Limiters.key("all")));
    private static final int CALLERS = 24;
    private static final int DECISIONS = 2_400;

    private final LogAssertions told = new LogAssertions();

    /** Callers at the same time would share a call. */
    private void assertAllAreDecided(RateLimiter limiter) {
        Tally tally = new Tally();
        try (Crowd crowd = Crowd.of(
                CALLERS,
                (thread, number) -> tally.ask(() -> limiter.acquire(COUNTER, Limiters.key(thread + "/" + number))))) {
            Moments.until("all have asked", () -> tally.admitted() + tally.failed() >= DECISIONS);
            crowd.stop();
        }
        Moments.say(
                "slots behind one address: %d of %d not decided", tally.failed(), tally.admitted() + tally.failed());
        assertThat(tally.failures()).isEmpty();
        assertThat(limiter.acquireEach(IntStream.range(0, 10)
                        .mapToObj(i -> CheckGroup.of(Check.of(COUNTER, Limiters.key("each " + i))))
                        .toList()))
                .hasSize(10)
                .allMatch(decision -> decision.admitted());
    }

    private static void assertAGroupIsDecided(RateLimiter limiter) {
        assertThat(limiter.acquire(BOTH).admitted()).isTrue();
        assertThat(limiter.acquire(BOTH).admitted()).isTrue();
        assertThat(limiter.acquire(BOTH).admitted()).isFalse();
        assertThat(limiter.peek(BOTH)).extracting(result -> result.remaining()).containsExactly(0L, 3L);
    }

    @Test
    void keysOfOneSlotInACallAreFoundAtTheStart() {
        try (RedisCluster cluster = RedisCluster.start(1, 0);
                RateLimiter limiter = Limiters.closed(cluster.nodes().get(0).uri(), told, Limiters.PATIENT)) {
            assertAGroupIsDecided(limiter);
            assertAllAreDecided(limiter);
            assertThat(told.errors()).isEmpty();
        }
    }

    /** Redis did not answer at the start. */
    @Test
    void keysOfOneSlotInACallAreFoundByTheFirstThatIsRefused() {
        try (RedisCluster cluster = RedisCluster.start(1, 0)) {
            RedisServer node = cluster.nodes().get(0);
            node.pause();
            try (RateLimiter limiter = Limiters.closed(node.uri(), told, "limiter.redis.deadline", "1s")) {
                node.resume();
                Limiters.awaitStore(limiter, COUNTER, Limiters.key("all"));
                assertAllAreDecided(limiter);
                assertAGroupIsDecided(limiter);
            }
        }
    }

    @Test
    @Tag("faults")
    void aProxyThatGoesByTheFirstKeyIsWarnedOf() {
        assumeTrue(InstalledProxy.isInstalled("nutcracker"), "twemproxy is not installed (Debian: nutcracker)");
        try (RedisServer one = RedisServer.start();
                RedisServer two = RedisServer.start();
                InstalledProxy both = InstalledProxy.twemproxy(one, two);
                InstalledProxy alone = InstalledProxy.twemproxy(one);
                LogLines log = new LogLines()) {
            try (RateLimiter limiter = Limiters.closed(alone.uri(), told, Limiters.PATIENT)) {
                assertAGroupIsDecided(limiter);
                assertThat(log.lines()).isEmpty();
            }
            Limiters.closed(both.uri(), told, Limiters.PATIENT).close();
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("LIM19: 127.0.0.1:" + both.port() + " spreads the keys of a call");
        }
    }
}
