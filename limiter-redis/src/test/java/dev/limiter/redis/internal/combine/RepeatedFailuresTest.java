package dev.limiter.redis.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.internal.algorithm.Packed;
import dev.limiter.redis.internal.limiter.ScriptExecutor;
import dev.limiter.redis.internal.node.Nodes;
import dev.limiter.redis.internal.node.Probe;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.RedisCall;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.topology.FakeServers;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/**
 * Failures that last: a replica that stays one, a second doubt, a second redirect, two kinds in
 * turn.
 */
class RepeatedFailuresTest {
    private static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMillis(150));
    private static final JedisDataException READ_ONLY =
            new JedisDataException("READONLY You can't write against a read only replica.");
    private static final JedisDataException NOT_PERMITTED =
            new JedisDataException("ERR The user executing the script can't run this command or subcommand");
    private static final JedisDataException TOO_MANY = new JedisDataException("ERR max number of clients reached");
    private static final JedisConnectionException GONE = new JedisConnectionException("gone");

    private final FakeServers servers = new FakeServers();
    private final List<String> breakers = new CopyOnWriteArrayList<>();
    private final List<StoreError> errors = new CopyOnWriteArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger probes = new AtomicInteger();
    private final Signals signals = new Signals() {
        @Override
        public void breaker(String node, boolean open, String reason) {
            breakers.add((open ? "open " : "closed ") + node);
        }

        @Override
        public void storeFailed(StoreError error, boolean mayHaveRun) {
            errors.add(error);
        }
    };
    private final NodeConnection connection =
            new NodeConnection(servers, new Watchdog(TIMEOUTS, nanos::get), TIMEOUTS, nanos::get);
    private final Probe probe =
            new Probe(new PreparedPolicies(new RedisKeys("calls", "")), servers, connection, nanos::get);
    private final Nodes calls = new Nodes(servers, connection, probe, 8, TIMEOUTS, nanos::get, signals, () -> {});
    private final ScriptExecutor executor = new ScriptExecutor(calls, nanos::get, signals);

    @AfterEach
    void close() {
        calls.close();
    }

    private static boolean isMonitor() {
        return Thread.currentThread().getName().equals("limiter-monitor");
    }

    private Object call() {
        CommandArguments command = new CommandArguments(Protocol.Command.GET).key("key");
        return executor.execute(RedisCall.Command.of(command), Packed.of("key"), nanos.get());
    }

    private void callOn(RuntimeException failure) {
        servers.answer = server -> {
            throw failure;
        };
        assertThatExceptionOfType(JedisException.class).isThrownBy(this::call);
    }

    private static void await(BooleanSupplier condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(2))
                .until(condition::getAsBoolean);
    }

    /** Each call tries it twice; the fresh connection of each counts against it. */
    @Test
    void aReplicaThatStaysOneIsGivenUp() {
        for (int time = 1; time <= Breaker.IN_A_ROW; time++) {
            assertThat(breakers).as("before call %d", time).isEmpty();
            callOn(READ_ONLY);
        }
        assertThat(breakers).containsExactly("open first:1");
        assertThat(errors).hasSize(Breaker.IN_A_ROW).containsOnly(StoreError.READ_ONLY);
        int asked = servers.asked.size();
        assertThatExceptionOfType(JedisException.class).isThrownBy(this::call);
        assertThat(servers.asked.stream().skip(asked).count())
                .as("by callers, while it is given up")
                .isLessThanOrEqualTo(2);
        servers.answer = server -> "well";
        await(() -> breakers.contains("closed first:1"));
        assertThat(call()).isEqualTo("well");
    }

    /** It was well at the first doubt. */
    @Test
    void aServerThatPermitsNothingOnlyLaterIsGivenUpThen() {
        servers.answer = server -> {
            if (isMonitor()) {
                probes.incrementAndGet();
                return "well";
            }
            throw NOT_PERMITTED;
        };
        for (int doubt = 1; doubt <= 2; doubt++) {
            int before = probes.get();
            assertThatExceptionOfType(JedisDataException.class).isThrownBy(this::call);
            await(() -> probes.get() > before);
        }
        assertThat(breakers).isEmpty();
        servers.answer = server -> {
            throw NOT_PERMITTED;
        };
        await(() -> {
            try {
                call();
            } catch (JedisException refused) {
                // what it tells is looked at
            }
            return breakers.contains("open first:1");
        });
    }

    /** A server that takes no connection is as one that is gone. */
    @Test
    void aServerThatHasNoRoomForTheConnectionCountsAsOneThatIsGone() {
        for (int time = 0; time < 2; time++) {
            callOn(GONE);
            callOn(TOO_MANY);
        }
        assertThat(breakers).isEmpty();
        callOn(TOO_MANY);
        assertThat(breakers).containsExactly("open first:1");
    }

    /** A refusal of a call is a reply of a healthy server. */
    @Test
    void aServerThatRefusesInBetweenIsWell() {
        for (int time = 0; time < 4; time++) {
            callOn(GONE);
            callOn(new JedisDataException("OOM command not allowed"));
        }
        callOn(GONE);
        assertThat(breakers).isEmpty();
    }

    @Test
    void eachMovedSlotCausesARefreshOfTheTopology() {
        servers.answer = server -> {
            if (server == FakeServers.FIRST) {
                throw new JedisMovedDataException("MOVED 1 second:2", FakeServers.SECOND, 1);
            }
            return "well";
        };
        for (int time = 1; time <= 3; time++) {
            int before = servers.looks.get();
            assertThat(call()).isEqualTo("well");
            await(() -> servers.looks.get() > before);
        }
    }

    /** Moved, then moving on: the second server sends to a third. */
    @Test
    void aSecondRedirectionIsFollowedAsItSays() {
        HostAndPort third = new HostAndPort("third", 3);
        int[] again = new int[1];
        servers.answer = server -> {
            if (server == FakeServers.FIRST) {
                throw new JedisMovedDataException("MOVED 1 second:2", FakeServers.SECOND, 1);
            }
            if (server == FakeServers.SECOND) {
                throw new JedisAskDataException("ASK 1 third:3", third, 1);
            }
            if (again[0]++ == 0) {
                throw new JedisDataException("TRYAGAIN Multiple keys request during rehashing of slot");
            }
            return "well";
        };
        assertThat(call()).isEqualTo("well");
        assertThat(servers.asked).containsExactly(FakeServers.FIRST, FakeServers.SECOND, third, third);
        assertThat(servers.toldAsking).as("what is asked again is still moving").containsExactly(third, third);
    }

    /** Late failures of a server without slots do not count. */
    @Test
    void aLateFailureOfAGoneServerDoesNotGiveItUpAgain() throws InterruptedException {
        CountDownLatch silence = new CountDownLatch(1);
        servers.answer = server -> {
            if (Thread.currentThread().getName().equals("slow")) {
                try {
                    silence.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            throw GONE;
        };
        List<Thread> slow = new ArrayList<>();
        for (int i = 0; i < Breaker.IN_A_ROW; i++) {
            slow.add(new Thread(
                    () -> assertThatExceptionOfType(JedisException.class).isThrownBy(this::call), "slow"));
        }
        slow.forEach(Thread::start);
        await(() -> servers.asked.size() == slow.size());
        for (int i = 0; i < Breaker.IN_A_ROW; i++) {
            assertThatExceptionOfType(JedisException.class).isThrownBy(this::call);
        }
        servers.owner = FakeServers.SECOND;
        await(() -> breakers.contains("closed first:1"));
        silence.countDown();
        for (Thread each : slow) {
            each.join();
        }
        assertThat(breakers).containsExactly("open first:1", "closed first:1");
    }

    /** The clock of deadlines is the test's: what was tried in vain takes of it. */
    @Test
    void aReplicaIsNotTriedAgainWhenNoTimeIsLeft() {
        servers.answer = server -> {
            nanos.addAndGet(200_000_000);
            throw READ_ONLY;
        };
        assertThatExceptionOfType(JedisDataException.class).isThrownBy(this::call);
        assertThat(servers.asked).hasSize(1);
    }
}
