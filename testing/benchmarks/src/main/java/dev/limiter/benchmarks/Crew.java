package dev.limiter.benchmarks;

import java.util.concurrent.ThreadFactory;

/** Who asks: platform threads, or the virtual ones of a newer JDK than this is compiled for. */
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

    /** As it is called in the tables. */
    String text() {
        return switch (this) {
            case PLATFORM -> size + " platform threads";
            case VIRTUAL -> size + " virtual threads";
        };
    }
}
