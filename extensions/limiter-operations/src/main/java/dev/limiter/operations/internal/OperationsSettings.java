package dev.limiter.operations.internal;

import dev.limiter.internal.settings.ModuleSettings;
import dev.limiter.spi.Setting;
import java.util.List;

/** The settings of this module. */
public final class OperationsSettings implements ModuleSettings {
    /** The role of operators where no {@code @RolesAllowed} names it. */
    static final Setting<String> ROLE = Setting.text("limiter.operations.role");

    /** Whether everybody may operate. */
    static final Setting<Boolean> UNPROTECTED = Setting.flag("limiter.operations.unprotected", false);

    /** For {@link java.util.ServiceLoader}. */
    public OperationsSettings() {}

    @Override
    public List<Setting<?>> settings() {
        return List.of(ROLE, UNPROTECTED);
    }
}
