package dev.limiter.jaxrs.internal.signals;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Enforcement;
import dev.limiter.spi.StoreError;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
    private final Map<MeterSheet, Counter> counters = new EnumMap<>(MeterSheet.class);
    private final Map<MeterSheet, Timer> timers = new EnumMap<>(MeterSheet.class);
    private final Map<MeterSheet, ByPolicy<Counter>> byPolicy = new EnumMap<>(MeterSheet.class);
    private final ByPolicy<Map<Outcome, Counter>> decisions =
            new ByPolicy<>(policy -> counters(MeterSheet.DECISIONS, policy, Outcome.class));
    private final ByPolicy<Map<QuotaFailure, Counter>> quotaFailures =
            new ByPolicy<>(policy -> counters(MeterSheet.QUOTA_FAILURES, policy, QuotaFailure.class));
    private final Map<StoreError, Counter> storeErrors = new EnumMap<>(StoreError.class);
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
        for (MeterSheet sheet : MeterSheet.values()) {
            if (sheet.kind() == MeterSheet.Kind.TIMER) {
                timers.put(
                        sheet,
                        Timer.builder(sheet.meter())
                                .description(sheet.description())
                                .register(registry));
            } else if (sheet.kind() == MeterSheet.Kind.COUNTER && sheet.tags().isEmpty()) {
                counters.put(sheet, counter(sheet));
            } else if (sheet.tags().equals(List.of("policy"))) {
                byPolicy.put(sheet, new ByPolicy<>(policy -> counter(sheet, policy)));
            }
        }
        for (StoreError error : StoreError.values()) {
            storeErrors.put(error, counter(MeterSheet.STORE_ERRORS, lowerCase(error)));
        }
    }

    /**
     * The metrics in the application's only bean of type {@link MeterRegistry}, otherwise in the
     * global registry.
     */
    static RequestSignals in(Function<Class<?>, Optional<?>> beans) {
        rehearse();
        return new MicrometerMetrics(
                beans.apply(MeterRegistry.class).map(MeterRegistry.class::cast).orElse(Metrics.globalRegistry));
    }

    /**
     * Touches all that is needed of Micrometer: a version that is too old fails now, not at a
     * request.
     */
    private static void rehearse() {
        MicrometerMetrics rehearsal = new MicrometerMetrics(new SimpleMeterRegistry());
        rehearsal.count(MeterSheet.KEY_MISSING, "rehearsal");
        rehearsal.slotWaited(1);
        rehearsal.breaker("rehearsal", true, "");
        rehearsal.ended();
    }

    @Override
    public void decided(Decision decided, long nanos) {
        timers.get(MeterSheet.DECISION).record(nanos, TimeUnit.NANOSECONDS);
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
        timers.get(MeterSheet.DECISION).record(nanos, TimeUnit.NANOSECONDS);
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
            counters.get(MeterSheet.STORE_AMBIGUOUS).increment();
        }
    }

    @Override
    public void happened(Incident incident) {
        counters.get(MeterSheet.valueOf(incident.name())).increment();
    }

    @Override
    public void connected(long nanos) {
        timers.get(MeterSheet.POOL_WAIT).record(nanos, TimeUnit.NANOSECONDS);
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
        register(MeterSheet.BREAKER_OPEN, state::get, node);
        return state;
    }

    @Override
    public void leases(LongSupplier renewed, LongSupplier oldestSeconds) {
        register(MeterSheet.LEASES_RENEWED, renewed::getAsLong);
        register(MeterSheet.LEASES_OLDEST, oldestSeconds::getAsLong);
    }

    @Override
    public void fallbackPartitions(LongSupplier partitions) {
        register(MeterSheet.FALLBACK_PARTITIONS, partitions::getAsLong);
    }

    @Override
    public void gauge(String name, String tag, String value, DoubleSupplier figure) {
        synchronized (this) {
            Set<String> known = gaugeValues.computeIfAbsent(name, first -> new HashSet<>());
            if (known.contains(value) || known.size() < MOST_GAUGES) {
                known.add(value);
                register(name, null, Tags.of(tag, value), figure);
            }
        }
    }

    @Override
    public void deployed(String policy) {
        decisions.of(policy);
        quotaFailures.of(policy);
        byPolicy.values().forEach(each -> each.of(policy));
    }

    @Override
    public void count(MeterSheet meter, String policy) {
        byPolicy.get(meter).of(policy).increment();
    }

    @Override
    public void quotaFailed(String policy, QuotaFailure failure) {
        quotaFailures.of(policy).get(failure).increment();
    }

    @Override
    public void slotWaited(long nanos) {
        timers.get(MeterSheet.SLOT_WAIT).record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void slotWaitRejected(Decision.Rejected rejected) {
        counters.get(MeterSheet.SLOT_WAIT_REJECTED).increment();
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

    private void register(MeterSheet sheet, DoubleSupplier value, String... values) {
        register(sheet.meter(), sheet.description(), tags(sheet, values), value);
    }

    /**
     * Registers a gauge in place of a gauge with that name, which an earlier version of the
     * application may still have.
     */
    private synchronized void register(String name, String description, Tags tags, DoubleSupplier value) {
        if (!ended) {
            Meter earlier = registry.removeByPreFilterId(new Meter.Id(name, tags, null, null, Meter.Type.GAUGE));
            gauges.remove(earlier);
            gauges.add(Gauge.builder(name, value, DoubleSupplier::getAsDouble)
                    .description(description)
                    .tags(tags)
                    .strongReference(true)
                    .register(registry));
        }
    }

    private <E extends Enum<E>> Map<E, Counter> counters(MeterSheet sheet, String policy, Class<E> kind) {
        Map<E, Counter> each = new EnumMap<>(kind);
        for (E constant : kind.getEnumConstants()) {
            each.put(constant, counter(sheet, policy, lowerCase(constant)));
        }
        return each;
    }

    private Counter counter(MeterSheet sheet, String... values) {
        return Counter.builder(sheet.meter())
                .description(sheet.description())
                .tags(tags(sheet, values))
                .register(registry);
    }

    private static Tags tags(MeterSheet sheet, String... values) {
        Tags tags = Tags.empty();
        for (int i = 0; i < values.length; i++) {
            tags = tags.and(sheet.tags().get(i), values[i]);
        }
        return tags;
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
