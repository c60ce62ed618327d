package dev.limiter.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.testkit.RedisServer;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** 32 threads that ask without a pause while the credentials change. */
final class ChangingCredentialsLoad {
    private static final int THREADS = 32;
    private static final int KEYS = 64;
    private static final int MOST_CONNECTIONS = 5;
    private static final Policy ROOMY = Limiters.counter("roomy", Limiters.ROOMY);

    private ChangingCredentialsLoad() {}

    /** No decision is lost, no connection is closed, and each is told each change. */
    static void run(ChangingUsers.Kind kind, List<RedisServer> servers, String uri, long seconds) throws Exception {
        LogAssertions signals = new LogAssertions();
        Tally tally = new Tally();
        try (LogLines log = new LogLines();
                ChangingUsers users = ChangingUsers.of(kind, servers);
                RateLimiter limiter = Limiters.closed(users, uri, signals, "limiter.redis.deadline", "10s");
                Crowd crowd = Crowd.of(
                        THREADS,
                        (thread, number) -> tally.ask(
                                () -> limiter.acquire(ROOMY, Limiters.key((thread + number * THREADS) % KEYS))))) {
            TimeUnit.SECONDS.sleep(1);
            List<List<String>> first = users.connections();
            long acceptedFirst = users.accepted();
            TimeUnit.SECONDS.sleep(seconds - 1);
            List<List<String>> last = users.connections();
            long accepted = users.accepted() - acceptedFirst;
            crowd.stop();
            System.out.printf(
                    "%s, %d servers: %d s, %d credentials, %d decisions, %d lost, longest pause %d ms,"
                            + " %d connections at first, %d at last, %d accepted between, %d AUTH%n",
                    kind,
                    servers.size(),
                    seconds,
                    users.given(),
                    tally.admitted(),
                    tally.failed(),
                    TimeUnit.NANOSECONDS.toMillis(tally.longestPauseNanos()),
                    size(first),
                    size(last),
                    accepted,
                    users.authenticated());
            assertThat(tally.failures()).isEmpty();
            assertThat(tally.rejected()).isZero();
            assertThat(signals.errors()).isEmpty();
            assertThat(signals.failedCredentials()).isZero();
            assertThat(log.lines()).isEmpty();
            for (int i = 0; i < servers.size(); i++) {
                assertThat(last.get(i)).containsAll(first.get(i)).hasSizeLessThanOrEqualTo(MOST_CONNECTIONS);
            }
            assertThat(accepted).as("no connection was closed").isEqualTo(size(last) - size(first));
            assertThat(users.given()).isGreaterThanOrEqualTo((int) seconds / 4);
            assertThat(users.authenticated())
                    .isBetween((long) size(first) * (users.given() - 1), (long) size(last) * (users.given() + 2));
        }
    }

    private static int size(List<List<String>> connections) {
        return connections.stream().mapToInt(List::size).sum();
    }
}
