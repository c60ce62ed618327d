package dev.limiter.local;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands until it is moved. */
public final class VirtualClock implements InstantSource {
    private long micros = 1_700_000_000_000_000L;

    @Override
    public Instant instant() {
        return Instant.ofEpochSecond(micros / 1_000_000, micros % 1_000_000 * 1_000);
    }

    public long micros() {
        return micros;
    }

    public void advance(long byMicros) {
        micros += byMicros;
    }
}
