package dev.limiter.jaxrs.internal.quota;

import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.internal.key.KeyExpression;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.key.Placeholder;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.platform.Platform;
import java.util.List;
import java.util.function.Consumer;

/**
 * The CDI bean behind <code>quota = "{bean:contracts}"</code>, looked up once: a proxy finds
 * the instance of its scope.
 *
 * @param name in CDI
 * @param contracts caches what the bean says
 */
public record QuotaBean(String name, Lazy<QuotaSource> bean, ContractQuotas contracts) {
    /**
     * Reads the member {@code quota}.
     *
     * @param contracts caches what the bean says
     * @return null if it is empty
     * @throws IllegalArgumentException with the mistake and its correction
     */
    public static QuotaBean compile(String text, ContractQuotas contracts) {
        if (text.isEmpty()) {
            return null;
        }
        List<KeyValueSource> alternatives =
                KeyExpression.single(text, "{bean:contracts}").alternatives();
        KeyValueSource only = alternatives.get(0);
        if (alternatives.size() > 1
                || !only.is(Placeholder.BEAN)
                || !only.name().equals(only.unfoldedName())) {
            throw new IllegalArgumentException("\"" + text
                    + "\" must be one bean that returns the quota of a partition, such as \"{bean:contracts}\"");
        }
        String name = only.parameter();
        return new QuotaBean(name, Platform.namedBean(QuotaSource.class, name), contracts);
    }

    /** The member as written. */
    public String describe() {
        return "{bean:" + name + '}';
    }

    /**
     * The quota of a partition; null for that of the annotation. Waits for the bean if no answer
     * is known, or the known answer is too old.
     *
     * @param possible refuses a quota that the policy cannot have
     */
    public QuotaSource.Quota of(String policy, PartitionKey key, Consumer<QuotaSource.Quota> possible) {
        return contracts.of(policy, key, bean, possible).now();
    }
}
