package dev.limiter.redis.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.internal.algorithm.Packed;
import dev.limiter.redis.internal.limiter.ScriptExecutor;
import dev.limiter.redis.internal.node.Nodes;
import dev.limiter.redis.internal.node.Probe;
import dev.limiter.redis.internal.node.StartupDiagnostics;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.RedisCall;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.topology.FakeServers;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * For each failure: its kind, whether the server is given up, and whether the start tries again.
 */
class FailureTableTest {
    private static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMillis(150));

    private final FakeServers servers = new FakeServers();
    private final List<String> breakers = new CopyOnWriteArrayList<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final AtomicInteger tries = new AtomicInteger();
    private final Signals signals = new Signals() {
        @Override
        public void breaker(String node, boolean open, String reason) {
            breakers.add(open + " " + node + " " + reason);
        }

        @Override
        public void storeFailed(StoreError error, boolean mayHaveRun) {
            failures.add(error + (mayHaveRun ? " and may have run" : ""));
        }
    };
    private final NodeConnection connection =
            new NodeConnection(servers, new Watchdog(TIMEOUTS, () -> 0), TIMEOUTS, () -> 0);
    private final Probe probe =
            new Probe(new PreparedPolicies(new RedisKeys("table", "")), servers, connection, () -> 0);
    private final Nodes calls = new Nodes(servers, connection, probe, 8, TIMEOUTS, () -> 0, signals, () -> {});
    private final ScriptExecutor executor = new ScriptExecutor(calls, () -> 0, signals);

    @AfterEach
    void close() {
        calls.close();
    }

    private static RuntimeException failure(String words) {
        return switch (words) {
            case "refused" -> new JedisConnectionException("Failed to connect");
            case "reset" -> new JedisConnectionException("Connection reset");
            case "silent" -> new JedisConnectionException(new SocketTimeoutException("Read timed out"));
            case "no connection is free" ->
                new JedisException("Could not get a resource", new NoSuchElementException("Timeout"));
            case "no server is known" -> new JedisClusterOperationException("Cluster slots are not known");
            default -> new JedisDataException(words);
        };
    }

    private Object call() {
        CommandArguments command = new CommandArguments(Protocol.Command.GET).key("key");
        return executor.execute(RedisCall.Command.of(command), Packed.of("key"), 0);
    }

    /**
     * The monitor finds the server healthy, so that only callers can cause its breaker to open.
     */
    private void failsForCallers(RuntimeException failure) {
        if (!Thread.currentThread().getName().equals("limiter-monitor")) {
            tries.incrementAndGet();
            throw failure;
        }
    }

    private void assertGivenUpAfterFive(boolean givenUp, String failure) {
        for (int i = 0; i < Breaker.IN_A_ROW; i++) {
            assertThat(breakers).as("before call %d", i + 1).isEmpty();
            assertThatExceptionOfType(JedisException.class).isThrownBy(this::call);
        }
        assertThat(breakers.stream().anyMatch(told -> told.startsWith("true first:1 ")))
                .as("given up")
                .isEqualTo(givenUp);
        assertThat(failures).hasSize(Breaker.IN_A_ROW).containsOnly(failure);
    }

    private int triesAtTheStart() {
        new StartupDiagnostics(calls, servers, probe, "the store", signals).look();
        assertThat(breakers).isNotEmpty(); // and soon closed by who looks after it
        return tries.get();
    }

    private static final String CONNECTING = """
            refused                                                        | NOT_CONNECTED  | true  | 3
            no connection is free                                          | POOL_EXHAUSTED | false | 3
            no server is known                                             | CLUSTER        | false | 1
            WRONGPASS invalid username-password pair or user is disabled.  | NOT_PERMITTED  | true  | 1
            NOAUTH Authentication required.                                | NOT_PERMITTED  | true  | 1
            NOPERM this user has no permissions to run the 'select' command| NOT_PERMITTED  | true  | 1
            DENIED Redis is running in protected mode                      | NOT_PERMITTED  | true  | 1
            ERR AUTH <password> called without any password configured     | NOT_CONNECTED  | true  | 3
            ERR DB index is out of range                                   | NOT_CONNECTED  | true  | 3
            ERR max number of clients reached                              | NOT_CONNECTED  | true  | 3
            LOADING Redis is loading the dataset in memory                 | LOADING        | true  | 1
            BUSY Redis is busy running a script.                           | BUSY           | true  | 1
            """;

    /** No call was sent, so none has run. A wrong password is wrong for the next caller, too. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = CONNECTING)
    void whileConnecting(String words, StoreError error, boolean givenUp, int ignored) {
        servers.connecting = () -> failsForCallers(failure(words));
        assertGivenUpAfterFive(givenUp, error.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = CONNECTING)
    void whileConnectingAtTheStart(String words, StoreError ignored, boolean alsoIgnored, int times) {
        servers.connecting = () -> failsForCallers(failure(words));
        assertThat(triesAtTheStart()).isEqualTo(times);
    }

    private static final String ANSWERING = """
            silent                                             | TIMED_OUT and may have run | true  | 3
            reset                                              | BROKEN and may have run    | true  | 1
            WRONGPASS invalid username-password pair           | NOT_PERMITTED              | false | 1
            NOAUTH Authentication required.                    | NOT_PERMITTED              | false | 1
            NOPERM this user has no permissions                | NOT_PERMITTED              | false | 1
            LOADING Redis is loading the dataset in memory     | LOADING                    | true  | 1
            MASTERDOWN Link with MASTER is down                | LOADING                    | true  | 1
            BUSY Redis is busy running a script.               | BUSY                       | true  | 1
            UNKILLABLE Sorry the script already executed writes| BUSY                       | true  | 1
            READONLY You can't write against a read only one.  | READ_ONLY                  | true  | 1
            OOM command not allowed when used memory           | OUT_OF_MEMORY              | false | 1
            MISCONF Redis is configured to save RDB snapshots  | REFUSES_WRITES             | false | 1
            NOREPLICAS Not enough good replicas to write.      | REFUSES_WRITES             | false | 1
            CLUSTERDOWN The cluster is down                    | CLUSTER                    | false | 1
            ERR max number of clients reached                  | NOT_CONNECTED              | true  | 1
            WRONGTYPE Operation against a key                  | OTHER                      | false | 1
            """;

    /**
     * A refused call has not run. A missing permission does not count against the server until
     * the probe has asked it.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = ANSWERING)
    void whileAnswering(String words, String told, boolean givenUp, int ignored) {
        servers.answer = server -> {
            failsForCallers(failure(words));
            return "well";
        };
        assertGivenUpAfterFive(givenUp, told);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = ANSWERING)
    void whileAnsweringAtTheStart(String words, String ignored, boolean alsoIgnored, int times) {
        servers.answer = server -> {
            failsForCallers(failure(words));
            return "well";
        };
        assertThat(triesAtTheStart()).isEqualTo(times);
    }
}
