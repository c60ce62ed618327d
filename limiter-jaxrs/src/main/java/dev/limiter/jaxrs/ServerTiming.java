package dev.limiter.jaxrs;

import java.util.Locale;

/** How long a request was held, for the {@code Server-Timing} field: {@code ratelimit;dur=12.3}, in ms. */
final class ServerTiming {
    static final String NAME = "Server-Timing";

    private ServerTiming() {}

    static String of(double millis) {
        return String.format(Locale.ROOT, "ratelimit;dur=%.1f", millis);
    }
}
