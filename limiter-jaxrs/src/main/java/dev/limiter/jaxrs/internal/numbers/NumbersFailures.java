package dev.limiter.jaxrs.internal.numbers;

import dev.limiter.jaxrs.internal.signals.LogThrottle;
import dev.limiter.jaxrs.internal.signals.NumbersFailure;
import dev.limiter.jaxrs.internal.signals.RequestSignals;
import dev.limiter.jaxrs.internal.text.LogText;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Counts loads without a usable answer, and logs at most one a minute. The log has the place
 * where a bean threw, and not the message of its exception, which may have values of a key.
 */
final class NumbersFailures {
    private static final System.Logger LOG = System.getLogger("dev.limiter.numbers");

    private final Supplier<RequestSignals> signals;
    private final LogThrottle pause;

    /** @param nanos a clock that does not step, in ns */
    NumbersFailures(Supplier<RequestSignals> signals, LongSupplier nanos) {
        this.signals = signals;
        this.pause = new LogThrottle(nanos);
    }

    /** @param why null if no exception tells */
    void failed(String policy, NumbersFailure failure, Throwable why) {
        signals.get().numbersFailed(policy, failure);
        long times = pause.times();
        if (times > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} loads of contract numbers failed since the last such line; the last one for policy \"{1}\": {2}{3};"
                            + " the last known numbers hold, else those of the annotation",
                    Long.toString(times), // the same in all locales
                    policy,
                    failure.name().toLowerCase(Locale.ROOT),
                    reason(failure, why));
        }
    }

    private static String reason(NumbersFailure failure, Throwable why) {
        if (why == null) {
            return "";
        }
        if (failure == NumbersFailure.INVALID) {
            return ", " + LogText.of(why.getMessage());
        }
        StackTraceElement[] trace = why.getStackTrace();
        return ", " + why.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
    }
}
