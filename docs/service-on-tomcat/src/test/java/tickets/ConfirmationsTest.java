package tickets;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.limiter.local.LocalRateLimiter;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConfirmationsTest {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    Confirmations confirmations = new Confirmations();

    @BeforeEach
    void limitInMemory() {
        confirmations.limiter = new LocalRateLimiter(() -> now);
    }

    @Test
    void theThirdMailWaitsForTheNextHour() {
        assertTrue(confirmations.send("circus"));
        assertTrue(confirmations.send("circus"));
        assertFalse(confirmations.send("circus"));
        assertTrue(confirmations.send("opera"));
        now = now.plus(Duration.ofHours(1));
        assertTrue(confirmations.send("circus"));
    }
}
