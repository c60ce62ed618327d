package dev.limiter.jaxrs.internal.policy;

import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.internal.settings.CachedSettings;
import dev.limiter.jaxrs.internal.settings.ChangedSettings;
import dev.limiter.jaxrs.internal.settings.LiveSettings;
import dev.limiter.jaxrs.internal.settings.PolicySettingNames;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/** What operators have changed while the application runs. It wins over configuration. */
public final class OperatorChanges implements NumbersSource {
    private final LiveSettings settings;
    private final Duration lease;
    private final boolean operated;
    private volatile Map<String, String> values = Map.of();
    private volatile Map<String, Function<PartitionKey, QuotaSource.Quota>> callers = Map.of();

    /** Does nothing where no module lets operators change anything. */
    private volatile Runnable whenDue = () -> {};

    OperatorChanges(LiveSettings settings, Duration lease, boolean operated) {
        this.settings = settings;
        this.lease = lease;
        this.operated = operated;
    }

    /** Has changes read for every request, when it is time. */
    public void readBy(Runnable due) {
        whenDue = due;
    }

    void readWhenDue() {
        whenDue.run();
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
        settings.readAgainNow();
    }

    @Override
    public QuotaSource.Quota of(String policy, Caller caller) {
        Function<PartitionKey, QuotaSource.Quota> numbers = callers.get(policy);
        return numbers == null ? null : numbers.apply(caller.key());
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
}
