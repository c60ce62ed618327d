package dev.limiter.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.spi.CredentialsSource;
import dev.limiter.spi.CredentialsSource.Credentials;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.testkit.RedisCluster;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.RespConnection;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of connections whose user or password ends, on a real Redis. */
class RenewedCredentialsTest {
    private static final Policy COUNTER = Limiters.counter("counter", Limiters.ROOMY);

    private final RedisServer redis = RedisServer.start();
    private final RespConnection operator = redis.connect();
    private final LogAssertions signals = new LogAssertions();
    private final AtomicReference<Credentials> newest = new AtomicReference<>();
    private final AtomicInteger calls = new AtomicInteger();

    @AfterEach
    void close() {
        operator.close();
        redis.close();
    }

    private Credentials newest() {
        calls.incrementAndGet();
        return newest.get();
    }

    /** Gives credentials that soon end, and then the newest ones. */
    private CredentialsSource first(String user, long lastsMillis) {
        return () -> calls.incrementAndGet() == 1
                ? new Credentials(user, "one", Instant.now().plusMillis(lastsMillis))
                : newest.get();
    }

    private static void permit(RespConnection operator, String user, String password) {
        operator.call("ACL", "SETUSER", user, "on", "resetpass", ">" + password, "~*", "+@all");
    }

    private RateLimiter limiter(CredentialsSource source) {
        return Limiters.closed(source, redis.uri(), signals, Limiters.PATIENT);
    }

    private static String ask(RateLimiter limiter) {
        return Limiters.outcome(limiter, COUNTER, Limiters.key("all"));
    }

    /** The connections of a user, as Redis numbers them. */
    private List<String> connections(String user) {
        return ((String) operator.call("CLIENT", "LIST"))
                .lines()
                .filter(line -> line.contains(" user=" + user + " "))
                .map(line -> line.split(" ", 2)[0])
                .toList();
    }

    /** No request helps it. Redis would close the connection with its first user. */
    @Test
    void anIdleConnectionIsAuthenticatedBeforeItsUserEnds() {
        permit(operator, "first", "one");
        permit(operator, "second", "two");
        try (RateLimiter limiter = limiter(first("first", 800))) {
            Limiters.awaitStore(limiter, COUNTER, Limiters.key("all"));
            List<String> before = connections("first");
            assertThat(before).hasSize(1);
            newest.set(new Credentials("second", "two", null));
            Awaitility.await().until(() -> connections("second").equals(before));
            operator.call("ACL", "DELUSER", "first");
            assertThat(ask(limiter)).isEqualTo("admitted by the store");
            assertThat(connections("second")).containsAll(before);
            assertThat(signals.errors()).isEmpty();
        }
    }

    @Test
    void aConnectionThatIsOpenedAgainHasTheNewestPassword() {
        permit(operator, "limiter", "one");
        newest.set(new Credentials("limiter", "one", null));
        try (RateLimiter limiter = limiter(this::newest)) {
            assertThat(ask(limiter)).isEqualTo("admitted by the store");
            assertThat(calls).hasValue(1);
            permit(operator, "limiter", "two");
            newest.set(new Credentials("limiter", "two", null));
            assertThat(ask(limiter)).as("Redis keeps connections").isEqualTo("admitted by the store");
            operator.call("CLIENT", "KILL", "USER", "limiter");
            Limiters.awaitStore(limiter, COUNTER, Limiters.key("all"));
            assertThat(calls).hasValue(2);
        }
    }

    /** Redis says then that no password is configured, in other words than of a wrong one. */
    @Test
    void aPasswordForAUserThatHasNoneIsRefused() {
        permit(operator, "limiter", "one");
        CredentialsSource source = () -> new Credentials(calls.incrementAndGet() == 1 ? null : "limiter", "one", null);
        try (LogLines log = new LogLines();
                RateLimiter limiter = limiter(source)) {
            Limiters.awaitStore(limiter, COUNTER, Limiters.key("all"));
            assertThat(calls).hasValue(2);
            assertThat(signals.failedCredentials()).isEqualTo(1);
            assertThat(log.lines()).anyMatch(line -> line.contains("Redis says ERR AUTH <password> called without"));
        }
    }

    @Test
    void aClusterThatRefusesAtTheStartIsAskedWithTheNewestPassword() {
        try (RedisCluster cluster = RedisCluster.start(3, 0)) {
            cluster.nodes().forEach(node -> {
                try (RespConnection each = node.connect()) {
                    permit(each, "limiter", "two");
                }
            });
            CredentialsSource source =
                    () -> new Credentials("limiter", calls.incrementAndGet() == 1 ? "one" : "two", null);
            try (LogLines log = new LogLines();
                    RateLimiter limiter = Limiters.closed(source, cluster.uri(), signals, Limiters.PATIENT)) {
                Limiters.awaitStore(limiter, COUNTER, Limiters.key("all"));
                assertThat(calls).hasValue(2);
                assertThat(log.lines()).anyMatch(line -> line.contains("Redis says WRONGPASS"));
            }
        }
    }

    /**
     * Redis keeps a connection that it refuses another user. A request that comes while an idle
     * connection is told opens another one.
     */
    @Test
    void whatRedisRefusesChangesNothing() {
        permit(operator, "limiter", "one");
        newest.set(new Credentials("limiter", "s3cret", null));
        try (LogLines log = new LogLines();
                RateLimiter limiter = limiter(first("limiter", 400))) {
            Limiters.awaitStore(limiter, COUNTER, Limiters.key("all"));
            List<String> before = connections("limiter");
            Awaitility.await().until(() -> signals.failedCredentials() == 1);
            Awaitility.await().until(() -> {
                assertThat(ask(limiter)).isEqualTo("admitted by the store");
                return signals.failedCredentials() == 2;
            });
            assertThat(connections("limiter")).containsAll(before);
            assertThat(signals.errors()).isEmpty();
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .contains("WRONGPASS")
                    .doesNotContain("s3cret");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "no password", "have expired", "IllegalStateException"})
    void theApplicationStartsWithoutThemAndDecidesWhenTheyCome(String cause) {
        permit(operator, "limiter", "s3cret");
        CredentialsSource source = () -> {
            if (calls.incrementAndGet() > 1) {
                return new Credentials("limiter", "s3cret", null);
            }
            return switch (cause) {
                case "null" -> null;
                case "no password" -> new Credentials("limiter", null, null);
                case "have expired" ->
                    new Credentials("limiter", "s3cret", Instant.now().minusSeconds(1));
                default -> throw new IllegalStateException("s3cret");
            };
        };
        try (LogLines log = new LogLines();
                RateLimiter limiter = limiter(source)) {
            assertThat(log.lines()).hasSize(2);
            Limiters.awaitStore(limiter, COUNTER, Limiters.key("all"));
            assertThat(signals.failedCredentials()).isEqualTo(1);
            assertThat(log.lines().get(0)).contains("gave no usable credentials for Redis", cause);
            assertThat(log.lines().get(1)).contains("LIM11", "has given no credentials yet", cause);
            assertThat(log.lines()).noneMatch(line -> line.contains("s3cret"));
        }
    }

    @Test
    void anAddressWithAPasswordOfItsOwnIsRefused() {
        assertThatExceptionOfType(InvalidSettingException.class)
                .isThrownBy(() -> Limiters.closed(this::newest, "redis://limiter:s3cret@localhost:1", signals))
                .withMessageStartingWith("limiter.redis.uri: has a user or a password, which "
                        + getClass().getName())
                .withMessageNotContaining("s3cret");
        assertThat(calls).hasValue(0);
    }

    /** The last ones hold, so nothing is lost, and it is said once. */
    @Test
    @Tag("faults")
    void aSourceThatHangsTenSecondsChangesNothing() {
        permit(operator, "limiter", "one");
        CountDownLatch never = new CountDownLatch(1);
        CredentialsSource source = () -> {
            if (calls.incrementAndGet() > 1) {
                never.await();
            }
            return new Credentials("limiter", "one", Instant.now().plusMillis(400));
        };
        Tally tally = new Tally();
        try (LogLines log = new LogLines();
                RateLimiter limiter = limiter(source);
                Crowd crowd = Crowd.of(
                        32, (thread, number) -> tally.ask(() -> limiter.acquire(COUNTER, Limiters.key(thread))))) {
            Awaitility.await().until(() -> signals.failedCredentials() > 0);
            crowd.stop();
            System.out.printf(
                    "the source hangs: %d decisions, %d lost, longest pause %d ms%n",
                    tally.admitted(), tally.failed(), TimeUnit.NANOSECONDS.toMillis(tally.longestPauseNanos()));
            assertThat(tally.failures()).isEmpty();
            assertThat(signals.errors()).isEmpty();
            assertThat(connections("limiter")).hasSizeBetween(1, 5);
            assertThat(log.lines()).singleElement().asString().contains("it gave no answer within 10 s");
        }
    }
}
