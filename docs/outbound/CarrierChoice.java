import dev.limiter.*;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

public record CarrierChoice(RateLimiter limiter, List<String> carriers) {
    static final Policy CALLS = Policy.leakyBucket("carriers", 10, Duration.ofSeconds(1), Duration.ofMillis(200))
            .whenStoreFails(OnStoreFailure.CLOSED);

    /** The carrier whose turn it is now; empty if all would take longer than 200 ms. */
    public Optional<String> next() throws InterruptedException {
        for (String carrier : carriers) {
            CheckGroup slot = CheckGroup.of(Check.of(CALLS, PartitionKey.of("carrier", carrier))).withGates();
            if (limiter.acquire(slot, Duration.ofMillis(200)).admitted()) {
                return Optional.of(carrier);
            }
        }
        return Optional.empty();
    }
}
