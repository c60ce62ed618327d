package dev.limiter.redis.faults;

import static dev.limiter.redis.faults.Limiters.ROOMY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.spi.StoreError;
import dev.limiter.testkit.FaultProxy;
import dev.limiter.testkit.RedisServer;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * An address that moves from a master to its replica, which is promoted, while open connections still lead to the old master: it
 * is a replica now, answers, and writes nothing.
 */
class DemotionTest {
    private static final Policy COUNTER = Limiters.counter("counter", ROOMY);
    private static final PartitionKey KEY = Limiters.key("all");
    private static final int CONNECTIONS = 8;

    @Test
    void atMostOneErrorForEachPooledConnectionAndThenNone() {
        Told told = new Told();
        Tally tally = new Tally();
        try (RedisServer first = RedisServer.start();
                RedisServer second = RedisServer.start("--replicaof", "127.0.0.1 " + first.port());
                FaultProxy address = FaultProxy.to(first);
                RateLimiter limiter = Limiters.closed(address.uri(), told, Limiters.PATIENT)) {
            address.latency(Duration.ofMillis(5), Duration.ofMillis(5));
            try (Crowd crowd =
                    Crowd.of(CONNECTIONS, (thread, number) -> tally.ask(() -> limiter.acquire(COUNTER, KEY)))) {
                Moments.until(
                        "all connections are open and were used",
                        () -> address.openNow() == CONNECTIONS && tally.admitted() > 10 * CONNECTIONS);
                assertThat(tally.failures()).isEmpty();

                second.command("REPLICAOF", "NO", "ONE");
                first.command("REPLICAOF", "127.0.0.1", Integer.toString(second.port()));
                address.target(second);

                long before = tally.admitted();
                Moments.until("the promoted one decides", () -> tally.admitted() > before + 20 * CONNECTIONS);
                int errors = tally.failed();
                long then = tally.admitted();
                Moments.until("it goes on", () -> tally.admitted() > then + 50 * CONNECTIONS);
                crowd.stop();
                Moments.say(
                        "demotion: %d errors on %d pooled connections, %,d admitted since, %d errors since",
                        errors, CONNECTIONS, tally.admitted() - then, tally.failed() - errors);
                assertThat(errors).isLessThanOrEqualTo(CONNECTIONS);
                assertThat(tally.failed()).isEqualTo(errors);
                assertThat(told.errors().keySet()).isSubsetOf(Set.of(StoreError.READ_ONLY));
            }
        }
    }
}
