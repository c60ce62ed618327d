package dev.limiter.benchmarks;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The process that started this JVM and holds its standard input. */
final class Parent {
    private static final long INTERVAL_MILLIS = 500;

    private Parent() {}

    /**
     * Ends this JVM as soon as no process holds its standard input any more, whatever the
     * reason.
     */
    static void endWithIt() {
        Thread watch = new Thread(Parent::waitForItsEnd, "parent");
        watch.setDaemon(true);
        watch.start();
    }

    /**
     * The same if the parent does not hold standard input, as in {@code mvn </dev/null}: the
     * number of our parent changes when it has gone.
     */
    static void endWhenOrphaned() {
        Optional<Long> parent = parent();
        Thread watch = new Thread(() -> waitForAnother(parent), "parent");
        watch.setDaemon(true);
        watch.start();
    }

    private static void waitForAnother(Optional<Long> parent) {
        try {
            while (parent().equals(parent)) {
                TimeUnit.MILLISECONDS.sleep(INTERVAL_MILLIS);
            }
        } catch (InterruptedException interrupted) {
            return;
        }
        Runtime.getRuntime().halt(1);
    }

    private static Optional<Long> parent() {
        return ProcessHandle.current().parent().map(ProcessHandle::pid);
    }

    private static void waitForItsEnd() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said here.
            }
        } catch (IOException gone) {
            // That is its end, too.
        }
        Runtime.getRuntime().halt(1);
    }
}
