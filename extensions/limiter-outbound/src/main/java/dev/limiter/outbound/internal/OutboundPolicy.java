package dev.limiter.outbound.internal;

import dev.limiter.Algorithm;
import dev.limiter.InvalidPolicyException;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.policy.ConfigurationPolicy;
import dev.limiter.jaxrs.internal.policy.PolicyOverrides;
import dev.limiter.jaxrs.internal.policy.PolicyRegistry;
import dev.limiter.jaxrs.internal.policy.PolicyVersion;
import dev.limiter.jaxrs.internal.settings.CachedSettings;
import dev.limiter.jaxrs.internal.settings.ConfigurationErrorLog;
import dev.limiter.jaxrs.internal.settings.Modules;
import dev.limiter.jaxrs.internal.settings.PolicySettingNames;
import dev.limiter.jaxrs.internal.settings.WatchedFile;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * A limit of a partner with the figures now in force, which configuration can change while calls
 * are made.
 */
public final class OutboundPolicy {
    static final Setting<Duration> DELAY_VARIATION = Setting.duration(
                    "limiter.outbound.delay-variation", "50ms", "0s", "1m")
            .readAgain();

    private final PartitionKey key;
    private final Function<Settings, Figures> snapshot;
    private final LongSupplier nanos;
    private final AtomicLong nextReading;
    private final ReentrantLock lock = new ReentrantLock();
    private final ConfigurationErrorLog refused;
    private volatile Settings settings;
    private volatile Figures figures;

    /** @param delayVariation by how much the delays of calls may differ */
    private record Figures(Policy policy, Duration delayVariation) {}

    /**
     * @param key the partition of calls that have none of their own
     * @param snapshot gives null while it is not to be asked
     * @param nanos a clock that does not step, in ns
     */
    private OutboundPolicy(
            PartitionKey key, Settings settings, Function<Settings, Figures> snapshot, LongSupplier nanos) {
        this.key = key;
        this.settings = settings;
        this.snapshot = snapshot;
        this.nanos = nanos;
        this.nextReading = new AtomicLong(next(nanos.getAsLong()));
        this.refused = new ConfigurationErrorLog(nanos);
        this.figures = snapshot.apply(settings);
    }

    /**
     * A policy that configuration alone declares. It is checked also while it is switched off,
     * because it may be switched on later.
     *
     * @throws InvalidSettingException if it is not declared there, or cannot be used for calls
     */
    public static OutboundPolicy configured(String name, Settings settings, LongSupplier nanos) {
        usable(numbers(name, settings).policy(), settings); // its errors come before those of the key
        return new OutboundPolicy(
                keyOf(name, settings),
                settings,
                read -> {
                    PolicyVersion now = numbers(name, read);
                    return now.enabled() ? inForce(now.policy(), read) : null;
                },
                nanos);
    }

    private static PolicyVersion numbers(String name, Settings settings) {
        return new ConfigurationPolicy(name, settings)
                .read(new PolicyOverrides(name, settings, Policy.DEFAULT_LEASE))
                .numbers();
    }

    /**
     * @throws InvalidSettingException if it cannot be used for calls
     */
    public static OutboundPolicy given(Policy policy, Settings settings, LongSupplier nanos) {
        usable(policy, settings);
        return new OutboundPolicy(PartitionKey.of("literal", "all"), settings, read -> inForce(policy, read), nanos);
    }

    /** The key of calls. A call is no request, so the key must be a literal. */
    private static PartitionKey keyOf(String name, Settings settings) {
        String setting = PolicySettingNames.PREFIX + name + ".key";
        KeyExpression key = KeyExpression.compile(settings.value(setting).orElseThrow());
        if (!key.sources().stream().allMatch(KeyValueSource::isLiteral)) {
            throw new InvalidSettingException(
                    setting, "\"" + key.text() + "\" asks for a request, and an outbound call has none; write 'all'");
        }
        return key.partition(null);
    }

    private static Figures inForce(Policy policy, Settings settings) {
        return PolicyRegistry.ENABLED.in(settings) ? usable(policy, settings) : null;
    }

    private static Figures usable(Policy policy, Settings settings) {
        if (policy.rules().leases() || policy.algorithm() == Algorithm.GATE) {
            throw new InvalidPolicyException(
                    "algorithm",
                    "policy \"" + policy.name() + "\" limits outbound calls, which " + policy.algorithm()
                            + " cannot: nobody would hear of the end of a call that fails");
        }
        requireRoomForTheGate(policy);
        requireOnePartnerForAllNodes(policy, settings);
        Duration variation = DELAY_VARIATION.in(settings);
        // A period of the calendar cannot be longer: see PeriodChange.
        return new Figures(policy.period() == null ? policy.withDelayVariation(variation) : policy, variation);
    }

    /**
     * Checks the name of the gate now, not at the first call: it is longer than the policy's.
     */
    private static void requireRoomForTheGate(Policy policy) {
        try {
            policy.gate();
        } catch (InvalidPolicyException tooLong) {
            throw new InvalidPolicyException(
                    tooLong.member(),
                    "policy \"" + policy.name() + "\" limits outbound calls, and its gate cannot be named after it: "
                            + tooLong.getMessage());
        }
    }

    /**
     * Refuses policies of which each instance would admit the partner's whole limit, or
     * anything, when Redis fails.
     */
    private static void requireOnePartnerForAllNodes(Policy policy, Settings settings) {
        if (!Modules.isStoreNamed(settings)) {
            return;
        }
        OnStoreFailure failure = policy.onStoreFailure();
        if (failure == OnStoreFailure.CONFIGURED) {
            failure = RateLimiterProvider.ON_STORE_FAILURE.in(settings);
        }
        boolean divided = failure == OnStoreFailure.LOCAL
                && RateLimiterProvider.EXPECTED_INSTANCES.ifSet(settings).isPresent();
        if (failure != OnStoreFailure.CLOSED && !divided) {
            throw new InvalidSettingException(
                    PolicySettingNames.PREFIX + policy.name() + ".on-store-failure",
                    "is " + failure
                            + ", by which each instance would take a partner's whole limit when Redis fails; make it"
                            + " CLOSED, or LOCAL and set limiter.expected-instances to how many instances there are");
        }
    }

    /** The policy in force; null while it is switched off. */
    public Policy inForce() {
        long due = nextReading.get();
        long now = nanos.getAsLong();
        if (now - due >= 0 && nextReading.compareAndSet(due, next(now))) {
            readAgain();
        }
        Figures read = figures;
        return read == null ? null : read.policy;
    }

    /** By how much the delays of calls may differ; zero while it is switched off. */
    public Duration delayVariation() {
        Figures now = figures;
        return now == null ? Duration.ZERO : now.delayVariation;
    }

    public PartitionKey key() {
        return key;
    }

    private static long next(long now) {
        return now + TimeUnit.SECONDS.toNanos(PolicyRegistry.PAUSE_SECONDS);
    }

    /**
     * Reads the configuration again. A value that cannot be read changes nothing, and is logged.
     * Other calls do not wait for the reading.
     */
    private void readAgain() {
        if (!lock.tryLock()) {
            return;
        }
        try {
            refused.nextReading();
            Settings now = WatchedFile.readAgain(settings);
            figures = snapshot.apply(new CachedSettings(now));
            settings = now;
        } catch (RuntimeException unreadable) {
            refused.log(unreadable);
        } finally {
            lock.unlock();
        }
    }
}
