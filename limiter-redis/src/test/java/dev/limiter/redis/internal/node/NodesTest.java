package dev.limiter.redis.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.internal.algorithm.Packed;
import dev.limiter.redis.internal.combine.Breaker;
import dev.limiter.redis.internal.combine.CallFailedException;
import dev.limiter.redis.internal.combine.Combiner;
import dev.limiter.redis.internal.combine.Destination;
import dev.limiter.redis.internal.combine.NodeConnection;
import dev.limiter.redis.internal.limiter.ScriptExecutor;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.RedisCall;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.topology.FakeServers;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisBusyException;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** The effect of one call on its server and its connection. The servers are lists of replies. */
class NodesTest {
    private static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMillis(150));
    private static final JedisDataException NOT_PERMITTED =
            new JedisDataException("ERR The user executing the script can't run this command or subcommand");

    private final FakeServers servers = new FakeServers();
    private final List<String> breakers = new CopyOnWriteArrayList<>();
    private final List<StoreError> errors = new CopyOnWriteArrayList<>();
    private final AtomicInteger errorsToMeet = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();

    /** How many signals of breakers came before each doubt about earlier replies. */
    private final List<Integer> doubts = new CopyOnWriteArrayList<>();

    private final Signals signals = new Signals() {
        @Override
        public void breaker(String node, boolean open, String reason) {
            if (errorsToMeet.getAndDecrement() > 0) {
                throw new OutOfMemoryError("Java heap space");
            }
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
    private final Nodes calls =
            new Nodes(servers, connection, probe, 8, TIMEOUTS, nanos::get, signals, () -> doubts.add(breakers.size()));
    private final ScriptExecutor executor = new ScriptExecutor(calls, nanos::get, signals);

    @AfterEach
    void close() {
        calls.close();
    }

    @Test
    void aConnectionThatWasHeardToTheEndServesTheNext() {
        call();
        servers.answer = server -> {
            throw new JedisDataException("OOM command not allowed");
        };
        assertThatExceptionOfType(JedisDataException.class).isThrownBy(this::call);
        assertThat(servers.givenBackBroken).containsExactly(false, false);
    }

    /** Half an answer is left in it, which the next caller would take for its own. */
    @Test
    void aConnectionWhoseReaderMetAnErrorIsNotUsedAgain() {
        servers.answer = server -> {
            throw new StackOverflowError();
        };
        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this::call);
        assertThat(servers.givenBackBroken).containsExactly(true);
    }

    /** As when the heap is full. */
    @Test
    void aServerThatIsGivenUpWithAnErrorIsAskedUntilItIsBack() {
        servers.answer = server -> {
            throw new JedisConnectionException("gone");
        };
        errorsToMeet.set(1);
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this::manyCalls);
        errorsToMeet.set(1); // and again when it is back
        servers.answer = server -> "well";
        await(() -> errorsToMeet.get() <= 0);
        await(() -> {
            try {
                return call() != null;
            } catch (JedisException notYet) {
                return false;
            }
        });
    }

    @Test
    void aConnectionThatTheServerClosesForTooManyIsNotUsedAgainAndTheFifthGivesItUp() {
        servers.answer = server -> {
            throw new JedisDataException("ERR max number of clients reached");
        };
        manyCalls();
        assertThat(servers.givenBackBroken).hasSize(Breaker.IN_A_ROW).containsOnly(true);
        assertThat(errors).hasSize(Breaker.IN_A_ROW).containsOnly(StoreError.NOT_CONNECTED);
        assertThat(breakers).containsExactly("open first:1");
    }

    /** An interrupted thread of a cancelled request does not count against the server. */
    @Test
    void anInterruptedCallerOpensNoBreaker() {
        servers.connecting = () -> {
            throw new JedisException("Could not get a resource from the pool", new InterruptedException());
        };
        manyCalls();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(errors).containsOnly(StoreError.POOL_EXHAUSTED);
        servers.connecting = () -> {};
        servers.answer = server -> {
            Thread.currentThread().interrupt();
            throw new JedisConnectionException("Closed by interrupt");
        };
        manyCalls();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(errors).contains(StoreError.BROKEN);
        assertThat(breakers).isEmpty();
    }

    @Test
    void anUnreachableServerIsGivenUpAndComesBack() {
        AtomicInteger byCallers = new AtomicInteger();
        servers.answer = server -> {
            byCallers.addAndGet(Thread.currentThread().getName().equals("limiter-monitor") ? 0 : 1);
            throw new JedisConnectionException("gone");
        };
        manyCalls();
        assertThat(breakers).containsExactly("open first:1");
        assertThat(byCallers).hasValue(Breaker.IN_A_ROW);
        servers.answer = server -> "well";
        await(() -> breakers.contains("closed first:1"));
        assertThat(doubts).as("earlier replies are doubted before each signal").containsExactly(0, 1);
        call();
    }

    /**
     * The server neither takes bytes nor fails: without the watchdog its callers would wait as
     * long as it hangs.
     */
    @Test
    void aServerThatHoldsItsCallersUpIsGivenUp() {
        Semaphore cut = new Semaphore(0);
        servers.cutOff = cut::release;
        servers.answer = server -> {
            cut.drainPermits();
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(TIMEOUTS.deadlineMillis()));
            passUntil(cut::tryAcquire);
            throw new JedisConnectionException("Socket closed");
        };
        for (int i = 0; i < Breaker.IN_A_ROW; i++) {
            assertThatExceptionOfType(CallFailedException.class)
                    .isThrownBy(this::call)
                    .withMessage("the call was not over within 150 ms")
                    .matches(CallFailedException::mayHaveRun);
        }
        assertThat(errors).hasSize(Breaker.IN_A_ROW).containsOnly(StoreError.TIMED_OUT);
        assertThat(breakers).containsExactly("open first:1");
        assertThat(servers.givenBackBroken).containsOnly(true);
    }

    /** Lets time pass, since the watchdog waits a moment. */
    private void passUntil(BooleanSupplier condition) {
        await(() -> {
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
            return condition.getAsBoolean();
        });
    }

    /** A reply from before the close counts; the connection is not used again. */
    @Test
    void anAnswerThatComesWhenItIsLateIsHeard() {
        CountDownLatch cut = new CountDownLatch(1);
        servers.cutOff = cut::countDown;
        servers.answer = server -> {
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(TIMEOUTS.deadlineMillis()));
            passUntil(() -> cut.getCount() == 0);
            return "late";
        };
        assertThat(call()).isEqualTo("late");
        assertThat(servers.givenBackBroken).containsExactly(true);
    }

    /**
     * The link is too slow for them, or the server takes no more bytes; it answers small calls.
     */
    @Test
    void largeCallsWithoutAnAnswerDoNotGiveAServerUpThatAnswersTheProbe() {
        AtomicInteger probes = new AtomicInteger();
        servers.answer = server -> {
            if (isMonitor()) {
                probes.incrementAndGet();
                return "well";
            }
            throw new JedisConnectionException(new SocketTimeoutException("Read timed out"));
        };
        for (int doubt = 1; doubt <= 2; doubt++) {
            int before = probes.get();
            for (int i = 0; i < Breaker.LOOKED_AT; i++) {
                assertThatExceptionOfType(CallFailedException.class)
                        .isThrownBy(this::largeCall)
                        .matches(CallFailedException::mayHaveRun);
            }
            await(() -> probes.get() > before);
        }
        servers.answer = server -> "well";
        assertThat(call()).isEqualTo("well");
        assertThat(breakers).isEmpty();
    }

    /** No small call is made that could find it out. */
    @Test
    void oneLargeCallWithoutAnAnswerIsEnoughToGiveUpAServerThatIsSilent() {
        servers.answer = server -> {
            throw new JedisConnectionException(new SocketTimeoutException("Read timed out"));
        };
        assertThatExceptionOfType(CallFailedException.class).isThrownBy(this::largeCall);
        await(() -> breakers.equals(List.of("open first:1")));
        assertThatExceptionOfType(CallFailedException.class)
                .isThrownBy(this::largeCall)
                .matches(notAsked -> notAsked.error() == null);
        servers.answer = server -> "well";
        await(() -> breakers.contains("closed first:1"));
    }

    /** The machine was busy when they were sent. */
    @Test
    void twoProbesWithoutAnAnswerAreNotEnough() {
        AtomicInteger probes = new AtomicInteger();
        servers.answer = server -> {
            if (isMonitor() && probes.incrementAndGet() > 2) {
                return "well";
            }
            throw new JedisConnectionException(new SocketTimeoutException("Read timed out"));
        };
        assertThatExceptionOfType(CallFailedException.class).isThrownBy(this::largeCall);
        await(() -> probes.get() == 3);
        servers.answer = server -> "well";
        assertThat(call()).isEqualTo("well");
        assertThat(breakers).isEmpty();
    }

    /** A refused connection counts against the server, whatever the size of the call. */
    @Test
    void aServerThatRefusesTheConnectionsOfLargeCallsIsGivenUp() {
        servers.connecting = () -> {
            throw new JedisConnectionException("refused");
        };
        for (int i = 0; i < Breaker.IN_A_ROW; i++) {
            assertThat(breakers).isEmpty();
            assertThatExceptionOfType(CallFailedException.class).isThrownBy(this::largeCall);
        }
        assertThat(breakers).containsExactly("open first:1");
    }

    private Object largeCall() {
        CommandArguments command = new CommandArguments(Protocol.Command.SET)
                .key("key")
                .add(new byte[Combiner.MOST_BYTES_TOGETHER / Combiner.MOST_TOGETHER]);
        return executor.execute(RedisCall.Command.of(command), Packed.of("key"), nanos.get());
    }

    private static boolean isMonitor() {
        return Thread.currentThread().getName().equals("limiter-monitor");
    }

    /** Its permissions suffice for the probe, and for all calls but those of one algorithm. */
    @Test
    void aPermissionThatOneAlgorithmLacksKeepsNoOtherFromTheServer() {
        int[] number = {0};
        servers.answer = server -> {
            if (Thread.currentThread().getName().equals("limiter-monitor")) {
                return "well";
            }
            if (number[0]++ % 2 == 0) {
                throw NOT_PERMITTED;
            }
            return "well";
        };
        for (int i = 0; i < 50; i++) {
            manyCalls();
            pause();
        }
        assertThat(errors).containsOnly(StoreError.NOT_PERMITTED);
        assertThat(breakers).isEmpty();
    }

    @Test
    void aServerThatPermitsNothingIsGivenUpUntilItDoes() {
        servers.answer = server -> {
            throw NOT_PERMITTED;
        };
        manyCalls();
        await(() -> breakers.equals(List.of("open first:1")));
        servers.answer = server -> "well";
        await(() -> breakers.contains("closed first:1"));
    }

    /** No other thread would ever ask again. */
    @Test
    void anErrorWhileItIsAskedDoesNotKeepAServerAwayForEver() {
        servers.answer = server -> {
            throw new JedisConnectionException("gone");
        };
        manyCalls();
        int asked = servers.asked.size();
        servers.answer = server -> {
            throw new StackOverflowError();
        };
        await(() -> servers.asked.size() > asked + 1);
        servers.answer = server -> "well";
        await(() -> breakers.contains("closed first:1"));
    }

    /**
     * These callers asked before the breaker opened, and time out after it has closed again. The
     * monitor ends that, too.
     */
    @Test
    void aCallFromBeforeTheBreakerOpenedCanOpenItAgain() throws InterruptedException {
        CountDownLatch silence = new CountDownLatch(1);
        servers.answer = server -> {
            if (Thread.currentThread().getName().startsWith("slow")) {
                Awaitility.await().until(() -> silence.getCount() == 0);
            }
            throw new JedisConnectionException("gone");
        };
        List<Thread> slow = new ArrayList<>();
        for (int i = 0; i < Breaker.IN_A_ROW; i++) {
            slow.add(new Thread(
                    () -> assertThatExceptionOfType(JedisException.class).isThrownBy(this::call), "slow"));
        }
        slow.forEach(Thread::start);
        await(() -> servers.asked.size() == slow.size());
        manyCalls();
        servers.answer = server -> "well";
        await(() -> breakers.contains("closed first:1"));
        silence.countDown();
        for (Thread each : slow) {
            each.join();
        }
        await(() -> breakers.equals(List.of("open first:1", "closed first:1", "open first:1", "closed first:1")));
    }

    @Test
    void aSlotWithoutAnOwnerIsNoSignThatAServerAnswers() {
        for (int i = 1; i <= Breaker.IN_A_ROW; i++) {
            servers.connecting = () -> {
                throw new JedisClusterOperationException("no node is known to keep slot 0");
            };
            assertThatExceptionOfType(CallFailedException.class).isThrownBy(this::call);
            servers.connecting = () -> {
                throw new JedisConnectionException("gone");
            };
            assertThatExceptionOfType(CallFailedException.class).isThrownBy(this::call);
        }
        assertThat(breakers).containsExactly("open first:1");
    }

    /**
     * The probe is answered, and little else: to come and go with each probe would be ten flips
     * a second.
     */
    @Test
    void aServerThatAnswersTheProbeOnlyIsAskedLessOften() {
        servers.answer = server -> {
            if (Thread.currentThread().getName().equals("limiter-monitor")) {
                return "well";
            }
            throw new JedisConnectionException("gone");
        };
        long began = System.nanoTime();
        for (int told : new int[] {2, 4}) {
            manyCalls();
            await(() -> breakers.size() == told);
        }
        assertThat(System.nanoTime() - began).isGreaterThan(TimeUnit.SECONDS.toNanos(1));
        assertThat(breakers).containsExactly("open first:1", "closed first:1", "open first:1", "closed first:1");
    }

    /** No server is asked, so none fails; but the owner of the slot may be found. */
    @Test
    void aSlotWithoutAnOwnerIsNoFailureOfAServer() {
        servers.connecting = () -> {
            throw new JedisClusterOperationException("no node is known to keep slot 0");
        };
        manyCalls();
        assertThat(breakers).isEmpty();
        assertThat(errors).containsOnly(StoreError.CLUSTER);
        await(() -> servers.looks.get() > 0);
        assertThat(servers.looks.get()).isLessThan(5);
    }

    @Test
    void aServerThatKeepsNothingAnyMoreIsNotAskedWhetherItIsBack() {
        servers.answer = server -> {
            throw new JedisConnectionException("gone");
        };
        manyCalls();
        servers.owner = FakeServers.SECOND;
        await(() -> breakers.contains("closed first:1"));
        assertThat(servers.asked).containsOnly(FakeServers.FIRST);
    }

    /** The JVM is cold, and so is the script. */
    @Test
    void aServerWhoseFirstAnswersAreLateIsNotGivenUpAtTheStart() {
        servers.answer = server -> {
            if (servers.asked.size() < 3) {
                throw new JedisConnectionException(new SocketTimeoutException("Read timed out"));
            }
            return "well";
        };
        start().look();
        assertThat(breakers).isEmpty();
        servers.answer = server -> {
            throw new JedisConnectionException(new SocketTimeoutException("Read timed out"));
        };
        start().look();
        assertThat(breakers).containsExactly("open first:1");
    }

    private StartupDiagnostics start() {
        return new StartupDiagnostics(calls, servers, probe, "test", signals);
    }

    @Test
    void aCallRedirectedInACircleGivesUp() {
        servers.answer = server -> {
            throw new JedisMovedDataException(
                    "MOVED 1 circle", server == FakeServers.FIRST ? FakeServers.SECOND : FakeServers.FIRST, 1);
        };
        assertThatExceptionOfType(JedisMovedDataException.class).isThrownBy(this::call);
        assertThat(servers.asked).hasSize(6);
        assertThat(errors).containsExactly(StoreError.CLUSTER);
        await(() -> servers.looks.get() > 0);
    }

    /** {@code cluster-preferred-endpoint-type unknown-endpoint}: only ports differ. */
    @Test
    void aNodeWithoutAHostHasThatOfTheNodeThatNamesIt() {
        servers.answer = server -> {
            if (server == FakeServers.FIRST) {
                throw new JedisMovedDataException("MOVED 1 :7", HostAndPort.from(":7"), 1);
            }
            return "well";
        };
        assertThat(call()).isEqualTo("well");
        assertThat(servers.asked).containsExactly(FakeServers.FIRST, new HostAndPort("first", 7));
    }

    /** No caller that shared it was counted. */
    @Test
    void aCallThatWasRefusedForItsSlotsIsSentAgainAlone() {
        servers.answer = server -> {
            if (servers.asked.size() == 1) {
                throw new JedisDataException("CROSSSLOT Keys in request don't hash to the same slot");
            }
            return "well";
        };
        assertThat(call()).isEqualTo("well");
        assertThat(servers.usesSlots).isTrue();
        servers.answer = server -> {
            throw new JedisDataException("CROSSSLOT Keys in request don't hash to the same slot");
        };
        assertThatExceptionOfType(JedisDataException.class).isThrownBy(this::call);
        assertThat(servers.asked).hasSize(4);
        assertThat(breakers).isEmpty();
    }

    @Test
    void askingIsSentBeforeTheCommand() {
        servers.answer = server -> {
            if (server == FakeServers.FIRST) {
                throw new JedisAskDataException("ASK 1 second:2", FakeServers.SECOND, 1);
            }
            return "well";
        };
        assertThat(call()).isEqualTo("well");
        assertThat(servers.toldAsking).containsExactly(FakeServers.SECOND);
        assertThat(servers.looks).hasValue(0);
    }

    /**
     * A user without +asking, a script that is too slow, a server that still loads: the command
     * behind it is answered all the same.
     */
    @Test
    void whatIsAnsweredBehindARefusedAskingIsNotLeftForTheNext() {
        servers.answer = server -> {
            if (server == FakeServers.FIRST) {
                throw new JedisAskDataException("ASK 1 second:2", FakeServers.SECOND, 1);
            }
            return "well";
        };
        servers.whenToldAsking = () -> {
            throw new JedisDataException("NOPERM this user has no permissions to run the 'asking' command");
        };
        try {
            call();
        } catch (JedisDataException refused) {
            // it may be told so
        }
        assertThat(servers.givenBackBroken).containsExactly(false, false);
        assertThat(servers.leftUnheard).containsOnly(0);
    }

    /**
     * NOSCRIPT uses up of the deadline what it takes; opening another connection must not go
     * beyond it.
     */
    @Test
    void anAdjustmentHasOneDeadlineForBothOfItsCalls() {
        long began = nanos.get();
        servers.answer = server -> {
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
            if (servers.asked.size() == 1) {
                servers.connecting = () -> nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
                throw new JedisNoScriptException("NOSCRIPT No matching script.");
            }
            return new byte[17];
        };
        try {
            executor.run(Program.adjustments(), List.of(Packed.of("key")), List.of());
        } catch (JedisException late) {
            // it is told so
        }
        assertThat(servers.asked)
                .as("after %d ms", (nanos.get() - began) / 1_000_000)
                .hasSize(1);
    }

    /** Its other connections lead to the same replica, and are closed before one more try. */
    @Test
    void aReplicaIsTriedOnceMoreOnAFreshConnection() {
        servers.answer = server -> {
            if (servers.forgotten.get() == 0) {
                throw new JedisDataException("READONLY You can't write against a read only replica.");
            }
            return "well";
        };
        assertThat(call()).isEqualTo("well");
        assertThat(servers.givenBackBroken).containsExactly(true, false);
    }

    /**
     * Each call finds out twice, the second time on a fresh connection: no promotion has come,
     * and none will for this server.
     */
    @Test
    void aServerThatStaysAReplicaIsGivenUp() {
        servers.answer = server -> {
            throw new JedisDataException("READONLY You can't write against a read only replica.");
        };
        manyCalls();
        assertThat(breakers).containsExactly("open first:1");
        assertThat(errors).containsOnly(StoreError.READ_ONLY);
    }

    @Test
    void aServerThatIsBusyIsGivenUp() {
        servers.answer = server -> {
            throw new JedisBusyException("BUSY Redis is busy running a script");
        };
        manyCalls();
        assertThat(breakers).containsExactly("open first:1");
    }

    /** The pool's wait and a slow greeting: then an answer could not be awaited any more. */
    @Test
    void aConnectionThatComesTooLateIsGivenBackUnused() {
        servers.connecting = () -> nanos.addAndGet(111_000_000);
        assertThatExceptionOfType(CallFailedException.class)
                .isThrownBy(this::call)
                .matches(failed -> !failed.mayHaveRun())
                .withMessageContaining("too late");
        assertThat(servers.asked).isEmpty();
        assertThat(servers.givenBackBroken).containsExactly(false);
        assertThat(errors).containsExactly(StoreError.POOL_EXHAUSTED);
    }

    /**
     * NOSCRIPT proves that nothing ran; but the text is sent only while an answer to it could be
     * awaited.
     */
    @ParameterizedTest
    @CsvSource({"110, 2", "111, 1"})
    void theTextOfAScriptIsSentWhileThereIsTime(int millis, int sent) {
        PreparedPolicies policies = new PreparedPolicies(new RedisKeys("calls", ""));
        Policy policy = Policy.of("calls", Algorithm.GCRA, 1, Duration.ofSeconds(1));
        CheckGroup group = CheckGroup.of(Check.of(policy, PartitionKey.of("key", "value")));
        List<Runnable> both = List.of(
                () -> executor.run(Program.adjustments(), List.of(Packed.of("key")), List.of()),
                () -> executor.decide(DecisionCall.decide(policies, group), nanos.get()));
        for (Runnable call : both) {
            servers.asked.clear();
            servers.answer = server -> {
                if (servers.asked.size() == 1) {
                    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
                    throw new JedisNoScriptException("NOSCRIPT No matching script.");
                }
                return new byte[17];
            };
            try {
                call.run();
            } catch (JedisNoScriptException late) {
                assertThat(sent).isOne();
            }
            assertThat(servers.asked).hasSize(sent);
            assertThat(errors).isEmpty();
        }
    }

    @Test
    void noServerIsMonitoredAfterTheClose() throws InterruptedException {
        servers.answer = server -> {
            throw new JedisConnectionException("gone");
        };
        List<Thread> others = lookouts();
        manyCalls();
        List<Thread> mine = lookouts();
        mine.removeAll(others);
        assertThat(mine).hasSize(1);
        calls.close();
        mine.get(0).join(TimeUnit.SECONDS.toMillis(5));
        assertThat(mine.get(0).isAlive()).isFalse();
    }

    private static List<Thread> lookouts() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("limiter-monitor"))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** A node may answer so slowly that the time is up before the circle is closed. */
    @Test
    void aCallRedirectedTooLateIsNotSent() {
        servers.answer = server -> {
            nanos.addAndGet(60_000_000);
            throw new JedisMovedDataException("MOVED 1 second:2", FakeServers.SECOND, 1);
        };
        assertThatExceptionOfType(JedisMovedDataException.class).isThrownBy(this::call);
        assertThat(servers.asked).containsExactly(FakeServers.FIRST, FakeServers.SECOND);
    }

    /** What was refused once is sent alone: others would have to wait for it. */
    @Test
    void anInterruptedThreadDoesNotWaitForASlotThatMoves() {
        JedisDataException moves = new JedisDataException("TRYAGAIN Multiple keys request during rehashing of slot");
        assertThat(calls.next(moves, new Destination(FakeServers.FIRST, 1)).unbatched())
                .isTrue();
        servers.answer = server -> {
            throw moves;
        };
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(JedisDataException.class).isThrownBy(this::call);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(servers.asked).hasSize(1);
    }

    @Test
    void whatMayHaveRunIsNotSentAgain() {
        List<RuntimeException> silences =
                new ArrayList<>(List.of(new JedisConnectionException("reset"), new ClassCastException("no list")));
        for (RuntimeException silence : silences) {
            servers.asked.clear();
            servers.answer = server -> {
                throw silence;
            };
            assertThatExceptionOfType(CallFailedException.class)
                    .isThrownBy(this::call)
                    .matches(CallFailedException::mayHaveRun);
            assertThat(servers.asked).hasSize(1);
        }
        assertThat(servers.givenBackBroken).containsOnly(true);
    }

    private Object call() {
        CommandArguments command = new CommandArguments(Protocol.Command.GET).key("key");
        return executor.execute(RedisCall.Command.of(command), Packed.of("key"), nanos.get());
    }

    private void manyCalls() {
        for (int i = 0; i < 2 * Breaker.LOOKED_AT; i++) {
            try {
                call();
            } catch (JedisException failed) {
                // what it tells is looked at afterwards
            }
        }
    }

    private static void pause() {
        LockSupport.parkNanos(10_000_000);
    }

    private static void await(BooleanSupplier condition) {
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(condition::getAsBoolean);
    }
}
