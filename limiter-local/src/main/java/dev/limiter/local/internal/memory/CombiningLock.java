package dev.limiter.local.internal.memory;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A lock for short tasks. A thread that finds it taken leaves its task and returns. The owner runs
 * all tasks left behind before its own work, and checks again after it unlocks, because no other
 * thread may come for a long time. Each request that the store admits leaves a task; with a plain
 * lock it would wait for all others.
 */
final class CombiningLock {
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<LongConsumer> tasks = new ConcurrentLinkedQueue<>();
    private final LongSupplier nowMicros;

    CombiningLock(LongSupplier nowMicros) {
        this.nowMicros = nowMicros;
    }

    /** Waits for the lock, and runs the tasks that other threads left. */
    void lock() {
        lock.lock();
        try {
            runTasks();
        } catch (RuntimeException | Error failed) {
            lock.unlock();
            throw failed;
        }
    }

    void unlock() {
        lock.unlock();
        runTasksIfFree();
    }

    /**
     * Runs a task under the lock: now if the lock is free, else by its owner. Never waits.
     *
     * @param task called once, with the instant at which it runs
     */
    void submit(LongConsumer task) {
        if (!lock.tryLock()) {
            tasks.add(task);
            runTasksIfFree();
            return;
        }
        try {
            runTasks();
        } catch (RuntimeException | Error failed) {
            tasks.add(task); // a task of another thread failed: this one runs next
            unlock();
            throw failed;
        }
        try {
            task.accept(nowMicros.getAsLong());
        } finally {
            unlock();
        }
    }

    private void runTasksIfFree() {
        while (!tasks.isEmpty() && lock.tryLock()) {
            try {
                runTasks();
            } finally {
                lock.unlock();
            }
        }
    }

    private void runTasks() {
        LongConsumer next = tasks.poll();
        for (long now = next == null ? 0 : nowMicros.getAsLong(); next != null; next = tasks.poll()) {
            next.accept(now);
        }
    }
}
