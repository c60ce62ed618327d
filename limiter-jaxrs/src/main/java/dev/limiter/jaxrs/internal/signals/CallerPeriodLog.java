package dev.limiter.jaxrs.internal.signals;

import java.util.function.LongSupplier;

/**
 * Logs at most once a minute how many requests had no usable billing day or time zone. The line
 * has nothing of the caller.
 */
final class CallerPeriodLog implements RequestSignals {
    private static final System.Logger LOG = System.getLogger("dev.limiter.decision");

    private final LogThrottle anchors;
    private final LogThrottle zones;

    /**
     * @param nanos a clock that does not step, in ns
     */
    CallerPeriodLog(LongSupplier nanos) {
        anchors = new LogThrottle(nanos);
        zones = new LogThrottle(nanos);
    }

    @Override
    public void count(MeterSheet meter, String policy) {
        if (meter == MeterSheet.ANCHOR_UNUSABLE) {
            log(anchors, policy, "usable anchor, so their periods begin as if none were given");
        } else if (meter == MeterSheet.ZONE_UNUSABLE) {
            log(zones, policy, "known time zone, so their periods are in UTC");
        }
    }

    private static void log(LogThrottle pause, String policy, String what) {
        long times = pause.times();
        if (times > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} requests since the last such line had no {1}; the last one by \"{2}\"",
                    Long.toString(times),
                    what,
                    policy);
        }
    }
}
