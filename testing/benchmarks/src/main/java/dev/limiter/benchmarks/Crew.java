package dev.limiter.benchmarks;

import java.util.concurrent.ThreadFactory;

/**
 * The threads that ask: platform threads, or the virtual threads of a JDK that is newer than the
 * compiler's.
 */
enum Crew {
    PLATFORM(64),
    VIRTUAL(256);

    private final int size;

    Crew(int size) {
        this.size = size;
    }

    int size() {
        return size;
    }

    ThreadFactory threads() {
        return switch (this) {
            case PLATFORM -> Thread::new;
            case VIRTUAL -> virtual();
        };
    }

    private static ThreadFactory virtual() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
        } catch (ReflectiveOperationException tooOld) {
            throw new IllegalStateException("no virtual threads before JDK 21", tooOld);
        }
    }

    /** Its name in the tables. */
    String text() {
        return switch (this) {
            case PLATFORM -> size + " platform threads";
            case VIRTUAL -> size + " virtual threads";
        };
    }
}
