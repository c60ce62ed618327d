package dev.limiter.jaxrs.internal.settings;

import dev.limiter.spi.Settings;

/** Settings of several sources, of which the one with the highest ordinal wins. */
interface OrdinalSettings extends Settings {

    /** The ordinal of the source that has a setting; 0 or less if none has it. */
    int ordinal(String name);
}
