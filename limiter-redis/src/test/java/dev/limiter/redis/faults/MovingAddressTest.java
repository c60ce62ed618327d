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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An address that moves from a master to its promoted replica, while open connections still lead
 * to where it was.
 */
class MovingAddressTest {
    private static final Policy COUNTER = Limiters.counter("counter", ROOMY);
    private static final PartitionKey KEY = Limiters.key("all");
    private static final int CONNECTIONS = 8;
    private static final int MANY_CONNECTIONS = 64;

    /** Failures in a row until a server is given up. */
    private static final int IN_A_ROW = 5;

    private static final String CALL = "EVALSHA";

    private final LogAssertions told = new LogAssertions();
    private final Tally tally = new Tally();
    private RedisServer first;
    private RedisServer second;
    private FaultProxy address;

    @BeforeEach
    void start() {
        first = RedisServer.start();
        second = RedisServer.start("--replicaof", "127.0.0.1", Integer.toString(first.port()));
        address = FaultProxy.to(first);
    }

    @AfterEach
    void close() {
        address.close();
        second.close();
        first.close();
    }

    /** The old master is a replica: it answers, and writes nothing. */
    @Test
    void aDemotionCostsAtMostOneErrorForEachPooledConnection() {
        try (RateLimiter limiter = pooled(CONNECTIONS, "10s");
                Crowd crowd = ask(limiter, CONNECTIONS)) {
            awaitOpen(CONNECTIONS);
            demote();
            awaitAdmitted(20 * CONNECTIONS);
            int errors = tally.failed();
            awaitAdmitted(50 * CONNECTIONS);
            crowd.stop();
            Moments.say(
                    "demotion: %d errors on %d pooled connections, %d errors since",
                    errors, CONNECTIONS, tally.failed() - errors);
            assertThat(errors).isLessThanOrEqualTo(CONNECTIONS);
            assertThat(tally.failed()).isEqualTo(errors);
            assertThat(told.errors().keySet()).isSubsetOf(Set.of(StoreError.READ_ONLY));
        }
    }

    @Test
    void aDemotionCostsNothingWhereOneAsksAfterTheOther() {
        try (RateLimiter limiter = pooled(CONNECTIONS, "10s")) {
            try (Crowd crowd = ask(limiter, CONNECTIONS)) {
                awaitOpen(CONNECTIONS);
                crowd.stop();
            }
            demote();
            try (Crowd crowd = ask(limiter, 1)) {
                awaitAdmitted(2 * CONNECTIONS);
                crowd.stop();
            }
            assertThat(tally.failures()).isEmpty();
            assertThat(told.errors()).isEmpty();
        }
    }

    /**
     * The old master hangs, and the promoted one decides once the address was given up. Only the
     * calls of that moment find it out. The test counts what is sent to the old master. Some
     * calls fail before it is given up, and each caller then has a further call under way.
     */
    @Test
    void connectionsThatWereOpenWhenTheServerFailedAreNotUsedAgain() {
        FaultProxy old = FaultProxy.to(first);
        address.close();
        address = FaultProxy.to("127.0.0.1", old.port());
        try (old;
                RateLimiter limiter = pooled(MANY_CONNECTIONS, "1s")) {
            try (Crowd crowd = ask(limiter, MANY_CONNECTIONS)) {
                awaitOpen(MANY_CONNECTIONS);
                crowd.stop();
            }
            second.command("REPLICAOF", "NO", "ONE");
            first.pause();
            second.pause();
            address.target(second);
            int before = old.timesSent(CALL);
            long moved = System.nanoTime();
            double seconds;
            try (Crowd crowd = ask(limiter, CONNECTIONS)) {
                Moments.until("the address was given up", () -> !told.open().isEmpty());
                second.resume();
                awaitAdmitted(1);
                seconds = Moments.seconds(System.nanoTime() - moved);
                awaitAdmitted(CONNECTIONS);
                crowd.stop();
            }
            try (Crowd crowd = ask(limiter, MANY_CONNECTIONS)) {
                awaitAdmitted(5 * MANY_CONNECTIONS);
                crowd.stop();
            }
            int sent = old.timesSent(CALL) - before;
            Moments.say(
                    "an address moved, and %d dead connections: back after %.2f s, %d of them were found out by a request",
                    MANY_CONNECTIONS, seconds, sent);
            assertThat(sent).isBetween(1, IN_A_ROW + CONNECTIONS);
        }
    }

    /** As many requests may be under way at once, each on a connection of its own. */
    private RateLimiter pooled(int connections, String deadline) {
        return Limiters.closed(
                address.uri(),
                told,
                "limiter.redis.max-round-trips",
                Integer.toString(connections),
                "limiter.redis.deadline",
                deadline);
    }

    private Crowd ask(RateLimiter limiter, int size) {
        return Crowd.of(size, (thread, number) -> tally.ask(() -> limiter.acquire(COUNTER, KEY)));
    }

    /**
     * Waits until each connection is used: a reply takes so long that no caller waits for
     * another's connection.
     */
    private void awaitOpen(int connections) {
        address.latency(Duration.ofMillis(5), Duration.ofMillis(5));
        Moments.until(
                "all connections are open and were used",
                () -> address.openNow() == connections && told.open().isEmpty() && tally.admitted() > 5 * connections);
    }

    private void awaitAdmitted(int more) {
        long before = tally.admitted();
        Moments.until("the promoted one decides", () -> tally.admitted() >= before + more);
    }

    private void demote() {
        second.command("REPLICAOF", "NO", "ONE");
        first.command("REPLICAOF", "127.0.0.1", Integer.toString(second.port()));
        address.target(second);
    }
}
