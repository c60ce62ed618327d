package dev.limiter.jaxrs.internal.signals;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.jaxrs.FailingStore;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.local.internal.fallback.FallbackRateLimiter;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The meters with their names, and the meters that stay when the application has ended. */
class MicrometerMetricsTest {
    private static final PartitionKey ALICE = PartitionKey.of("user", "alice");
    private static final Policy TIGHT = Policy.of("tight", Algorithm.SLIDING_LOG, 1, Duration.ofHours(1));
    private static final Policy WIDE = Policy.of("wide", Algorithm.SLIDING_LOG, 100, Duration.ofHours(1));
    private static final Policy TRIAL =
            Policy.of("trial", Algorithm.SLIDING_LOG, 1, Duration.ofHours(1)).asShadow();

    private final RateLimiter limiter = new LocalRateLimiter(InstantSource.fixed(Instant.EPOCH));
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MicrometerMetrics meters = new MicrometerMetrics(registry);

    @Test
    void anAdmissionIsCountedByEachPolicyThatWasCharged() {
        decide();
        assertThat(decisions("tight", "admitted")).isEqualTo(1);
        assertThat(decisions("wide", "admitted")).isEqualTo(1);
        assertThat(decisions("trial", "admitted")).isEqualTo(1);
        assertThat(registry.timer("limiter.decision").totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(5);
    }

    /**
     * Of a group that was rejected only what failed is counted; a shadow that would have failed
     * says so whatever became of it.
     */
    @Test
    void aRejectionIsCountedByThoseThatFailed() {
        decide();
        decide();
        assertThat(decisions("tight", "rejected")).isEqualTo(1);
        assertThat(decisions("tight", "admitted")).isEqualTo(1);
        assertThat(decisions("wide", "rejected")).isZero();
        assertThat(decisions("wide", "admitted")).isEqualTo(1);
        assertThat(decisions("trial", "shadow_rejected")).isEqualTo(1);
    }

    @Test
    void aShadowThatWouldHaveRejectedAnAdmissionSaysSo() {
        CheckGroup shadowed = CheckGroup.of(Check.of(WIDE, ALICE), Check.of(TRIAL, ALICE));
        meters.decided(limiter.acquire(shadowed), 0);
        meters.decided(limiter.acquire(shadowed), 0);
        assertThat(decisions("wide", "admitted")).isEqualTo(2);
        assertThat(decisions("trial", "admitted")).isEqualTo(1);
        assertThat(decisions("trial", "shadow_rejected")).isEqualTo(1);
    }

    /** The counter of a soft limit has 2^32 - 1 units. What is beyond passes. */
    @Test
    void unitsThatASoftLimitCannotHoldAreUncounted() {
        Policy soft = Policy.of("soft", Algorithm.FIXED_WINDOW, 100, Duration.ofHours(1))
                .asSoft();
        for (long units : new long[] {soft.maxCost(), soft.maxCost(), 2, 1}) {
            meters.decided(limiter.acquire(CheckGroup.of(new Check(soft, ALICE, units))), 0);
        }
        assertThat(decisions("soft", "soft_exceeded")).isEqualTo(3);
        assertThat(decisions("soft", "soft_uncounted")).isEqualTo(1);
        assertThat(decisions("soft", "shadow_rejected")).isZero();
        Check spent = Check.of(TIGHT, ALICE);
        limiter.acquire(CheckGroup.of(spent));
        meters.decided(limiter.acquire(CheckGroup.of(Check.of(soft, ALICE), spent)), 0);
        assertThat(decisions("tight", "rejected")).isEqualTo(1);
        assertThat(decisions("soft", "soft_uncounted")).isEqualTo(1);
    }

    @Test
    void whatTheFallbackSaidIsCountedAsSuch() {
        CheckResult rejected = new CheckResult(TIGHT, false, 0, 0, 0, 1, 1, 1, true);
        meters.decided(new Decision.Rejected(List.of(rejected, CheckResult.notChecked(WIDE)), 0), 0);
        assertThat(decisions("tight", "fallback_rejected")).isEqualTo(1);
        assertThat(registry.find("limiter.decisions").tag("policy", "wide").counters())
                .isEmpty();
        Decision.Admitted stored = (Decision.Admitted) limiter.acquire(WIDE, ALICE);
        meters.decided(new Decision.Admitted(List.of(CheckResult.notChecked(WIDE)), 0, stored.receipt()), 0);
        assertThat(decisions("wide", "fallback_admitted")).isEqualTo(1);
        assertThat(decisions("wide", "admitted")).isZero();
    }

    /** Units that this process counted alone are none for an invoice. */
    @ParameterizedTest
    @CsvSource({
        "false, 100, admitted",
        "false, 101, soft_exceeded",
        "true, 100, fallback_admitted",
        "true, 101, fallback_admitted"
    })
    void aSoftLimitIsExceededInTheStoreOnly(boolean fallback, long used, String outcome) {
        Policy soft = Policy.of("soft", Algorithm.FIXED_WINDOW, 100, Duration.ofHours(1))
                .asSoft();
        Decision.Admitted stored = (Decision.Admitted) limiter.acquire(soft, ALICE);
        CheckResult result = new CheckResult(soft, true, 0, used, 0, 0, 1, 1, fallback);
        meters.decided(new Decision.Admitted(List.of(result), 0, stored.receipt()), 0);
        assertThat(decisions("soft", outcome)).isEqualTo(1);
        assertThat(registry.find("limiter.decisions").counters().stream()
                        .mapToDouble(Counter::count)
                        .sum())
                .isEqualTo(1);
    }

    @Test
    void aDecisionIsOfTheFallbackAlsoBeforeTheStoreHasEverAnswered() {
        FailingStore store = new FailingStore(limiter);
        store.fails = true;
        RateLimiter metered = new MeteredRateLimiter(
                new FallbackRateLimiter(store, OnStoreFailure.LOCAL, 1, meters), meters, new RejectionLog(() -> 0));
        metered.acquire(TIGHT, ALICE);
        metered.acquire(TIGHT, ALICE);
        assertThat(decisions("tight", "fallback_admitted")).isEqualTo(1);
        assertThat(decisions("tight", "fallback_rejected")).isEqualTo(1);
        assertThat(decisions("tight", "admitted")).isZero();
        assertThat(registry.get("limiter.fallback.partitions").gauge().value()).isEqualTo(1);
        store.fails = false;
        metered.acquire(WIDE, ALICE);
        assertThat(decisions("wide", "admitted")).isEqualTo(1);
    }

    @Test
    void anUndecidedGroupIsCountedForAllItsPolicies() {
        meters.undecided(group(), 1_000_000);
        for (String policy : List.of("tight", "wide", "trial")) {
            assertThat(decisions(policy, "unavailable")).isEqualTo(1);
        }
        assertThat(registry.timer("limiter.decision").count()).isEqualTo(1);
    }

    @Test
    void aFigureOfAnExtensionIsAGaugeUntilTheApplicationEnds() {
        meters.gauge("limiter.queue.length", "queue", "orders", () -> 3);
        meters.gauge("limiter.queue.length", "queue", "orders", () -> 4);
        meters.gauge("limiter.queue.length", "queue", "mails", () -> 1);
        assertThat(registry.get("limiter.queue.length")
                        .tag("queue", "orders")
                        .gauge()
                        .value())
                .as("the latest is asked")
                .isEqualTo(4);
        assertThat(registry.find("limiter.queue.length").gauges()).hasSize(2);
        meters.ended();
        assertThat(registry.find("limiter.queue.length").gauge()).isNull();
    }

    @Test
    void renewedLeasesHaveGaugesUntilTheEnd() {
        meters.leases(() -> 3, () -> 70);
        assertThat(registry.get("limiter.leases.renewed").gauge().value()).isEqualTo(3);
        assertThat(registry.get("limiter.leases.oldest").gauge().value()).isEqualTo(70);
        meters.ended();
        assertThat(registry.find("limiter.leases.renewed").gauge()).isNull();
        assertThat(registry.find("limiter.leases.oldest").gauge()).isNull();
    }

    @Test
    void theStoreIsCountedByWhatFailed() {
        meters.storeFailed(StoreError.TIMED_OUT, true);
        meters.storeFailed(StoreError.TIMED_OUT, true);
        meters.storeFailed(StoreError.POOL_EXHAUSTED, false);
        meters.happened(Signals.Incident.SCRIPT_MISSING);
        meters.connected(2_000_000);
        meters.happened(Signals.Incident.LEASES_EXPIRED);
        meters.happened(Signals.Incident.CLOCK_STEPPED);
        meters.happened(Signals.Incident.CREDENTIALS_FAILURES);
        assertThat(registry.counter("limiter.store.errors", "error", "timed_out")
                        .count())
                .isEqualTo(2);
        assertThat(registry.counter("limiter.store.errors", "error", "pool_exhausted")
                        .count())
                .isEqualTo(1);
        assertThat(registry.counter("limiter.store.ambiguous").count()).isEqualTo(2);
        assertThat(registry.counter("limiter.store.script.missing").count()).isEqualTo(1);
        assertThat(registry.timer("limiter.pool.wait").totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(2);
        assertThat(registry.counter("limiter.leases.expired").count()).isEqualTo(1);
        assertThat(registry.counter("limiter.clock.stepped").count()).isEqualTo(1);
        assertThat(registry.counter("limiter.credentials.failures").count()).isEqualTo(1);
    }

    @Test
    void soIsWhatComesToTheFilter() {
        meters.count(MeterSheet.KEY_MISSING, "tight");
        meters.count(MeterSheet.TIER_UNKNOWN, "wide");
        meters.count(MeterSheet.ANCHOR_UNUSABLE, "plan");
        meters.count(MeterSheet.ZONE_UNUSABLE, "plan");
        meters.quotaFailed("plan", QuotaFailure.SLOW);
        meters.slotWaited(3_000_000);
        meters.slotWaitRejected(null);
        assertThat(registry.counter("limiter.key.missing", "policy", "tight").count())
                .isEqualTo(1);
        assertThat(registry.counter("limiter.tier.unknown", "policy", "wide").count())
                .isEqualTo(1);
        assertThat(registry.counter("limiter.anchor.unusable", "policy", "plan").count())
                .isEqualTo(1);
        assertThat(registry.counter("limiter.zone.unusable", "policy", "plan").count())
                .isEqualTo(1);
        assertThat(registry.counter("limiter.quota.failures", "policy", "plan", "reason", "slow")
                        .count())
                .isEqualTo(1);
        assertThat(registry.timer("limiter.slot.wait").totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(3);
        assertThat(registry.counter("limiter.slot.wait.rejected").count()).isEqualTo(1);
    }

    /** An operator sets an alarm on the meter before anything has failed. */
    @Test
    void aBreakerIsZeroBeforeItOpensForTheFirstTime() {
        meters.node("redis:6379");
        meters.breaker("other:6379", true, "refused");
        assertThat(breakerOf("redis:6379").value()).isZero();
        assertThat(breakerOf("other:6379").value()).isEqualTo(1);
        meters.breaker("redis:6379", true, "refused");
        meters.node("redis:6379");
        assertThat(breakerOf("redis:6379").value()).isEqualTo(1);
    }

    private Gauge breakerOf(String node) {
        return registry.find("limiter.breaker.open").tag("node", node).gauge();
    }

    @Test
    void aBreakerIsOneWhileItIsOpen() {
        meters.breaker("redis:6379", true, "refused");
        assertThat(registry.get("limiter.breaker.open")
                        .tag("node", "redis:6379")
                        .gauge()
                        .value())
                .isEqualTo(1);
        meters.breaker("redis:6379", false, "");
        assertThat(registry.get("limiter.breaker.open")
                        .tag("node", "redis:6379")
                        .gauge()
                        .value())
                .isZero();
    }

    /** Gauges are gone when the application has ended, and later events are not counted. */
    @Test
    void anApplicationThatEndedIsAskedNothing() {
        meters.breaker("redis:6379", true, "refused");
        meters.fallbackPartitions(() -> 7);
        assertThat(registry.get("limiter.fallback.partitions").gauge().value()).isEqualTo(7);
        meters.ended();
        meters.breaker("other:6379", true, "refused");
        meters.fallbackPartitions(() -> 8);
        assertThat(registry.getMeters()).noneMatch(meter -> meter instanceof Gauge);
    }

    /** A server may start the new version before the old one ends. */
    @Test
    void theGaugesOfASuccessorStayWhenItsPredecessorEnds() {
        meters.fallbackPartitions(() -> 7);
        MicrometerMetrics successor = new MicrometerMetrics(registry);
        successor.fallbackPartitions(() -> 8);
        meters.ended();
        assertThat(registry.get("limiter.fallback.partitions").gauge().value()).isEqualTo(8);
        successor.ended();
        assertThat(registry.find("limiter.fallback.partitions").gauge()).isNull();
    }

    @Test
    void anExtensionHasAThousandGaugesOfANameAndTheLastFigureOfEach() {
        for (int i = 0; i < MicrometerMetrics.MOST_GAUGES + 50; i++) {
            meters.gauge("limiter.queue.length", "queue", "q" + i, () -> 1);
        }
        meters.gauge("limiter.queue.length", "queue", "q0", () -> 2);
        assertThat(registry.find("limiter.queue.length").gauges()).hasSize(MicrometerMetrics.MOST_GAUGES);
        assertThat(registry.get("limiter.queue.length")
                        .tag("queue", "q0")
                        .gauge()
                        .value())
                .isEqualTo(2);
        meters.ended();
        assertThat(registry.find("limiter.queue.length").gauges()).isEmpty();
    }

    @Test
    void aThousandPoliciesAreToldApartAndTheOthersAreOne() {
        for (int i = 0; i < MicrometerMetrics.MOST_POLICIES + 50; i++) {
            meters.count(MeterSheet.KEY_MISSING, "p" + i);
        }
        assertThat(registry.find("limiter.key.missing").counters()).hasSize(MicrometerMetrics.MOST_POLICIES + 1);
        assertThat(registry.counter("limiter.key.missing", "policy", MicrometerMetrics.OTHER_POLICIES)
                        .count())
                .isEqualTo(50);
    }

    @Test
    void noMeterCarriesAnythingButPolicyOutcomeErrorAndNode() {
        decide();
        decide();
        meters.undecided(group(), 0);
        for (Meter meter : registry.getMeters()) {
            assertThat(meter.getId().getName()).startsWith("limiter.");
            assertThat(meter.getId().getTags())
                    .extracting(Tag::getKey)
                    .isSubsetOf("policy", "outcome", "error", "node");
            assertThat(meter.getId().toString()).doesNotContain("alice");
        }
    }

    @Test
    void withoutABeanTheGlobalRegistryIsTold() {
        Metrics.addRegistry(registry);
        try {
            MicrometerMetrics.in(type -> Optional.empty()).count(MeterSheet.KEY_MISSING, "global");
            assertThat(registry.counter("limiter.key.missing", "policy", "global")
                            .count())
                    .isEqualTo(1);
        } finally {
            Metrics.removeRegistry(registry);
            Metrics.globalRegistry.clear();
        }
    }

    @Test
    void theOnlyBeanOfThatTypeIsTold() {
        SimpleMeterRegistry bean = new SimpleMeterRegistry();
        MicrometerMetrics.in(type -> Optional.of(type.cast(bean))).happened(Signals.Incident.SCRIPT_MISSING);
        assertThat(bean.counter("limiter.store.script.missing").count()).isEqualTo(1);
    }

    private void decide() {
        meters.decided(limiter.acquire(group()), 5_000_000);
    }

    private static CheckGroup group() {
        return CheckGroup.of(Check.of(TIGHT, ALICE), Check.of(WIDE, ALICE), Check.of(TRIAL, ALICE));
    }

    private double decisions(String policy, String outcome) {
        return registry.get("limiter.decisions")
                .tag("policy", policy)
                .tag("outcome", outcome)
                .counter()
                .count();
    }
}
