package dev.limiter.outbound.internal;

import dev.limiter.Algorithm;
import dev.limiter.InvalidPolicyException;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.jaxrs.internal.bootstrap.ExtensionAccess;
import dev.limiter.jaxrs.internal.policy.ExtensionPolicy;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.RateLimiterProvider;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A limit of a partner with the figures now in force, which configuration can change while calls
 * are made.
 */
public final class OutboundPolicy {
    static final Setting<Duration> DELAY_VARIATION = Setting.duration(
                    "limiter.outbound.delay-variation", "50ms", "0s", "1m")
            .readAgain();

    private final ExtensionPolicy<Figures> live;

    /** @param delayVariation by how much the delays of calls may differ */
    private record Figures(Policy policy, Duration delayVariation) {}

    private OutboundPolicy(ExtensionPolicy<Figures> live) {
        this.live = live;
    }

    /**
     * A policy that configuration alone declares. It is checked also while it is switched off,
     * because it may be switched on later.
     *
     * @param nanos a clock that does not step, in ns
     * @throws InvalidSettingException if it is not declared there, or cannot be used for calls
     */
    public static OutboundPolicy configured(String name, Settings settings, LongSupplier nanos) {
        return new OutboundPolicy(ExtensionPolicy.configured(name, settings, nanos, OutboundPolicy::usable));
    }

    /**
     * @param nanos a clock that does not step, in ns
     * @throws InvalidSettingException if it cannot be used for calls
     */
    public static OutboundPolicy given(Policy policy, Settings settings, LongSupplier nanos) {
        return new OutboundPolicy(ExtensionPolicy.given(policy, settings, nanos, OutboundPolicy::usable));
    }

    private static Figures usable(Policy policy, Settings settings) {
        if (policy.rules().leases() || policy.algorithm() == Algorithm.GATE) {
            throw new InvalidPolicyException(
                    "algorithm",
                    "policy \"" + policy.name() + "\" limits outbound calls, for which " + policy.algorithm()
                            + " cannot be used: no filter learns when a failed call ends; choose another");
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
        if (!ExtensionAccess.isStoreNamed(settings)) {
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
                    "limiter.policy." + policy.name() + ".on-store-failure",
                    "is " + failure
                            + ", so each instance would take a partner's whole limit when Redis fails; set CLOSED, or"
                            + " LOCAL together with limiter.expected-instances");
        }
    }

    /** The policy in force; null while it is switched off. */
    public Policy inForce() {
        Figures now = live.inForce();
        return now == null ? null : now.policy;
    }

    /** By how much the delays of calls may differ; zero while it is switched off. */
    public Duration delayVariation() {
        Figures now = live.inForce();
        return now == null ? Duration.ZERO : now.delayVariation;
    }

    public PartitionKey key() {
        return live.key();
    }
}
