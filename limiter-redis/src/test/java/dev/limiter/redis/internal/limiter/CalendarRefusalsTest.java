package dev.limiter.redis.internal.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.redis.internal.combine.Breaker;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.topology.ClientConfig;
import dev.limiter.redis.internal.topology.ProcessClock;
import dev.limiter.redis.internal.topology.RedisUri;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.spi.Ask;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A node whose clock is years away from that of Redis. The script refuses the first call after
 * each step of that clock, because it is sent the boundaries of other periods.
 */
class CalendarRefusalsTest {
    private static final Duration YEARS = Duration.ofDays(1_000);
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Policy PLAN = Policy.of("plan", 1_000, CalendarPeriod.parse("1 month Europe/Paris"));
    private static final Policy DAILY = Policy.of("daily", 1_000, CalendarPeriod.parse("1 day"));
    private static final CheckGroup BOTH = CheckGroup.of(Check.of(PLAN, ALICE), Check.of(DAILY, ALICE));

    private final List<StoreError> failures = new ArrayList<>();
    private final List<String> breakers = new ArrayList<>();
    private Instant own = Instant.now();
    private final AtomicLong lateNanos = new AtomicLong();
    private Duration forEachLook = Duration.ZERO;
    private RedisServer redis;
    private RateLimiter limiter;

    @BeforeEach
    void start() {
        redis = RedisServer.start();
        Signals signals = new Signals() {
            @Override
            public void storeFailed(StoreError error, boolean mayHaveRun) {
                failures.add(error);
            }

            @Override
            public void breaker(String node, boolean open, String reason) {
                breakers.add(reason);
            }
        };
        Timeouts timeouts = Timeouts.within(Duration.ofSeconds(10));
        RedisUri uri = RedisUri.parse(redis.uri());
        LongSupplier nanos = () -> System.nanoTime() + lateNanos.get();
        limiter = RedisStore.limiter(
                uri,
                ClientConfig.of(uri, timeouts).build(),
                1,
                timeouts,
                new ProcessClock(nanos, Long.MAX_VALUE),
                signals,
                new PreparedPolicies(new RedisKeys("zoo", ""), this::look),
                () -> {});
    }

    @AfterEach
    void stop() {
        limiter.close();
        redis.close();
    }

    /** Each call meets another difference of the clocks. */
    @Test
    void aRefusalThatIsAskedAgainIsNoFailureOfTheStore() {
        for (int i = 0; i < 2 * Breaker.LOOKED_AT; i += 4) {
            steps();
            assertThat(limiter.acquire(BOTH).admitted()).isTrue();
            steps();
            assertThat(limiter.peek(PLAN, ALICE).used()).isEqualTo(i + 1);
            steps();
            assertThat(limiter.charge(PLAN, ALICE, 2).used()).isEqualTo(i + 3);
            steps();
            assertThat(limiter.acquireEach(List.of(BOTH)).get(0).admitted()).isTrue();
        }
        assertThat(failures).isEmpty();
        assertThat(breakers).isEmpty();
    }

    /** Only the refused ones are asked again: the others were charged. */
    @Test
    void severalGroupsAreDecidedAndEachIsChargedOnce() {
        Policy minute = Policy.of("minute", Algorithm.SLIDING_LOG, 1_000, Duration.ofMinutes(1));
        CheckGroup one = CheckGroup.of(Check.of(PLAN, ALICE));
        CheckGroup other = CheckGroup.of(Check.of(minute, ALICE));
        steps();
        assertThat(limiter.acquireEach(List.of(other, one, other, BOTH))).allMatch(Decision::admitted);
        assertThat(limiter.peek(minute, ALICE).used()).isEqualTo(2);
        assertThat(limiter.peek(PLAN, ALICE).used()).isEqualTo(2);
        assertThat(limiter.peek(DAILY, ALICE).used()).isOne();
        assertThat(failures).isEmpty();
        assertThat(breakers).isEmpty();
    }

    /** A period that has begun needs no boundaries, so only new partitions are refused. */
    @Test
    void groupsThatAreAllRefusedAreAllAskedAgain() {
        PartitionKey bob = PartitionKey.of("user", "bob");
        steps();
        assertThat(limiter.acquireEach(List.of(
                        CheckGroup.of(Check.of(PLAN, ALICE)),
                        CheckGroup.of(Check.of(DAILY, bob), Check.of(PLAN, bob)),
                        CheckGroup.of(Check.of(PLAN, bob)))))
                .allMatch(Decision::admitted);
        assertThat(limiter.peek(PLAN, ALICE).used()).isOne();
        assertThat(limiter.peek(PLAN, bob).used()).isEqualTo(2);
        assertThat(limiter.peek(DAILY, bob).used()).isOne();
        assertThat(failures).isEmpty();
        assertThat(breakers).isEmpty();
    }

    /** Redis gives back before it refuses the peek. */
    @Test
    void whatIsGivenBackBeforeARefusedPeekIsGivenBackOnce() {
        CheckGroup four = CheckGroup.of(new Check(PLAN, ALICE, 4));
        Decision.Admitted admission = (Decision.Admitted) limiter.acquire(four);
        limiter.acquire(four);
        steps();
        Ask.GiveBack thenPeek = new Ask.GiveBack(admission.receipt(), Check.of(DAILY, ALICE));
        assertThat(limiter.answer(thenPeek).left().used()).isZero();
        assertThat(limiter.peek(PLAN, ALICE).used()).isEqualTo(4);
        assertThat(failures).isEmpty();
        assertThat(breakers).isEmpty();
    }

    /** The caller waits for one deadline of 10 s, and not for another one after the refusal. */
    @Test
    void aRefusedGroupIsNotAskedAgainBeyondTheDeadlineOfItsCall() {
        Policy minute = Policy.of("minute", Algorithm.SLIDING_LOG, 1_000, Duration.ofMinutes(1));
        List<CheckGroup> groups = List.of(
                CheckGroup.of(Check.of(minute, ALICE)),
                CheckGroup.of(Check.of(PLAN, ALICE)),
                CheckGroup.of(Check.of(DAILY, ALICE)));
        steps();
        forEachLook = Duration.ofSeconds(4);
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> limiter.acquireEach(groups))
                .satisfies(late -> {
                    assertThat(late.decision(0)).isPresent();
                    assertThat(late.decision(1)).isEmpty();
                    assertThat(late.decision(2)).isEmpty();
                });
    }

    private Instant look() {
        lateNanos.addAndGet(forEachLook.toNanos());
        return own;
    }

    private void steps() {
        own = own.plus(YEARS);
    }
}
