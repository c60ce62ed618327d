package dev.limiter.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** How soon instances follow an operator. */
final class Promised {
    static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    private Promised() {}

    /**
     * Asks until the instances follow. A question that begins later than promised must find that
     * they do. How long the machine takes for a question does not matter.
     *
     * @param sinceNanos when the operator had the answer
     */
    static void since(long sinceNanos, BooleanSupplier follow) {
        long begun = System.nanoTime();
        while (!follow.getAsBoolean()) {
            assertThat(begun - sinceNanos)
                    .as("ns after the operator's answer an instance does not follow")
                    .isLessThan(NANOS);
            begun = System.nanoTime();
        }
    }
}
