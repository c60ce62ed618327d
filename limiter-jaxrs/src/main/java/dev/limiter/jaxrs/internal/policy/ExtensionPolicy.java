package dev.limiter.jaxrs.internal.policy;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.settings.LiveSettings;
import dev.limiter.jaxrs.internal.settings.PolicySettingNames;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * A policy of calls that are no requests, such as those to a partner, with what is made of it:
 * configuration can change both while calls are made.
 *
 * @param <T> what an extension makes of the policy
 */
public final class ExtensionPolicy<T> {
    private final PartitionKey key;
    private final LiveSettings settings;
    private volatile T inForce;

    private ExtensionPolicy(PartitionKey key, Settings settings, LongSupplier nanos, Function<Settings, T> reader) {
        this.key = key;
        this.inForce = reader.apply(settings);
        this.settings = new LiveSettings(settings, nanos, (now, problems) -> {
            try {
                T read = reader.apply(now);
                return changes -> inForce = read;
            } catch (RuntimeException unreadable) {
                problems.add(unreadable);
                return changes -> {};
            }
        });
    }

    /**
     * A policy that configuration alone declares. It is checked also while it is switched off,
     * because it may be switched on later.
     *
     * @param nanos a clock that does not step, in ns
     * @param usable makes of the policy what is in force, or refuses it
     * @throws InvalidSettingException if it is not declared there, or cannot be used
     */
    public static <T> ExtensionPolicy<T> configured(
            String name, Settings settings, LongSupplier nanos, BiFunction<Policy, Settings, T> usable) {
        usable.apply(version(name, settings).policy(), settings); // its errors come before those of the key
        return new ExtensionPolicy<>(keyOf(name, settings), settings, nanos, now -> {
            PolicyVersion version = version(name, now);
            return version.enabled() ? inForce(version.policy(), now, usable) : null;
        });
    }

    /**
     * A policy that code makes, of which all calls are counted together.
     *
     * @param nanos a clock that does not step, in ns
     * @param usable makes of the policy what is in force, or refuses it
     */
    public static <T> ExtensionPolicy<T> given(
            Policy policy, Settings settings, LongSupplier nanos, BiFunction<Policy, Settings, T> usable) {
        usable.apply(policy, settings);
        return new ExtensionPolicy<>(
                PartitionKey.of("literal", "all"), settings, nanos, now -> inForce(policy, now, usable));
    }

    private static <T> T inForce(Policy policy, Settings settings, BiFunction<Policy, Settings, T> usable) {
        return PolicyRegistry.ENABLED.in(settings) ? usable.apply(policy, settings) : null;
    }

    private static PolicyVersion version(String name, Settings settings) {
        return new ConfigurationPolicy(name, settings)
                .read(Policy.DEFAULT_LEASE, false)
                .version();
    }

    /** The key of calls. A call is no request, so the key must be a literal. */
    private static PartitionKey keyOf(String name, Settings settings) {
        String setting = PolicySettingNames.PREFIX + name + ".key";
        KeyExpression key = KeyExpression.compile(settings.value(setting).orElseThrow());
        if (!key.sources().stream().allMatch(KeyValueSource::isLiteral)) {
            throw new InvalidSettingException(
                    setting, "\"" + key.text() + "\" needs a request, which outbound calls lack; write 'all'");
        }
        return key.partition(null);
    }

    /** What is in force now, after reading again when it is time; null while it is switched off. */
    public T inForce() {
        settings.readAgainWhenDue();
        return inForce;
    }

    /** The partition of calls that have none of their own. */
    public PartitionKey key() {
        return key;
    }
}
