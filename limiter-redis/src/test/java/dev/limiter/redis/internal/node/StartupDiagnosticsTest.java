package dev.limiter.redis.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.redis.internal.combine.NodeConnection;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.topology.FakeServers;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.Signals;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/** The log lines at the start, with servers whose replies the test sets. */
@Tag("store")
class StartupDiagnosticsTest {
    private final FakeServers servers = new FakeServers();
    private final List<String> breakers = new CopyOnWriteArrayList<>();
    private final List<String> nodes = new ArrayList<>();
    private final NodeConnection connection =
            new NodeConnection(servers, new Watchdog(TIMEOUTS, () -> 0), TIMEOUTS, () -> 0);
    private final Probe probe =
            new Probe(new PreparedPolicies(new RedisKeys("start", "")), servers, connection, () -> 0);
    private static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMillis(150));

    private final Signals signals = new Signals() {
        @Override
        public void node(String node) {
            nodes.add(node);
        }

        @Override
        public void breaker(String node, boolean open, String reason) {
            breakers.add(open + " " + node + " " + reason);
        }
    };
    private final Nodes calls = new Nodes(servers, connection, probe, 2, TIMEOUTS, () -> 0, signals, () -> {});
    private final Logger logger = Logger.getLogger("dev.limiter.store");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            String text = MessageFormat.format(line.getMessage(), line.getParameters());
            if (text.equals("Limits are kept in Redis at the store")) { // if all servers decide
                kept = true;
            } else {
                lines.add(text);
            }
        }

        @Override
        public void flush() {
            // nothing is kept back
        }

        @Override
        public void close() {
            // nothing is open
        }
    };

    private volatile boolean kept;
    private List<Object> refused = List.of();
    private String version = "7.2.4";
    private String eviction = "noeviction";

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
        servers.reply = (server, command) -> {
            if (command.getCommand() == Protocol.Command.INFO) {
                return ("# Server\r\nredis_version:" + version + "\r\nmaxmemory_policy:" + eviction + "\r\n")
                        .getBytes(StandardCharsets.UTF_8);
            }
            return new ArrayList<>(refused);
        };
    }

    @AfterEach
    void close() {
        logger.removeHandler(handler);
        calls.close();
    }

    /** The breakers that opened, without those that the monitor soon closes. */
    private List<String> opened() {
        return breakers.stream().filter(told -> told.startsWith("true ")).toList();
    }

    private void look() {
        new StartupDiagnostics(calls, servers, probe, "the store", signals).look();
    }

    @ParameterizedTest
    @CsvSource({
        "2.8.24,    true",
        "5.0.14,    true",
        "6.0.20,    true",
        "6.1.0,     true",
        "6.2.0,     false",
        "6.2.21,    false",
        "7.0.0,     false",
        "7.2.4,     false",
        "8.0.6,     false",
        "10.0.0,    false",
        "10.1.0-rc, false",
    })
    void aServerThatIsTooOldIsNamed(String number, boolean tooOld) {
        version = number;
        look();
        assertThat(lines)
                .isEqualTo(
                        tooOld
                                ? List.of("LIM13: Redis at first:1 is version " + number
                                        + "; use 6.2 or newer, since older ones are not tested")
                                : List.of());
        assertThat(breakers).isEmpty();
        assertThat(kept).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"noeviction, false", "allkeys-lru, true", "volatile-ttl, true"})
    void aServerThatEvictsIsNamed(String policy, boolean named) {
        eviction = policy;
        look();
        assertThat(lines).hasSize(named ? 1 : 0).allMatch(line -> line.contains("LIM14") && line.contains(policy));
    }

    @Test
    void everyCommandThatIsNotPermittedIsNamedWithTheGrantThatCuresIt() {
        refused = List.of("get".getBytes(StandardCharsets.US_ASCII), "set|x".getBytes(StandardCharsets.US_ASCII));
        look();
        assertThat(lines)
                .containsExactly(
                        "LIM12: the user of limiter.redis.uri may not run get, set|x on first:1; limits that need"
                                + " them will fail. Grant them: ACL SETUSER <user> +get +set|x");
    }

    /** One call writes eight keys, and one deletes them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "8 |                                                          |      |",
                "5 |                                                          | LIM19 |",
                "0 | CROSSSLOT Keys in request don't hash to the same slot    |       | first:1 takes a call for one"
                        + " slot only",
                "0 | ERR all keys must be in the same slot                    |       | first:1 takes a call for one"
                        + " slot only",
                "0 | NOPERM this user has no permissions to run 'set'         |       |",
                "0 | OOM command not allowed when used memory > 'maxmemory'   |       |",
            })
    void severalServersBehindOneAddressAreFound(long deleted, String refusal, String warning, String information) {
        servers.reply = (server, command) -> {
            if (command.getCommand() == Protocol.Command.DEL) {
                return deleted;
            }
            if (refusal != null && command.size() > 8) {
                throw new JedisDataException(refusal);
            }
            return command.getCommand() == Protocol.Command.INFO ? new byte[0] : new ArrayList<>();
        };
        look();
        assertThat(lines)
                .hasSize(warning == null && information == null ? 0 : 1)
                .allMatch(line -> line.startsWith(warning == null ? information : warning));
        assertThat(servers.usesSlots).isEqualTo(information != null);
        assertThat(kept).isTrue();
        assertThat(breakers).isEmpty();
    }

    private void answersOnlyAfter(int silences) {
        int[] asked = new int[1];
        servers.reply = (server, command) -> {
            if (asked[0]++ < silences) {
                throw new JedisConnectionException(new SocketTimeoutException("Read timed out"));
            }
            return "well";
        };
    }

    /** The first answers take longest: three are awaited. */
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "2, 0", "3, 1"})
    void aServerThatIsSilentThreeTimesIsGivenUp(int silences, int givenUp) {
        answersOnlyAfter(silences);
        look();
        assertThat(breakers).hasSize(givenUp);
        assertThat(lines)
                .hasSize(givenUp)
                .allMatch(line -> line.startsWith("LIM11: Redis at the store does not decide"));
    }

    /** A refusal that comes at once would come again. */
    @Test
    void aServerThatRefusesIsNotAskedAgain() {
        AtomicInteger asked = new AtomicInteger();
        servers.reply = (server, command) -> {
            boolean looksAfterIt = Thread.currentThread().getName().equals("limiter-monitor");
            asked.addAndGet(looksAfterIt ? 0 : 1); // soon it asks again, and on a slow machine before the test goes on
            throw new JedisDataException("NOAUTH Authentication required.");
        };
        look();
        assertThat(asked).hasValue(1);
        assertThat(breakers).containsExactly("true first:1 NOAUTH Authentication required");
    }

    /** The log has the whole message of the server. */
    @ParameterizedTest
    @CsvSource({"gone, gone", "gone., gone", "no route to host a.example, no route to host a.example", "x.., x."})
    void whatTheServerSaysIsToldInFull(String words, String told) {
        servers.connecting = () -> {
            throw new JedisConnectionException(words);
        };
        look();
        assertThat(lines).singleElement().asString().contains("does not decide: " + told + ". Until it does");
        assertThat(breakers).containsExactly("true first:1 " + told);
    }

    /** Each server is checked, and a failure of one does not count against the next. */
    @Test
    void eachServerOfAClusterIsLookedAt() {
        HostAndPort third = new HostAndPort("third", 3);
        servers.owners = slot -> slot % 4 == 3
                ? null
                : List.of(FakeServers.FIRST, FakeServers.SECOND, third).get(slot % 4);
        servers.reply = (server, command) -> {
            if (server == FakeServers.SECOND) {
                throw new JedisDataException("NOAUTH Authentication required.");
            }
            return command.getCommand() == Protocol.Command.INFO
                    ? "redis_version:6.0.1\r\n".getBytes(StandardCharsets.UTF_8)
                    : new ArrayList<>();
        };
        look();
        assertThat(opened()).containsExactly("true second:2 NOAUTH Authentication required");
        assertThat(nodes).as("those that are well, too").containsExactly("first:1", "second:2", "third:3");
        assertThat(kept).isFalse();
        assertThat(lines).filteredOn(line -> line.startsWith("LIM13")).hasSize(2);
        assertThat(lines).anyMatch(line -> line.contains("first:1 is version 6.0.1"));
        assertThat(lines).anyMatch(line -> line.contains("third:3 is version 6.0.1"));
    }

    @Test
    void aNodeOfAClusterSaysWhatToWrite() {
        servers.reply = (server, command) -> {
            throw new JedisMovedDataException("MOVED 1 second:2", FakeServers.SECOND, 1);
        };
        look();
        assertThat(breakers).containsExactly("true first:1 sent to second:2");
        assertThat(lines).singleElement().asString().contains("sent to second:2");
    }
}
