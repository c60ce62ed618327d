package dev.limiter.benchmarks;

import java.util.concurrent.ThreadFactory;

/**
 * The threads that ask: platform threads, or the virtual threads of a JDK that is newer than the
 * compiler's.
 */
enum Crew {
    PLATFORM(64, 3),
    VIRTUAL(256, 4);

    private final int size;
    private final int turns;

    Crew(int size, int turns) {
        this.size = size;
        this.turns = turns;
    }

    int size() {
        return size;
    }

    /** How often a round measures each block: speed varies more with virtual threads. */
    int turns() {
        return turns;
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
