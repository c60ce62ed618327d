package dev.limiter.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.local.internal.memory.MemoryStore;
import dev.limiter.local.internal.memory.StoreRecorder;
import dev.limiter.spi.Receipt;
import dev.limiter.spi.algorithm.FixedWindow;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Admissions of the store while another thread holds the lock of the mirror. */
class CombinedTasksTest {
    private static final Policy POLICY = Policy.of("p", Algorithm.FIXED_WINDOW, 1_000_000, Duration.ofDays(1));
    private static final List<Check> ONE = List.of(Check.of(POLICY, PartitionKey.of("user", "alice")));
    private static final List<CheckResult> ADMITTED =
            List.of(new CheckResult(POLICY, true, POLICY.limit() - 1, 0, 1, 1));
    private static final Receipt THEIRS = new Receipt(ONE, List.of(new FixedWindow.Snapshot(true, 0, 1)), 0);

    @Test
    void noCallerWaitsForTheMirrorAndRecordsComeBeforeReads() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        Thread test = Thread.currentThread();
        List<Thread> seen = new CopyOnWriteArrayList<>();
        InstantSource clock = () -> {
            seen.add(Thread.currentThread());
            if (Thread.currentThread() != test) {
                open.countDown();
                await(closing);
            }
            return Instant.EPOCH;
        };
        MemoryStore store = new MemoryStore(clock);
        StoreRecorder recorder = new StoreRecorder(store);
        Thread reader = new Thread(() -> store.peek(new CheckGroup(ONE)));
        reader.start();
        await(open);
        Receipt first = recorder.admit(ONE, ADMITTED, THEIRS, 0);
        recorder.admit(ONE, ADMITTED, THEIRS, 0);
        assertThat(reader.isAlive()).isTrue();
        closing.countDown();
        reader.join();
        assertThat(seen).as("written when the mirror was shut").containsExactly(reader, reader);
        assertThat(first.spend()).hasSize(1);
        assertThat(used(store)).isEqualTo(2);
    }

    /**
     * A thread owns the mirror's lock and gives back a receipt. Another thread reads that
     * receipt, and waits for the lock.
     */
    @Test
    void theOwnerOfTheMirrorDoesNotWaitForThreadsThatWaitForIt() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Thread test = Thread.currentThread();
        MemoryStore store = new MemoryStore(() -> {
            if (Thread.currentThread() != test) {
                open.countDown();
                await(goOn);
            }
            return Instant.EPOCH;
        });
        StoreRecorder recorder = new StoreRecorder(store);
        Receipt receipt = recorder.admit(ONE, ADMITTED, THEIRS, 0);
        Thread givingBack = started(() -> store.refund(receipt));
        await(open);
        Thread looking = started(receipt::unspent);
        while (looking.isAlive() && looking.getState() != Thread.State.WAITING) {
            Thread.onSpinWait(); // for the mirror
        }
        goOn.countDown();
        while (givingBack.isAlive() || looking.isAlive()) {
            assertThat(ManagementFactory.getThreadMXBean().findDeadlockedThreads())
                    .as("threads that wait for each other")
                    .isNull();
        }
        assertThat(used(store)).isZero();
    }

    private static Thread started(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Test
    void whatManyHandInAtOnceIsWrittenOnceEach() throws Exception {
        MemoryStore store = new MemoryStore(() -> Instant.EPOCH);
        StoreRecorder recorder = new StoreRecorder(store);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            all.add(threads.submit(() -> {
                for (int i = 0; i < 5_000; i++) {
                    Receipt receipt = recorder.admit(ONE, ADMITTED, THEIRS, 0);
                    if (i % 5 == 0) {
                        assertThat(store.refund(receipt)).isTrue();
                    }
                }
            }));
        }
        for (Future<?> each : all) {
            each.get(30, TimeUnit.SECONDS);
        }
        threads.shutdown();
        assertThat(used(store)).isEqualTo(8 * 4_000);
    }

    private static long used(MemoryStore store) {
        return POLICY.limit() - store.peek(new CheckGroup(ONE)).get(0).remaining();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
