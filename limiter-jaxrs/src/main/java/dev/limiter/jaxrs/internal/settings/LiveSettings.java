package dev.limiter.jaxrs.internal.settings;

import dev.limiter.spi.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Settings that the first request after {@value #PAUSE_SECONDS} s reads again. A mistake in a
 * file keeps the whole file from being used; any other keeps what was in force. Each is logged.
 */
public final class LiveSettings {
    public static final long PAUSE_SECONDS = 2;
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(PAUSE_SECONDS);

    private final LongSupplier nanos;
    private final Reader reader;
    private final AtomicLong nextReading;
    private final ReentrantLock reading = new ReentrantLock();
    private final ConfigurationErrorLog refused;
    private volatile Settings settings;

    /** Reads what may have changed. */
    @FunctionalInterface
    public interface Reader {
        /**
         * @param problems receives what cannot be read
         * @return puts what was read in force; it is given the names that changed in the file
         */
        Consumer<Set<String>> read(Settings now, List<RuntimeException> problems);
    }

    /**
     * @param nanos a clock that does not step, in ns
     */
    public LiveSettings(Settings settings, LongSupplier nanos, Reader reader) {
        this.settings = settings;
        this.nanos = nanos;
        this.reader = reader;
        this.refused = new ConfigurationErrorLog(nanos);
        this.nextReading = new AtomicLong(nanos.getAsLong() + PAUSE_NANOS);
    }

    /** The settings of the last reading. */
    public Settings present() {
        return settings;
    }

    /**
     * Reads again when it is time, unless a reading goes on: a source may take longer than the
     * pause. To be called for every request. Other requests do not wait.
     */
    public void readAgainWhenDue() {
        long due = nextReading.get();
        long now = nanos.getAsLong();
        if (now - due >= 0 && nextReading.compareAndSet(due, now + PAUSE_NANOS) && reading.tryLock()) {
            try {
                readAgain();
            } finally {
                reading.unlock();
            }
        }
    }

    /** Reads again now, after a reading that goes on. */
    public void readAgainNow() {
        reading.lock();
        try {
            readAgain();
        } finally {
            reading.unlock();
        }
    }

    /** Does something with the settings. What cannot be read is logged. */
    public void attempt(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException unreadable) {
            refused.log(unreadable);
        }
    }

    private void readAgain() {
        refused.nextReading();
        Settings before = settings;
        Settings now = before;
        try {
            now = WatchedFile.readAgain(before);
        } catch (RuntimeException broken) {
            refused.log(broken);
        }
        List<RuntimeException> problems = new ArrayList<>();
        Consumer<Set<String>> read = reader.read(new CachedSettings(now), problems);
        if (now != before && !problems.isEmpty()) {
            problems.forEach(refused::log);
            problems.clear();
            now = before;
            read = reader.read(new CachedSettings(before), problems);
        }
        problems.forEach(refused::log);
        settings = now;
        read.accept(WatchedFile.changes(before, now));
    }
}
