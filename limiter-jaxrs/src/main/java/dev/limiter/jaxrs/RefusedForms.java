package dev.limiter.jaxrs;

import java.util.function.LongSupplier;

/** Says at most once a minute that forms are refused: how many, and of the last one why. Nothing of what it holds. */
final class RefusedForms {
    private static final System.Logger LOG = System.getLogger("dev.limiter.decision");

    private final OnceAMinute pause;

    /**
     * @param nanos a clock that does not step, in ns
     */
    RefusedForms(LongSupplier nanos) {
        this.pause = new OnceAMinute(nanos);
    }

    void log(UnreadableForm refused) {
        long times = pause.times();
        if (times > 0) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "{0} forms refused since the last such line; the last one with {1}: {2}",
                    Long.toString(times),
                    refused.status(),
                    refused.getMessage());
        }
    }
}
