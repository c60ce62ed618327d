package dev.limiter.servers.war;

import dev.limiter.jaxrs.QuotaSource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Named;

/**
 * Quotas of customers, from system properties that {@link SettingsResource} changes: all instances
 * see them, as a table of a database.
 */
@ApplicationScoped
@Named("sold")
public class SoldQuotas implements QuotaSource {

    /** The limit of the customer, or what goes wrong with it. */
    @Override
    public Quota of(Partition partition) {
        String property = "sold." + partition.value("path:customer");
        if ("hangs".equals(System.getProperty(property))) {
            Gate.await();
        }
        String sold = System.getProperty(property);
        if (sold == null) {
            return null;
        }
        return switch (sold) {
            case "throws" -> throw new IllegalStateException("on purpose");
            case "nonsense" -> Quota.of(-1);
            case "unlimited" -> Quota.ofUnlimited();
            default -> Quota.of(Long.parseLong(sold));
        };
    }
}
