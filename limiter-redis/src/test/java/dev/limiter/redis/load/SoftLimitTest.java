package dev.limiter.redis.load;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.InvalidPolicyException;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.redis.internal.script.VirtualTime;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/** Limits that count beyond themselves, as an invoice needs it, on a clock that stands. */
class SoftLimitTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Policy INCLUDED =
            Policy.of("included", FIXED_WINDOW, 100, Duration.ofDays(30)).asSoft();
    private static final long MOST = (1L << 32) - 1;

    private RedisServer redis;
    private RedisClient jedis;
    private VirtualTime time;
    private RateLimiter limiter;
    private RateLimiter memory;

    @BeforeEach
    void start() {
        redis = RedisServer.start();
        jedis = RedisClient.create(redis.uri());
        time = new VirtualTime(jedis);
        limiter = time.limiter("soft");
        memory = new LocalRateLimiter(() -> Instant.EPOCH);
    }

    @AfterEach
    void stop() {
        limiter.close();
        jedis.close();
        redis.close();
    }

    private List<RateLimiter> both() {
        return List.of(limiter, memory);
    }

    /** Each count from 1 to 10,000 is the answer to exactly one of the requests. */
    @Test
    void threeNodesCountTenThousandRequestsExactly() throws Exception {
        List<RateLimiter> nodes = List.of(limiter, time.limiter("soft"), time.limiter("soft"));
        ExecutorService callers = Executors.newFixedThreadPool(60);
        List<Future<Long>> counts = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            RateLimiter node = nodes.get(i % nodes.size());
            counts.add(callers.submit(() -> {
                Decision decision = node.acquire(INCLUDED, ALICE);
                assertThat(decision.admitted()).isTrue();
                return decision.results().get(0).used();
            }));
        }
        List<Long> seen = new ArrayList<>();
        for (Future<Long> count : counts) {
            seen.add(count.get());
        }
        callers.shutdown();
        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 10_000).boxed().toList());
        CheckResult last = limiter.peek(INCLUDED, ALICE);
        assertThat(Stream.of(last.used(), last.overage(), last.remaining())).containsExactly(10_000L, 9_900L, 0L);
        nodes.subList(1, nodes.size()).forEach(RateLimiter::close);
    }

    @Test
    void aRequestMayCostMoreThanTheLimit() {
        for (RateLimiter each : both()) {
            CheckResult result = only(each.acquire(CheckGroup.of(new Check(INCLUDED, ALICE, 250))));
            assertThat(result.admitted()).isTrue();
            assertThat(result.used()).isEqualTo(250);
            assertThat(result.overage()).isEqualTo(150);
        }
    }

    @Test
    void aRejectionByAnotherPolicyChargesNothing() {
        Policy one = Policy.of("one", GCRA, 1, Duration.ofDays(1));
        CheckGroup group = CheckGroup.of(Check.of(INCLUDED, ALICE), Check.of(one, ALICE));
        for (RateLimiter each : both()) {
            assertThat(each.acquire(group).admitted()).isTrue();
            assertThat(each.acquire(group).admitted()).isFalse();
            assertThat(each.peek(INCLUDED, ALICE).used()).isEqualTo(1);
        }
    }

    @Test
    void chargesAndRefundsCountBeyondTheLimitToo() {
        for (RateLimiter each : both()) {
            ChargeResult charge = each.charge(INCLUDED, ALICE, 1_000);
            assertThat(charge.charged()).as("more than twice the limit").isEqualTo(1_000);
            assertThat(charge.used()).isEqualTo(1_000);
            Decision.Admitted admission = (Decision.Admitted) each.acquire(INCLUDED, ALICE);
            assertThat(only(admission).used()).isEqualTo(1_001);
            assertThat(each.refund(admission)).isTrue();
            assertThat(each.peek(INCLUDED, ALICE).used()).isEqualTo(1_000);
        }
    }

    /** The state has 32 bits. Beyond them a request passes, and is not counted. */
    @Test
    void theCountEndsAtFourBillionAndNoRequestIsRejected() {
        for (RateLimiter each : both()) {
            for (int i = 0; i < 3; i++) {
                each.charge(INCLUDED, ALICE, Integer.MAX_VALUE);
            }
            assertThat(each.peek(INCLUDED, ALICE).used()).isEqualTo(MOST);
            Decision decision = each.acquire(INCLUDED, ALICE);
            assertThat(decision.admitted()).isTrue();
            assertThat(only(decision).used()).isEqualTo(MOST);
        }
    }

    @Test
    void theLimitMayBecomeEnforcedAndSoftAgain() {
        Policy enforced = Policy.of("included", FIXED_WINDOW, 100, Duration.ofDays(30));
        for (RateLimiter each : both()) {
            each.acquire(CheckGroup.of(new Check(INCLUDED, ALICE, 130)));
            assertThat(each.acquire(enforced, ALICE).admitted()).isFalse();
            assertThat(only(each.acquire(INCLUDED, ALICE)).used()).isEqualTo(131);
        }
    }

    @Test
    void onlyFixedWindowsAreSoft() {
        assertThatExceptionOfType(InvalidPolicyException.class)
                .isThrownBy(() -> Policy.of("p", GCRA, 5, Duration.ofSeconds(1)).asSoft())
                .withMessage("SOFT is for FIXED_WINDOW only; leave it out of GCRA");
    }

    private static CheckResult only(Decision decision) {
        return decision.results().get(0);
    }
}
