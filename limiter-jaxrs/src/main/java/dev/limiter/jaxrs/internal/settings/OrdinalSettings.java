package dev.limiter.jaxrs.internal.settings;

import dev.limiter.spi.Settings;

/** Settings of several sources, each of which stands before or behind those of Jakarta REST. */
interface OrdinalSettings extends Settings {

    /** Whether a setting is set by a source that wins over the properties of Jakarta REST. */
    boolean winsOverRest(String name);
}
