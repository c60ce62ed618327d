package dev.limiter.testkit;

import java.time.Duration;

/**
 * How a {@link FaultProxy} treats what passes through it.
 *
 * @param fault what it does to bytes
 * @param marker bytes a client must have sent for the fault to concern its connection; empty: it
 *     concerns every one
 * @param requestDelayNanos how long bytes from the client are held back
 * @param replyDelayNanos how long bytes from the server are held back
 * @param nanosPerRequestByte how long the link of each connection is busy with a byte from the
 *     client
 */
record Faults(Fault fault, byte[] marker, long requestDelayNanos, long replyDelayNanos, long nanosPerRequestByte) {

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    static final Faults NONE = new Faults(Fault.NONE, new byte[0], 0, 0, 0);

    Faults with(Fault other, byte[] onlyAfter) {
        return new Faults(other, onlyAfter.clone(), requestDelayNanos, replyDelayNanos, nanosPerRequestByte);
    }

    Faults withLatency(Duration requests, Duration replies) {
        if (requests.isNegative() || replies.isNegative()) {
            throw new IllegalArgumentException("latency must be at least 0, was " + requests + ", " + replies);
        }
        return new Faults(fault, marker, requests.toNanos(), replies.toNanos(), nanosPerRequestByte);
    }

    Faults withRequestRate(int bytesPerSecond) {
        if (bytesPerSecond < 1) {
            throw new IllegalArgumentException("bytesPerSecond must be at least 1, was " + bytesPerSecond);
        }
        return new Faults(fault, marker, requestDelayNanos, replyDelayNanos, NANOS_PER_SECOND / bytesPerSecond);
    }
}
