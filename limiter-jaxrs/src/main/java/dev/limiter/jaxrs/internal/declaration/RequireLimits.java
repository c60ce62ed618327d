package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.spi.Setting;
import java.util.Locale;

/** What becomes of endpoints that have neither a limit nor an exemption. */
enum RequireLimits {
    /** The list at the start names them. */
    LIST,
    /** A warning names them, too. */
    WARN,
    /** The deployment fails. */
    FAIL;

    static final Setting<RequireLimits> SETTING = Setting.of("limiter.require-limits", "list", text -> {
        for (RequireLimits each : values()) {
            if (each.name().equals(text.strip().toUpperCase(Locale.ROOT))) {
                return each;
            }
        }
        throw new IllegalArgumentException("must be list, warn or fail, was \"" + text.strip() + '"');
    });
}
