package dev.limiter.jaxrs.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A source that answers when the test says so, and the thread that asks it. */
@Timeout(60)
class BoundedReaderTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final AtomicInteger asked = new AtomicInteger();
    private volatile CountDownLatch answers = new CountDownLatch(0);
    private volatile Error thrown;
    private final BoundedReader<Integer> reader = new BoundedReader<>("one-reader-test", () -> {
        int number = asked.incrementAndGet();
        await(answers);
        if (thrown != null) {
            throw thrown;
        }
        if (number == 3) {
            throw new IllegalStateException("third");
        }
        return number;
    });

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
        BoundedReader<Integer> without = new BoundedReader<>(null, asked::incrementAndGet);
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
