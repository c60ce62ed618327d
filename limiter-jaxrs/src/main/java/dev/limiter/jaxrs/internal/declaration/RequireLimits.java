package dev.limiter.jaxrs.internal.declaration;

import dev.limiter.spi.Setting;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What becomes of endpoints that have neither a limit nor an exemption. */
public enum RequireLimits {
    /** The list at the start names them. */
    LIST,
    /** A warning names them, too. */
    WARN,
    /** The deployment fails. */
    FAIL;

    public static final Setting<RequireLimits> SETTING = Setting.of("limiter.require-limits", "list", text -> {
        try {
            return valueOf(text.strip().toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException("must be list, warn or fail, was \"" + text.strip() + '"');
        }
    });

    /**
     * The paths that need no limit, each with all below it: endpoints of libraries, which cannot
     * be annotated.
     */
    public static final Setting<List<String>> EXEMPT =
            Setting.of("limiter.require-limits.exempt", "", RequireLimits::paths);

    private static List<String> paths(String text) {
        List<String> paths = Stream.of(text.split(","))
                .map(String::strip)
                .filter(path -> !path.isEmpty())
                .toList();
        if (!paths.stream().allMatch(path -> path.matches("(/[^/*\\s]+)+"))) {
            throw new IllegalArgumentException(
                    "must be paths, each with all below it, such as \"/actuator\", was \"" + text.strip() + '"');
        }
        return paths;
    }
}
