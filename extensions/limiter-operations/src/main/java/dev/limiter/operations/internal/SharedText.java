package dev.limiter.operations.internal;

import java.util.List;
import java.util.Optional;

/** Where the instances of an application share changes and reports. */
interface SharedText {
    /**
     * What was there.
     *
     * @param nowMillis the store's clock, in ms since 1970
     * @param other the text; empty if it has the version that was asked for
     */
    record Found(long nowMillis, Optional<String> other) {}

    /**
     * Reads the text, unless it has a version.
     *
     * @throws dev.limiter.StoreUnavailableException if the store does not answer in time
     */
    Found read(String version);

    /**
     * Puts a text in the place of the one that has a version, for ever. If another one is there, it
     * stays, and is what was found.
     *
     * @throws dev.limiter.StoreUnavailableException if the store does not answer in time; it may
     *     have been written
     */
    Found write(String version, String text);

    /**
     * Adds the parts of a report, for ten seconds.
     *
     * @param asked the question
     * @param parts each at most 1 MiB long
     */
    void report(String asked, List<String> parts);

    /** The parts of the reports of all instances. */
    List<String> reports(String asked);
}
