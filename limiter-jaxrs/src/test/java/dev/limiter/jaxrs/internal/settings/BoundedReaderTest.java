package dev.limiter.jaxrs.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A source that answers when the test says so, and the thread that asks it. */
@Timeout(60)
class BoundedReaderTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final AtomicInteger asked = new AtomicInteger();
    private volatile CountDownLatch answers = new CountDownLatch(0);
    private volatile Error thrown;
    private final BoundedReader<Integer> reader = new BoundedReader<>(
            "one-reader-test",
            () -> {
                int number = asked.incrementAndGet();
                await(answers);
                if (thrown != null) {
                    throw thrown;
                }
                if (number == 3) {
                    throw new IllegalStateException("third");
                }
                return number;
            },
            nanos::get);

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    @Test
    void eachReadingIsANewOne() {
        assertThat(reader.read(LONG)).contains(1);
        assertThat(reader.read(LONG)).contains(2);
        assertThatThrownBy(() -> reader.read(LONG))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("third");
        assertThat(reader.read(LONG)).contains(4);
        thrown = new NoClassDefFoundError("gone");
        assertThatThrownBy(() -> reader.read(LONG)).isSameAs(thrown);
        assertThat(reader.isReading()).isFalse();
    }

    /** What an earlier reading finds after that is older, and is not taken. */
    @Test
    void aReadingThatHangsForTenSecondsIsGivenUpAndTheNextOneIsTaken() {
        CountDownLatch never = answers = new CountDownLatch(1);
        assertThat(reader.read(Duration.ofNanos(1))).isEmpty();
        nanos.addAndGet(Duration.ofSeconds(10).toNanos() - 1);
        assertThat(reader.isReading()).isTrue();
        nanos.incrementAndGet();
        assertThat(reader.isReading()).isFalse();
        untilAsked(1);
        answers = new CountDownLatch(0);
        assertThat(reader.read(LONG)).contains(2);
        never.countDown();
        thrown = new NoClassDefFoundError("as the third");
        assertThatThrownBy(() -> reader.read(LONG)).isSameAs(thrown);
    }

    @Test
    void thePauseDoublesUpToFiveMinutesAndSixteenHangAtMost() {
        answers = new CountDownLatch(1);
        long[] pauses = {10, 20, 40, 80, 160, 300, 300, 300, 300, 300, 300, 300, 300, 300, 300};
        reader.read(Duration.ofNanos(1));
        for (int i = 0; i < pauses.length; i++) {
            assertThat(reader.isExhausted()).isFalse();
            nanos.addAndGet(Duration.ofSeconds(pauses[i]).toNanos() - 1);
            reader.read(Duration.ofNanos(1));
            untilAsked(i + 1);
            assertThat(reader.isReading()).isTrue();
            nanos.incrementAndGet();
            reader.read(Duration.ofNanos(1));
            untilAsked(i + 2);
        }
        long lastBegan = nanos.get();
        nanos.addAndGet(Duration.ofDays(1).toNanos());
        assertThat(reader.isExhausted()).isTrue();
        assertThat(reader.isReading()).isTrue();
        reader.read(Duration.ofNanos(1));
        assertThat(asked).hasValue(BoundedReader.MOST);
        nanos.set(lastBegan); // or the last reading is given up, if others are over before it
        answers.countDown();
        assertThat(reader.read(LONG)).contains(BoundedReader.MOST);
        assertThat(reader.isExhausted()).isFalse();
        assertThat(reader.read(LONG)).contains(BoundedReader.MOST + 1);
    }

    /** A thread that was begun asks in its own time. */
    private void untilAsked(int times) {
        while (asked.get() < times && !Thread.currentThread().isInterrupted()) { // by the time-out
            Thread.onSpinWait();
        }
        assertThat(asked).hasValue(times);
    }

    /**
     * However often it is asked, one reading goes on; what it has found is what is read next.
     */
    @Test
    void whatHangsIsAskedOnce() {
        answers = new CountDownLatch(1);
        for (int i = 0; i < 5; i++) {
            assertThat(reader.read(Duration.ofNanos(1))).isEmpty();
            assertThat(reader.isReading()).isTrue();
        }
        answers.countDown();
        assertThat(reader.read(LONG)).contains(1);
        assertThat(asked).hasValue(1);
        assertThat(reader.read(LONG)).contains(2);
    }

    @Test
    void anInterruptedThreadDoesNotWaitAndStaysInterrupted() {
        answers = new CountDownLatch(1);
        Thread.currentThread().interrupt();
        assertThat(reader.read(LONG)).isEmpty();
        assertThat(Thread.interrupted()).isTrue();
        answers.countDown();
        assertThat(reader.read(LONG)).contains(1);
    }

    /** As where the machine has no thread left: the next call tries again. */
    @Test
    void aThreadThatCannotBeMadeIsNotWaitedFor() {
        BoundedReader<Integer> without = new BoundedReader<>(null, asked::incrementAndGet, nanos::get);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> without.read(Duration.ofNanos(1))).isInstanceOf(NullPointerException.class);
            assertThat(without.isReading()).isFalse();
        }
    }

    @Test
    void itsThreadKeepsNoApplicationRunning() {
        answers = new CountDownLatch(1);
        reader.read(Duration.ofNanos(1));
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("one-reader-test"))
                .isNotEmpty()
                .allMatch(Thread::isDaemon);
        answers.countDown();
    }
}
