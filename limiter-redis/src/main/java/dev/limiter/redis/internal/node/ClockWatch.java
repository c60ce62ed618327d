package dev.limiter.redis.internal.node;

import dev.limiter.spi.Signals;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Notices when a server's clock steps by more than {@value #TOLERANCE_SECONDS} s, or stands
 * still, because all limits go by that clock. It compares the time between two decisions on both
 * clocks.
 */
public final class ClockWatch {
    static final int TOLERANCE_SECONDS = 1;

    private static final long TOLERANCE = TimeUnit.SECONDS.toMicros(TOLERANCE_SECONDS);

    /**
     * How long samples are compared. Two good clocks drift apart by a second in a day or so: 12
     * ppm.
     */
    private static final long COMPARED_FOR = TimeUnit.SECONDS.toMicros(10);

    /**
     * Tolerated drift of the two clocks: 200 ppm of the time since the last sample. It matters
     * only after days without a decision.
     */
    private static final long DRIFT_DIVISOR = 5_000;

    private final Signals signals;
    private final Runnable doubtReplies;
    private final AtomicReference<Sample> last = new AtomicReference<>();

    /** @param doubtReplies runs before a step is told: earlier waits go by this clock */
    public ClockWatch(Signals signals, Runnable doubtReplies) {
        this.signals = signals;
        this.doubtReplies = doubtReplies;
    }

    /**
     * An instant of the server, and the instants of the own clock before and after it; in µs.
     */
    private record Sample(long server, long after, long before) {

        /**
         * By how much the server's clock has stepped since this sample, beyond what the round
         * trips explain; otherwise 0.
         */
        long stepTo(long serverNow, long nowAfter, long nowBefore) {
            long went = serverNow - server;
            long atLeast = nowAfter - before;
            long atMost = nowBefore - after;
            return went > atMost ? went - atMost : Math.min(0, went - atLeast);
        }
    }

    /**
     * @param serverMicros the instant that a decision names
     * @param askedNanos the own clock before the call
     * @param answeredNanos the own clock after the reply
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
            doubtReplies.run();
            signals.happened(Signals.Incident.CLOCK_STEPPED);
        }
    }
}
