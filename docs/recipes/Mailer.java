import static dev.limiter.Algorithm.GCRA;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import java.time.Duration;

/** Sends mails; each costs a unit for each recipient. */
public record Mailer(RateLimiter limiter) {
    static final Policy MAILS = Policy.of("mails", GCRA, 100, Duration.ofHours(1)).withBurst(10);

    public String send(String tenant, int recipients) throws InterruptedException {
        PartitionKey key = PartitionKey.of("tenant", tenant);
        CheckGroup group = CheckGroup.of(Check.of(MAILS, key));
        Decision decision = limiter.acquire(group, Duration.ofMinutes(1)); // waits
        if (decision instanceof Decision.Rejected rejected) {
            return "come again in " + rejected.retryAfter();
        }
        if (recipients == 0) {
            limiter.refund((Decision.Admitted) decision);
        } else if (recipients > 1) {
            limiter.charge(MAILS, key, recipients - 1); // known only now, so never refused
        }
        return limiter.peek(MAILS, key).remaining() + " left"; // the answer to one more, without charging
    }
}
