package dev.limiter.jaxrs.internal.platform;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * A library that the limiter uses if the application has it. A version that is too old counts as
 * absent: a warning at start says so, and no request fails for it.
 */
public enum OptionalLibrary {
    MICROMETER("io.micrometer.core.instrument.MeterRegistry", "Micrometer", "1.9", "nothing is measured"),
    HEALTH(
            "org.eclipse.microprofile.health.Readiness",
            "MicroProfile Health",
            "4.0",
            "there is no health check of the limiter");

    private static final System.Logger LOG = System.getLogger("dev.limiter.plan");

    private final String type;
    private final String title;
    private final String oldest;
    private final String without;

    /**
     * @param type one of its types
     * @param oldest the first version that the tests run with
     * @param without what is missing without it
     */
    OptionalLibrary(String type, String title, String oldest, String without) {
        this.type = type;
        this.title = title;
        this.oldest = oldest;
        this.without = without;
    }

    /**
     * The object that uses the library; empty if it is absent, or the present version lacks a
     * class or method.
     *
     * @param use touches everything that will be needed of the library, so that a gap is found
     *     now
     */
    public <T> Optional<T> ifUsable(Supplier<T> use) {
        if (!Platform.isPresent(type)) {
            return Optional.empty();
        }
        try {
            return Optional.of(use.get());
        } catch (LinkageError lacking) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} is on the class path in a version that the limiter cannot use: {1}. Without {0} {2} or newer, {3}",
                    title,
                    LogText.of(lacking.toString()),
                    oldest,
                    without);
            return Optional.empty();
        }
    }
}
