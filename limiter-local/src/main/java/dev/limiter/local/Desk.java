package dev.limiter.local;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Where one thread at a time reads and writes, and where others hand in what is to be written, without waiting: whoever is there
 * writes it before anything else, and who leaves looks once more, for nobody may come for a long time. Every request that the
 * store admits hands something in, and with a lock would wait for all others.
 */
final class Desk {
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<LongConsumer> handedIn = new ConcurrentLinkedQueue<>();
    private final LongSupplier nowMicros;

    Desk(LongSupplier nowMicros) {
        this.nowMicros = nowMicros;
    }

    /** Waits until nobody else is there, and writes what was handed in. Whoever opens it shuts it. */
    void open() {
        lock.lock();
        try {
            writeHandedIn();
        } catch (RuntimeException | Error failed) {
            lock.unlock();
            throw failed;
        }
    }

    void shut() {
        lock.unlock();
        writeIfShut();
    }

    /**
     * Waits for nobody.
     *
     * @param writes called once, with the instant at which it is, while nobody else is there
     */
    void handIn(LongConsumer writes) {
        handedIn.add(writes);
        writeIfShut();
    }

    private void writeIfShut() {
        while (!handedIn.isEmpty() && lock.tryLock()) {
            try {
                writeHandedIn();
            } finally {
                lock.unlock();
            }
        }
    }

    private void writeHandedIn() {
        LongConsumer next = handedIn.poll();
        for (long now = next == null ? 0 : nowMicros.getAsLong(); next != null; next = handedIn.poll()) {
            next.accept(now);
        }
    }
}
