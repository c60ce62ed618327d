package dev.limiter.outbound.internal;

import dev.limiter.internal.settings.ModuleSettings;
import dev.limiter.spi.Setting;
import java.util.List;

/** The settings of this module. */
public final class OutboundSettings implements ModuleSettings {
    /** For {@link java.util.ServiceLoader}. */
    public OutboundSettings() {}

    @Override
    public List<Setting<?>> settings() {
        return List.of(OutboundPolicy.DELAY_VARIATION);
    }
}
