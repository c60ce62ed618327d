package dev.limiter.jaxrs.internal.signals;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Enforcement;
import dev.limiter.jaxrs.internal.platform.BeanLookup;
import dev.limiter.spi.StoreError;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The meters of a limiter, in Micrometer: by policy, outcome, error and node, never by the value
 * of a key. A class of its own, so that the types of Micrometer are loaded only where they
 * exist.
 *
 * <p>A decision is counted by policy. If the group was admitted, each charged policy counts as
 * {@code admitted}. If it was rejected, each policy that rejected counts as {@code rejected};
 * policies that would have admitted are not counted. A shadow that would have rejected counts as
 * {@code shadow_rejected}, whatever became of its group. A request beyond a soft limit counts as
 * {@code soft_exceeded}, or as {@code soft_uncounted} if its units were not counted. A decision of
 * the fallback is counted as {@code fallback_admitted} or {@code fallback_rejected}. A check group
 * without a decision is counted as {@code unavailable} for each of its policies.
 *
 * <p>Counters and timers stay in the registry when the application ends, since they may be those
 * of its successor, and hold nothing of it. Gauges ask the application, and are taken back.
 */
final class MicrometerMetrics implements RequestSignals {

    /**
     * The most policies with meters of their own. Code could make a policy for each key;
     * policies above this number are counted together.
     */
    static final int MOST_POLICIES = 1_000;

    static final String OTHER_POLICIES = "other";

    /** The most gauges of a name from extensions; further ones are not registered. */
    static final int MOST_GAUGES = 1_000;

    private final MeterRegistry registry;
    private final ByPolicy<Map<Outcome, Counter>> decisions = new ByPolicy<>(this::decisions);
    private final ByPolicy<Counter> keysMissing =
            new ByPolicy<>(policy -> counter("limiter.key.missing", Tags.of("policy", policy)));
    private final ByPolicy<Counter> anchorsUnusable =
            new ByPolicy<>(policy -> counter("limiter.anchor.unusable", Tags.of("policy", policy)));
    private final ByPolicy<Counter> zonesUnusable =
            new ByPolicy<>(policy -> counter("limiter.zone.unusable", Tags.of("policy", policy)));
    private final ByPolicy<Counter> tiersUnknown =
            new ByPolicy<>(policy -> counter("limiter.tier.unknown", Tags.of("policy", policy)));
    private final ByPolicy<Map<QuotaFailure, Counter>> quotaFailures = new ByPolicy<>(this::quotaFailures);
    private final Map<StoreError, Counter> storeErrors = new EnumMap<>(StoreError.class);
    private final Counter ambiguous;
    private final Counter scriptsMissing;
    private final Counter leasesExpired;
    private final Counter clockSteps;
    private final Counter slotWaitRejected;
    private final Timer decision;
    private final Timer poolWait;
    private final Timer slotWait;
    private final Map<String, AtomicInteger> breakers = new ConcurrentHashMap<>();
    private final Set<Meter> gauges = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, Set<String>> gaugeValues = new HashMap<>();
    private boolean ended;

    private enum Outcome {
        ADMITTED,
        REJECTED,
        SOFT_EXCEEDED,
        SOFT_UNCOUNTED,
        SHADOW_REJECTED,
        FALLBACK_ADMITTED,
        FALLBACK_REJECTED,
        UNAVAILABLE
    }

    MicrometerMetrics(MeterRegistry registry) {
        this.registry = registry;
        for (StoreError error : StoreError.values()) {
            storeErrors.put(error, counter("limiter.store.errors", Tags.of("error", lowerCase(error))));
        }
        ambiguous = counter("limiter.store.ambiguous", Tags.empty());
        scriptsMissing = counter("limiter.store.script.missing", Tags.empty());
        leasesExpired = counter("limiter.leases.expired", Tags.empty());
        clockSteps = counter("limiter.clock.stepped", Tags.empty());
        slotWaitRejected = counter("limiter.slot.wait.rejected", Tags.empty());
        decision = registry.timer("limiter.decision");
        poolWait = registry.timer("limiter.pool.wait");
        slotWait = registry.timer("limiter.slot.wait");
    }

    /**
     * The metrics in the application's only bean of type {@link MeterRegistry}, otherwise in the
     * global registry.
     */
    static RequestSignals in(BeanLookup beans) {
        rehearse();
        return new MicrometerMetrics(beans.only(MeterRegistry.class).orElse(Metrics.globalRegistry));
    }

    /**
     * Touches all that is needed of Micrometer: a version that is too old fails now, not at a
     * request.
     */
    private static void rehearse() {
        MicrometerMetrics rehearsal = new MicrometerMetrics(new SimpleMeterRegistry());
        rehearsal.keyMissing("rehearsal");
        rehearsal.slotWaited(1);
        rehearsal.breaker("rehearsal", true, "");
        rehearsal.ended();
    }

    @Override
    public void decided(Decision decided, long nanos) {
        decision.record(nanos, TimeUnit.NANOSECONDS);
        boolean admitted = decided.admitted();
        for (CheckResult result : decided.results()) {
            Outcome outcome = outcome(result, admitted);
            if (outcome != null) {
                count(result.policy().name(), outcome);
            }
        }
    }

    /**
     * The outcome of a result; null if it is not counted, because the policy would have admitted
     * what another rejected.
     */
    private static Outcome outcome(CheckResult result, boolean groupAdmitted) {
        if (result.admitted()) {
            return groupAdmitted ? admitted(result) : null;
        }
        return switch (result.policy().enforcement()) {
            case ENFORCED -> result.fallback() ? Outcome.FALLBACK_REJECTED : Outcome.REJECTED;
            case SOFT -> groupAdmitted ? Outcome.SOFT_UNCOUNTED : null;
            case SHADOW -> Outcome.SHADOW_REJECTED;
        };
    }

    private static Outcome admitted(CheckResult result) {
        if (result.fallback()) {
            return Outcome.FALLBACK_ADMITTED;
        }
        boolean exceeded = result.overage() > 0 && result.policy().enforcement() == Enforcement.SOFT;
        return exceeded ? Outcome.SOFT_EXCEEDED : Outcome.ADMITTED;
    }

    @Override
    public void undecided(CheckGroup group, long nanos) {
        decision.record(nanos, TimeUnit.NANOSECONDS);
        for (Check check : group.checks()) {
            count(check.policy().name(), Outcome.UNAVAILABLE);
        }
    }

    private void count(String policy, Outcome outcome) {
        decisions.of(policy).get(outcome).increment();
    }

    @Override
    public void storeFailed(StoreError error, boolean mayHaveRun) {
        storeErrors.get(error).increment();
        if (mayHaveRun) {
            ambiguous.increment();
        }
    }

    @Override
    public void scriptMissing() {
        scriptsMissing.increment();
    }

    @Override
    public void connected(long nanos) {
        poolWait.record(nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Adds the gauge of a node with 0 from the start, so that dashboards find it before a
     * failure.
     */
    @Override
    public void node(String node) {
        breakers.computeIfAbsent(node, this::breakerOf);
    }

    @Override
    public void breaker(String node, boolean open, String reason) {
        breakers.computeIfAbsent(node, this::breakerOf).set(open ? 1 : 0);
    }

    private AtomicInteger breakerOf(String node) {
        AtomicInteger state = new AtomicInteger();
        register("limiter.breaker.open", Tags.of("node", node), state::get);
        return state;
    }

    @Override
    public void leases(LongSupplier renewed, LongSupplier oldestSeconds) {
        register("limiter.leases.renewed", Tags.empty(), renewed::getAsLong);
        register("limiter.leases.oldest", Tags.empty(), oldestSeconds::getAsLong);
    }

    @Override
    public void fallbackPartitions(LongSupplier partitions) {
        register("limiter.fallback.partitions", Tags.empty(), partitions::getAsLong);
    }

    @Override
    public void gauge(String name, String tag, String value, DoubleSupplier figure) {
        synchronized (this) {
            Set<String> known = gaugeValues.computeIfAbsent(name, first -> new HashSet<>());
            if (known.contains(value) || known.size() < MOST_GAUGES) {
                known.add(value);
                register(name, Tags.of(tag, value), figure);
            }
        }
    }

    @Override
    public void clockStepped() {
        clockSteps.increment();
    }

    @Override
    public void leaseExpired() {
        leasesExpired.increment();
    }

    @Override
    public void keyMissing(String policy) {
        keysMissing.of(policy).increment();
    }

    @Override
    public void anchorUnusable(String policy) {
        anchorsUnusable.of(policy).increment();
    }

    @Override
    public void zoneUnusable(String policy) {
        zonesUnusable.of(policy).increment();
    }

    @Override
    public void tierUnknown(String policy) {
        tiersUnknown.of(policy).increment();
    }

    @Override
    public void quotaFailed(String policy, QuotaFailure failure) {
        quotaFailures.of(policy).get(failure).increment();
    }

    @Override
    public void slotWaited(long nanos) {
        slotWait.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void slotWaitRejected(Decision.Rejected rejected) {
        slotWaitRejected.increment();
    }

    @Override
    public synchronized void ended() {
        ended = true;
        for (Meter meter : registry.getMeters()) {
            if (gauges.contains(meter)) {
                registry.remove(meter);
            }
        }
        gauges.clear();
    }

    /**
     * Registers a gauge in place of a gauge with that name, which an earlier version of the
     * application may still have.
     */
    private synchronized void register(String name, Tags tags, DoubleSupplier value) {
        if (!ended) {
            Meter earlier = registry.removeByPreFilterId(new Meter.Id(name, tags, null, null, Meter.Type.GAUGE));
            gauges.remove(earlier);
            gauges.add(Gauge.builder(name, value, DoubleSupplier::getAsDouble)
                    .tags(tags)
                    .strongReference(true)
                    .register(registry));
        }
    }

    private Map<Outcome, Counter> decisions(String policy) {
        Map<Outcome, Counter> counters = new EnumMap<>(Outcome.class);
        for (Outcome outcome : Outcome.values()) {
            counters.put(
                    outcome, counter("limiter.decisions", Tags.of("policy", policy, "outcome", lowerCase(outcome))));
        }
        return counters;
    }

    private Map<QuotaFailure, Counter> quotaFailures(String policy) {
        Map<QuotaFailure, Counter> counters = new EnumMap<>(QuotaFailure.class);
        for (QuotaFailure failure : QuotaFailure.values()) {
            counters.put(
                    failure,
                    counter("limiter.quota.failures", Tags.of("policy", policy, "reason", lowerCase(failure))));
        }
        return counters;
    }

    /**
     * The type of {@code tags} chooses the method that every version has; the one for
     * {@link Tags} exists since 1.16 only.
     */
    private Counter counter(String name, Iterable<Tag> tags) {
        return registry.counter(name, tags);
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** The meters of each policy, looked up in the registry once. */
    private static final class ByPolicy<T> {
        private final Map<String, T> known = new ConcurrentHashMap<>();
        private final Function<String, T> maker;

        ByPolicy(Function<String, T> maker) {
            this.maker = maker;
        }

        T of(String policy) {
            T there = known.get(policy);
            if (there != null) {
                return there;
            }
            return known.computeIfAbsent(known.size() < MOST_POLICIES ? policy : OTHER_POLICIES, maker);
        }
    }
}
