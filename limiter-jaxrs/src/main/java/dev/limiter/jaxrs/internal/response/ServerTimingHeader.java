package dev.limiter.jaxrs.internal.response;

import java.util.Locale;

/**
 * Writes how long a request was held into {@code Server-Timing}: {@code ratelimit;dur=12.3}, in
 * ms.
 */
public final class ServerTimingHeader {
    public static final String NAME = "Server-Timing";

    private ServerTimingHeader() {}

    public static String of(double millis) {
        return String.format(Locale.ROOT, "ratelimit;dur=%.1f", millis);
    }
}
