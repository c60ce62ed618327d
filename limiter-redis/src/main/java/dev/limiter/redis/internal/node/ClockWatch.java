package dev.limiter.redis.internal.node;

import dev.limiter.spi.Signals;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Notices when a server's clock steps by more than {@value #TOLERANCE_SECONDS} s, or stands still: all limits go by it. The watch
 * of this process tells, for both have measured the time between two decisions.
 */
public final class ClockWatch {
    static final int TOLERANCE_SECONDS = 1;

    private static final long TOLERANCE = TimeUnit.SECONDS.toMicros(TOLERANCE_SECONDS);

    /** Two good clocks drift apart, too, by a second in a day or so: 12 ppm. */
    private static final long COMPARED_FOR = TimeUnit.SECONDS.toMicros(10);

    /** The allowed drift is 200 ppm: no clock of use drifts that much. It counts after days without a decision. */
    private static final long DRIFT_DIVISOR = 5_000;

    private final Signals signals;
    private final AtomicReference<Sample> last = new AtomicReference<>();

    public ClockWatch(Signals signals) {
        this.signals = signals;
    }

    /** An instant of the server, and between which instants of the watch it was; in µs. */
    private record Sample(long server, long after, long before) {

        /** By how much more than the watch the server's clock has gone since, if no round trip explains it; else 0. */
        long stepTo(long serverNow, long nowAfter, long nowBefore) {
            long went = serverNow - server;
            long atLeast = nowAfter - before;
            long atMost = nowBefore - after;
            return went > atMost ? went - atMost : Math.min(0, went - atLeast);
        }
    }

    /**
     * @param serverMicros the instant that a decision names
     * @param askedNanos the watch before it was asked for
     * @param answeredNanos the watch when it was there
     */
    public void saw(long serverMicros, long askedNanos, long answeredNanos) {
        long after = askedNanos / 1_000;
        long before = answeredNanos / 1_000;
        Sample then = last.get();
        long went = then == null ? 0 : before - then.before;
        boolean steps =
                then != null && Math.abs(then.stepTo(serverMicros, after, before)) > TOLERANCE + went / DRIFT_DIVISOR;
        boolean old = then == null || went > COMPARED_FOR;
        if ((steps || old) && last.compareAndSet(then, new Sample(serverMicros, after, before)) && steps) {
            signals.clockStepped();
        }
    }
}
