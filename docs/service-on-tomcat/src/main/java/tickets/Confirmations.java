package tickets;

import dev.limiter.Algorithm;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;

/** Two mails for each show in an hour. */
@ApplicationScoped
public class Confirmations {
    static final Policy MAILS = Policy.of("mails", Algorithm.SLIDING_LOG, 2, Duration.ofHours(1));

    @Inject
    RateLimiter limiter;

    public boolean send(String show) {
        return limiter.acquire(MAILS, PartitionKey.of("show", show)).admitted();
    }
}
