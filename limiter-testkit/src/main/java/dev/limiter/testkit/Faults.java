package dev.limiter.testkit;

import java.time.Duration;

/**
 * How a {@link FaultProxy} treats what passes through it.
 *
 * @param fault what it does to bytes
 * @param marker bytes a client must have sent for the fault to concern its connection; empty: it concerns every one
 * @param requestDelayNanos how long bytes from the client are held back
 * @param replyDelayNanos how long bytes from the server are held back
 */
record Faults(Fault fault, byte[] marker, long requestDelayNanos, long replyDelayNanos) {

    static final Faults NONE = new Faults(Fault.NONE, new byte[0], 0, 0);

    Faults with(Fault other, byte[] onlyAfter) {
        return new Faults(other, onlyAfter.clone(), requestDelayNanos, replyDelayNanos);
    }

    Faults withLatency(Duration requests, Duration replies) {
        if (requests.isNegative() || replies.isNegative()) {
            throw new IllegalArgumentException("latency must be at least 0, was " + requests + ", " + replies);
        }
        return new Faults(fault, marker, requests.toNanos(), replies.toNanos());
    }
}
