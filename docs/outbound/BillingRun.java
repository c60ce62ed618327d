import static dev.limiter.Algorithm.SLIDING_LOG;
import dev.limiter.*;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** The duration is what the gateway says in Retry-After, zero when it has paid. */
public record BillingRun(RateLimiter limiter, Function<String, Duration> gateway) {
    static final Policy CALLS = Policy.of("gateway", SLIDING_LOG, 450, Duration.ofMinutes(1))
            .withDelayVariation(Duration.ofMillis(50))
            .whenStoreFails(OnStoreFailure.CLOSED);

    public int pay(String gatewayName, List<String> payments) throws InterruptedException {
        PartitionKey key = PartitionKey.of("gateway", gatewayName);
        CheckGroup turn = CheckGroup.of(Check.of(CALLS, key)).withGates();
        int paid = 0;
        while (paid < payments.size()) {
            if (!limiter.acquire(turn, Duration.ofMinutes(5)).admitted()) {
                return paid;                                            // the rest in the next run
            }
            Duration enough = gateway.apply(payments.get(paid));
            if (enough.isZero()) {
                paid++;
            } else {
                limiter.closeGate(CALLS, key, enough);                  // for all instances; this payment is tried again
            }
        }
        return paid;
    }
}
