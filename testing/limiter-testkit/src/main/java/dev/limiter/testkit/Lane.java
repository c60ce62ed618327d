package dev.limiter.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One direction of a {@link Link}: what has been read and not yet passed on, in order, each with
 * the time it is due.
 */
final class Lane {

    private static final int CHUNK_BYTES = 64 * 1024;

    private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK_BYTES);
    private final Deque<Parcel> parcels = new ArrayDeque<>();
    private boolean ended;
    private long freeNanos;

    /** @param bytes what was read, none at the end */
    record Parcel(Kind kind, ByteBuffer bytes, long dueNanos) {}

    enum Kind {
        BYTES,
        /** The sender has said that no more will come. */
        END,
        /** The sender has reset the connection. */
        RESET
    }

    /**
     * @param nanosPerByte how long a byte keeps those behind it waiting
     */
    void read(SocketChannel from, long nowNanos, long delayNanos, long nanosPerByte) {
        Kind kind = readInto(from);
        ended = kind != Kind.BYTES;
        byte[] copy = new byte[buffer.flip().remaining()];
        buffer.get(copy).clear();
        long beginsNanos = parcels.isEmpty() ? nowNanos : Math.max(nowNanos, freeNanos);
        freeNanos = beginsNanos + copy.length * nanosPerByte;
        parcels.addLast(new Parcel(kind, ByteBuffer.wrap(copy), freeNanos + delayNanos));
    }

    private Kind readInto(SocketChannel from) {
        try {
            return from.read(buffer) < 0 ? Kind.END : Kind.BYTES;
        } catch (IOException reset) {
            return Kind.RESET;
        }
    }

    /** Whether there is nothing more to read. */
    boolean hasEnded() {
        return ended;
    }

    /**
     * The oldest parcel; null if there is none, or it has to wait until {@code nowNanos} is later.
     */
    Parcel due(long nowNanos) {
        Parcel oldest = parcels.peekFirst();
        return oldest == null || oldest.dueNanos() - nowNanos > 0 ? null : oldest;
    }

    void removeOldest() {
        parcels.removeFirst();
    }

    /**
     * Nanoseconds until the oldest parcel is due, 0 or less if it is, {@code Long.MAX_VALUE} if
     * there is none.
     */
    long nanosUntilDue(long nowNanos) {
        Parcel oldest = parcels.peekFirst();
        return oldest == null ? Long.MAX_VALUE : oldest.dueNanos() - nowNanos;
    }
}
