package dev.limiter.testkit.heap;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Counts the objects of a class that can be reached, by a full collection. The size of a map does
 * not tell what its removed entries still hold.
 */
public final class LiveObjects {
    private static final int COUNT = 1;
    private static final int BYTES = 2;
    private static final int NAME = 3;

    private LiveObjects() {}

    /** How many objects of exactly this class there are in this process. */
    public static long count(Class<?> type) {
        return inHistogram(type, COUNT);
    }

    /** The bytes that they take, without what they refer to. */
    public static long bytes(Class<?> type) {
        return inHistogram(type, BYTES);
    }

    private static long inHistogram(Class<?> type, int column) {
        try {
            String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {null},
                            new String[] {String[].class.getName()});
            return histogram
                    .lines()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(columns -> columns.length > NAME && columns[NAME].equals(type.getName()))
                    .mapToLong(columns -> Long.parseLong(columns[column]))
                    .sum();
        } catch (JMException impossible) {
            throw new AssertionError("no histogram of the heap", impossible);
        }
    }
}
