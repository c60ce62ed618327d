package dev.limiter.local.internal.instances;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.FIXED_WINDOW;
import static dev.limiter.Algorithm.GCRA;
import static dev.limiter.Algorithm.SLIDING_LOG;
import static dev.limiter.Algorithm.TOKEN_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.Refill;
import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.calendar.Usage;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.internal.store.PreparedLimiter;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.local.RateLimiterContract;
import dev.limiter.local.VirtualClock;
import dev.limiter.local.internal.memory.MemoryStore;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one of three instances without a store keeps; the contract is that of a single one. */
class DividingRateLimiterTest extends RateLimiterContract.OnAClock {
    private static final Duration TEN = Duration.ofSeconds(10);
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");

    private final VirtualClock clock = new VirtualClock();
    private final AtomicLong nanos = new AtomicLong();
    private final RateLimiter single = new DividingRateLimiter(memory(Signals.NONE), 1, nanos::get);
    private final RateLimiter one = instance();
    private final List<RateLimiter> instances = List.of(one, instance(), instance());

    private RateLimiter memory(Signals signals) {
        return new LocalRateLimiter(new MemoryStore(clock, signals), BlockingAcquire.Sleeper.OF_THREADS);
    }

    private RateLimiter instance() {
        return new DividingRateLimiter(memory(Signals.NONE), 3, nanos::get);
    }

    /** A third of 6 in 10 s is 2; it waits on the clock of its part. */
    @Test
    void aCallerWaitsForItsPart() throws InterruptedException {
        LocalRateLimiter waiting = new LocalRateLimiter(
                new MemoryStore(clock), span -> clock.advance(TimeUnit.MICROSECONDS.convert(span)));
        RateLimiter part = new DividingRateLimiter(waiting, 3, nanos::get);
        CheckGroup group = CheckGroup.of(Check.of(Policy.of("log", SLIDING_LOG, 6, TEN), ALICE));
        for (int i = 0; i < 3; i++) {
            assertThat(part.acquire(group, Duration.ofSeconds(10)).admitted())
                    .as("the one after %d", i)
                    .isTrue();
        }
        assertThat(part.acquire(group, Duration.ofSeconds(1)).admitted()).isTrue();
        assertThat(part.acquire(group, Duration.ofSeconds(1)).admitted()).isFalse();
    }

    @Override
    protected RateLimiter limiter() {
        return single;
    }

    @Override
    protected RateLimiter limiter(Signals signals) {
        return new DividingRateLimiter(memory(signals), 1, nanos::get);
    }

    @Override
    protected void advance(long micros) {
        clock.advance(micros);
    }

    @ParameterizedTest
    @EnumSource(names = {"FIXED_WINDOW", "SLIDING_WINDOW", "SLIDING_LOG", "GCRA", "TOKEN_BUCKET", "CONCURRENCY"})
    void threeInstancesAdmitTheLimitTogether(Algorithm algorithm) {
        Policy policy = Policy.of("p", algorithm, 100, TEN);
        assertThat(admittedByAll(policy)).isEqualTo(99);
        assertThat(admittedByAll(policy)).isZero();
        CheckResult left = one.peek(policy, ALICE);
        assertThat(left.remaining()).isZero();
        assertThat(left.used()).isEqualTo(33);
        assertThat(left.policy().capacity()).as("the part answers").isEqualTo(33);
    }

    @Test
    void soDoPeriodsAndIntervalsAndOtherQuotas() {
        Policy month = Policy.of("p", FIXED_WINDOW, 100, TEN).in(CalendarPeriod.parse("1 month Europe/Paris from 15"));
        assertThat(admittedByAll(month)).isEqualTo(99);
        assertThat(one.peek(month, ALICE).policy().period()).isEqualTo(month.period());
        assertThat(one.usage(month, ALICE, Usage.Period.PRESENT).used()).isEqualTo(33);
        assertThat(admittedByAll(Policy.of("i", TOKEN_BUCKET, 100, TEN).withRefill(Refill.INTERVAL)))
                .isEqualTo(99);
        Policy contract = Policy.of("c", GCRA, 100, TEN).withVaryingLimit();
        assertThat(admittedByAll(contract)).isEqualTo(99);
        Policy raised = Policy.of("c", GCRA, 200, TEN).withVaryingLimit();
        assertThat(admittedByAll(raised)).isEqualTo(99);
    }

    /** A unit each 100 ms for all is one each 300 ms for each, from three moments on. */
    @Test
    void aRateHoldsForAllTogether() {
        Policy policy = Policy.of("p", GCRA, 100, TEN).withBurst(3);
        long admitted = 0;
        for (int step = 0; step < 10_000; step++) {
            for (RateLimiter each : instances) {
                admitted += each.acquire(policy, ALICE).admitted() ? 1 : 0;
            }
            clock.advance(10_000);
        }
        assertThat(admitted).as("100 s").isBetween(999L, 1_003L);
    }

    @Test
    void noPartIsSmallerThanAUnit() {
        assertThat(admittedByAll(Policy.of("p", SLIDING_LOG, 2, TEN))).isEqualTo(3);
        assertThat(admittedByAll(Policy.of("q", SLIDING_LOG, 5, TEN))).isEqualTo(3);
    }

    @Test
    void aSoftLimitIsCountedWhole() {
        Policy soft = Policy.of("p", FIXED_WINDOW, 100, TEN).asSoft();
        for (int i = 0; i < 101; i++) {
            assertThat(one.acquire(soft, ALICE).admitted()).isTrue();
        }
        assertThat(one.peek(soft, ALICE).overage()).isEqualTo(1);
    }

    @Test
    void aGateIsClosedHere() {
        Policy policy = Policy.of("p", SLIDING_LOG, 100, TEN);
        one.closeGate(policy, ALICE, TEN);
        CheckGroup asked = CheckGroup.of(Check.of(policy, ALICE)).withGates();
        assertThat(one.acquire(asked).admitted()).isFalse();
        assertThat(instances.get(1).acquire(asked).admitted()).isTrue();
    }

    /** The window of a rate's part is another one, and so is its state. */
    @ParameterizedTest
    @EnumSource(names = {"FIXED_WINDOW", "SLIDING_LOG", "GCRA", "TOKEN_BUCKET"})
    void whatIsGivenBackAndSettledIsOfThePart(Algorithm algorithm) {
        Policy policy = Policy.of("p", algorithm, 100, TEN);
        Decision.Admitted first = admitted(new Check(policy, ALICE, 20));
        Decision.Admitted second = admitted(new Check(policy, ALICE, 10));
        assertThat(one.refund(first)).isTrue();
        assertThat(one.refund(first)).as("once").isFalse();
        assertThat(one.peek(policy, ALICE).remaining()).isEqualTo(23);
        ChargeResult charge = one.settle(second, policy, 4);
        assertThat(charge.remaining()).isEqualTo(29);
        charge = one.settle(admitted(new Check(policy, ALICE, 1)), policy, 9);
        assertThat(charge.charged()).isEqualTo(8);
        assertThat(charge.remaining()).isEqualTo(20);
        assertThat(one.charge(policy, ALICE, 5).remaining()).isEqualTo(15);
        one.reset(policy, ALICE);
        assertThat(one.peek(policy, ALICE).remaining()).isEqualTo(33);
    }

    /** As of an estimate that no instance could hold: what was used beyond it is debt. */
    @Test
    void anEstimateAboveThePartIsSettledInFull() {
        Policy policy = Policy.of("p", FIXED_WINDOW, 100, TEN);
        ChargeResult charge = one.settle(admitted(new Check(policy, ALICE, 51)), policy, 51);
        assertThat(charge.charged()).isEqualTo(18);
        assertThat(charge.used()).isEqualTo(51);
    }

    /** A settlement charges by the limit that is in force then, or by its part. */
    @Test
    void aSettlementAfterARaiseIsByThePartOfTheNewLimit() {
        Policy policy = Policy.of("p", GCRA, 9, TEN).withVaryingLimit();
        Policy raised = Policy.of("p", GCRA, 900, TEN).withVaryingLimit();
        ChargeResult charge = one.settle(admitted(new Check(policy, ALICE, 3)), raised, 100);
        assertThat(charge.charged()).isEqualTo(97);
        assertThat(charge.remaining()).isEqualTo(200);
    }

    @Test
    void leasesAreRenewedAndGivenBack() {
        Policy leases = Policy.of("p", CONCURRENCY, 3, TEN);
        Decision.Admitted held = admitted(Check.of(leases, ALICE));
        Check again = held.receipt().checks().get(0);
        for (int i = 0; i < 3; i++) {
            clock.advance(6_000_000);
            assertThat(one.acquireEach(List.of(CheckGroup.of(again))).get(0).admitted())
                    .isTrue();
        }
        assertThat(one.acquire(leases, ALICE).admitted()).isFalse();
        assertThat(one.refund(held)).isTrue();
        assertThat(one.acquire(leases, ALICE).admitted()).isTrue();
    }

    /** A shadow that does not fit is charged nothing, so nothing of it comes back. */
    @Test
    void aShadowBesideComesBackAsFarAsItWasCharged() {
        Policy policy = Policy.of("p", SLIDING_LOG, 100, TEN);
        Policy shadow = Policy.of("s", SLIDING_LOG, 3, TEN).asShadow();
        CheckGroup both = new CheckGroup(List.of(Check.of(policy, ALICE), Check.of(shadow, ALICE)));
        one.acquire(both);
        Check ofBob = Check.of(shadow, PartitionKey.of("user", "bob"));
        Decision.Admitted second = (Decision.Admitted)
                one.acquire(new CheckGroup(List.of(Check.of(policy, ALICE), Check.of(shadow, ALICE), ofBob)));
        assertThat(second.receipt().checks()).containsExactly(Check.of(policy, ALICE), ofBob);
        assertThat(one.refund(second)).isTrue();
        assertThat(one.peek(shadow, ALICE).remaining()).isZero();
        assertThat(one.peek(policy, ALICE).remaining()).isEqualTo(32);
    }

    @Test
    void theStartSaysWhatIsDividedAndWhatCannotBe() {
        List<String> lines = linesOf(() -> {
            PreparedLimiter limiter = one.unwrap(PreparedLimiter.class).orElseThrow();
            Policy two = Policy.of("two", SLIDING_LOG, 2, TEN);
            Stream.of(two, two, Policy.of("two", SLIDING_LOG, 2, TEN).whenStoreFails(OnStoreFailure.OPEN))
                    .forEach(limiter::prepare);
            limiter.prepare(Policy.of("rate", GCRA, 100, TEN).withBurst(2));
            limiter.prepare(Policy.of("pace", Algorithm.UNIFORM, 100, TEN));
            limiter.prepare(Policy.of("fits", GCRA, 100, TEN));
            limiter.prepare(Policy.of("soft", FIXED_WINDOW, 100, TEN).asSoft());
            limiter.prepare(Policy.of("gated", FIXED_WINDOW, 100, TEN).gate());
            limiter.prepare(Policy.concurrency("flight", 7));
            one.acquire(Policy.of("two", SLIDING_LOG, 2, TEN), ALICE);
        });
        String more = " among 3 instances (limiter.expected-instances): each admits ";
        String end = ", so together they can admit more. Set limiter.redis.uri, or a larger limit";
        assertThat(lines)
                .containsExactly(
                        "WARNING \"two\", SLIDING_LOG 2 per 10s, cannot be divided" + more + "SLIDING_LOG 1 per 10s"
                                + end,
                        "WARNING \"rate\", GCRA 100 per 10s with burst 2, cannot be divided" + more
                                + "GCRA 100 per 30s with burst 1" + end,
                        "WARNING \"pace\", UNIFORM 100 per 10s, cannot be divided" + more + "UNIFORM 100 per 30s" + end,
                        "INFO \"fits\", GCRA 100 per 10s with burst 100: this instance of 3 admits GCRA 100 per 30s with"
                                + " burst 33",
                        "INFO \"flight\", CONCURRENCY 7 in flight: this instance of 3 admits CONCURRENCY 2 in flight");
    }

    /** Each contract has numbers of its own. */
    @Test
    void quotasOfContractsAreOneLineAMinuteForEachPolicy() {
        List<String> lines = linesOf(() -> {
            for (int second = 0; second <= 60; second++) {
                nanos.set(TimeUnit.SECONDS.toNanos(second));
                one.acquire(Policy.of("sold", FIXED_WINDOW, 300 + second, TEN).withVaryingLimit(), ALICE);
                one.acquire(Policy.of("free", FIXED_WINDOW, 300, TEN), ALICE);
            }
        });
        assertThat(lines)
                .map(line -> line.substring(0, line.indexOf(" per")))
                .containsExactly(
                        "INFO \"sold\", FIXED_WINDOW 300",
                        "INFO \"free\", FIXED_WINDOW 300",
                        "INFO \"sold\", FIXED_WINDOW 360");
    }

    /** Tiers have the name of their policy. */
    @Test
    void theStartSaysThePartOfEachTier() {
        List<String> lines = linesOf(() -> {
            PreparedLimiter limiter = one.unwrap(PreparedLimiter.class).orElseThrow();
            limiter.prepare(Policy.of("tiers", FIXED_WINDOW, 300, TEN));
            limiter.prepare(Policy.of("tiers", FIXED_WINDOW, 600, TEN));
        });
        assertThat(lines).hasSize(2);
    }

    @Test
    void theProviderDividesIfItIsToldHowManyThereAre() {
        List<String> lines = linesOf(() -> {
            RateLimiter limiter = new LocalRateLimiterProvider()
                    .create(
                            "zoo",
                            name -> Optional.ofNullable(name.equals("limiter.expected-instances") ? "3" : null),
                            Signals.NONE)
                    .orElseThrow();
            assertThat(limiter.peek(Policy.of("p", SLIDING_LOG, 100, TEN), ALICE)
                            .remaining())
                    .isEqualTo(33);
            limiter.close();
        });
        assertThat(lines.get(0))
                .isEqualTo(
                        "WARNING limiter.redis.uri is not set: the limits of \"zoo\" are held in memory, and each of 3"
                                + " processes admits its part (limiter.expected-instances); to share them, set it"
                                + " to your Redis, such as redis://localhost:6379");
    }

    private Decision.Admitted admitted(Check check) {
        return (Decision.Admitted) one.acquire(CheckGroup.of(check));
    }

    private long admittedByAll(Policy policy) {
        long admitted = 0;
        for (RateLimiter each : instances) {
            while (each.acquire(policy, ALICE).admitted()) {
                admitted++;
            }
        }
        return admitted;
    }

    private static List<String> linesOf(Runnable work) {
        List<String> lines = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getLevel() + " " + new SimpleFormatter().formatMessage(line));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.limiter.local.LocalRateLimiterProvider");
        logger.addHandler(handler);
        try {
            work.run();
        } finally {
            logger.removeHandler(handler);
        }
        return lines;
    }
}
