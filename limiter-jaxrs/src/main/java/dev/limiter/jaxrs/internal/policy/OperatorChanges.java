package dev.limiter.jaxrs.internal.policy;

import dev.limiter.InvalidPolicyException;
import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.internal.settings.CachedSettings;
import dev.limiter.jaxrs.internal.settings.ChangedSettings;
import dev.limiter.jaxrs.internal.settings.LiveSettings;
import dev.limiter.jaxrs.internal.settings.PolicySettingNames;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** What operators have changed while the application runs. It wins over configuration. */
public final class OperatorChanges {
    private final LiveSettings settings;
    private final Duration lease;
    private final boolean operated;
    private final Supplier<List<ReloadablePolicy>> policies;
    private volatile Map<String, String> values = Map.of();
    private volatile Map<String, Function<PartitionKey, QuotaSource.Quota>> callers = Map.of();

    /** Null where no module lets operators change anything. */
    private volatile Runnable whenDue;

    OperatorChanges(
            LiveSettings settings, Duration lease, boolean operated, Supplier<List<ReloadablePolicy>> policies) {
        this.settings = settings;
        this.lease = lease;
        this.operated = operated;
        this.policies = policies;
    }

    /** Has changes read for every request, when it is time. */
    public void readBy(Runnable due) {
        whenDue = due;
    }

    void readWhenDue() {
        Runnable due = whenDue;
        if (due != null) {
            due.run();
        }
    }

    /** By the name of the setting. */
    public Map<String, String> values() {
        return values;
    }

    /**
     * Puts changes in force. One that is not possible here is logged, and its policy stays as
     * configured.
     *
     * @param changed values by the name of the setting
     * @param numbers by policy, what gives a partition numbers of its own, or null
     */
    public void become(Map<String, String> changed, Map<String, Function<PartitionKey, QuotaSource.Quota>> numbers) {
        values = Map.copyOf(changed);
        callers = Map.copyOf(numbers);
        policies.get().forEach(this::giveNumbersTo);
        settings.readAgainNow();
    }

    void giveNumbersTo(ReloadablePolicy policy) {
        policy.callersFrom(callers.get(policy.name()));
    }

    /**
     * The version of a policy with these changes, which need not be in force.
     *
     * @throws InvalidSettingException if a value cannot be read, or breaks a rule of the policy
     */
    public PolicyVersion with(Map<String, String> changed, PolicyDeclaration declaration) {
        return with(changed, declaration, new CachedSettings(settings.present()));
    }

    private PolicyVersion with(Map<String, String> changed, PolicyDeclaration declaration, Settings now) {
        Settings all = changed.isEmpty() ? now : new ChangedSettings(changed, now);
        return new PolicyOverrides(declaration.name(), all, lease, operated).over(declaration);
    }

    /** The version in force: with the changes, if they are possible. */
    PolicyVersion over(PolicyDeclaration declaration, Settings now) {
        String prefix = PolicySettingNames.PREFIX + declaration.name() + '.';
        if (values.keySet().stream().anyMatch(name -> name.startsWith(prefix))) {
            try {
                return with(values, declaration, now);
            } catch (InvalidSettingException impossible) {
                settings.attempt(() -> {
                    throw new IllegalStateException("A change is not in force here: " + impossible.getMessage());
                });
            }
        }
        return with(Map.of(), declaration, now);
    }

    /**
     * The numbers that operators have given to single partitions of a policy. They win over tiers
     * and contracts.
     */
    static final class CallerNumbers {
        private final Function<PartitionKey, QuotaSource.Quota> numbers;
        private final Map<QuotaSource.Quota, Known> known = new ConcurrentHashMap<>();

        private record Known(PolicyVersion version, EffectivePolicy policy) {}

        /** @param numbers null for a partition without numbers of its own */
        CallerNumbers(Function<PartitionKey, QuotaSource.Quota> numbers) {
            this.numbers = numbers;
        }

        /** What counts a partition; null if it has no numbers of its own that are possible now. */
        EffectivePolicy of(ReloadablePolicy policy, PartitionKey key) {
            QuotaSource.Quota own = numbers.apply(key);
            if (own == null) {
                return null;
            }
            PolicyVersion version = policy.version();
            Known made = known.get(own);
            if (made == null || made.version() != version) {
                made = new Known(version, possible(policy, version, own));
                known.put(own, made);
            }
            return made.policy();
        }

        private static EffectivePolicy possible(ReloadablePolicy policy, PolicyVersion version, QuotaSource.Quota own) {
            try {
                return version.enabled() ? policy.with(version, own.limit(), own.burst()) : null;
            } catch (InvalidPolicyException changed) {
                return null; // the algorithm was changed meanwhile
            }
        }
    }
}
