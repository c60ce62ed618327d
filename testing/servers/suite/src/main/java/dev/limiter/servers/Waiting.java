package dev.limiter.servers;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Asks at once and often: what tests wait for takes milliseconds. */
final class Waiting {
    private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(10);

    private Waiting() {}

    static ConditionFactory await() {
        return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(BETWEEN_QUESTIONS);
    }
}
