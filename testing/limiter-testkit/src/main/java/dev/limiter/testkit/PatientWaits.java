package dev.limiter.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A wait without a bound of its own only guards against a hang: it lasts as long as a machine with
 * other things to do may need, and ends soon after what it waits for. JUnit finds this by itself.
 */
public final class PatientWaits implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
        Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
        Awaitility.setDefaultPollDelay(Duration.ZERO);
    }
}
