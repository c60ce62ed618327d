package dev.limiter.example.runner;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Tells when the process that started this one has gone: killed with -9, Maven could not tell us.
 *
 * <p>Standard input would say so too, but it is at its end from the beginning in
 * {@code mvn -Prun </dev/null}. {@link ProcessHandle#onExit} asks only every 5 seconds about
 * processes that are no children, and takes a dead parent that no process has waited for as alive;
 * the number of our parent changes at once.
 */
final class ParentWatch {

    private static final long INTERVAL_MILLIS = 250;

    private ParentWatch() {}

    /** Calls {@code orphaned} once, on a thread of its own, after the parent's end. */
    static void start(Runnable orphaned) {
        Optional<Long> parent = parent();
        Thread watch = new Thread(() -> {
            if (waitForChange(parent)) {
                orphaned.run();
            }
        });
        watch.setName("parent-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private static boolean waitForChange(Optional<Long> parent) {
        try {
            while (parent().equals(parent)) {
                TimeUnit.MILLISECONDS.sleep(INTERVAL_MILLIS);
            }
            return true;
        } catch (InterruptedException interrupted) {
            return false;
        }
    }

    private static Optional<Long> parent() {
        return ProcessHandle.current().parent().map(ProcessHandle::pid);
    }
}
