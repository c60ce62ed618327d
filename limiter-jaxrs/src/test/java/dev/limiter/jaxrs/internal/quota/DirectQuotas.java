package dev.limiter.jaxrs.internal.quota;

import dev.limiter.jaxrs.QuotaSource;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import java.util.function.LongSupplier;

/** Contract quotas for tests of other packages: the thread of a request calls the bean. */
public final class DirectQuotas {
    private DirectQuotas() {}

    /**
     * A bean of {@code quota} that CDI does not know.
     *
     * @param nanos the clock of the test, in ns
     * @param cacheNanos how long an answer holds
     */
    public static QuotaBean bean(QuotaSource bean, LongSupplier nanos, long cacheNanos) {
        ContractQuotas contracts = new ContractQuotas(
                Runnable::run, nanos, cacheNanos, QuotaThreads.MAX_WAIT_NANOS, () -> new RequestSignals() {});
        return new QuotaBean("contracts", new Lazy<>(() -> bean), contracts);
    }
}
