package dev.limiter.jaxrs.internal.numbers;

import dev.limiter.jaxrs.LimitNumbers;
import dev.limiter.jaxrs.internal.platform.Lazy;
import dev.limiter.jaxrs.internal.policy.ReloadablePolicy;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import java.util.function.LongSupplier;

/** Contract numbers for tests of other packages: the thread of a request calls the bean. */
public final class DirectLoader {
    private DirectLoader() {}

    /**
     * The numbers of a policy.
     *
     * @param nanos the clock of the test, in ns
     * @param cacheNanos how long an answer holds
     */
    public static PolicyNumbers of(ReloadablePolicy policy, LimitNumbers bean, LongSupplier nanos, long cacheNanos) {
        NumbersFailures failures = new NumbersFailures(() -> new RequestSignals() {}, nanos);
        return new PolicyNumbers(
                policy, bean(bean), new NumbersCache(), new NumbersLoader(Runnable::run, nanos, cacheNanos, failures));
    }

    /** A bean of {@code numbers} that CDI does not know. */
    public static NumbersBean bean(LimitNumbers bean) {
        return new NumbersBean("contracts", new Lazy<>(() -> bean));
    }
}
