package dev.limiter.redis.internal.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.StoreUnavailableException;
import dev.limiter.internal.algorithm.Packed;
import dev.limiter.redis.internal.combine.Breaker;
import dev.limiter.redis.internal.combine.CallFailedException;
import dev.limiter.redis.internal.combine.NodeConnection;
import dev.limiter.redis.internal.node.Nodes;
import dev.limiter.redis.internal.node.Probe;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.RedisCall;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.redis.internal.script.ReplyBytes;
import dev.limiter.redis.internal.topology.FakeServers;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * What one call of the store tells, to the letter: of scripts that are missing, of clocks, of
 * failures and of breakers.
 */
class ScriptExecutorSignalsTest {
    private static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMillis(150));
    private static final long MILLI = 1_000_000;
    private static final JedisNoScriptException NO_SCRIPT = new JedisNoScriptException("NOSCRIPT");

    private final FakeServers servers = new FakeServers();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private volatile long nanos = 40_000_000_000L;
    private long micros = 1_700_000_000_000_000L;
    private final Signals signals = new Signals() {
        @Override
        public void breaker(String node, boolean open, String reason) {
            told.add((open ? "open " : "closed ") + node + ": " + reason);
        }

        @Override
        public void storeFailed(StoreError error, boolean mayHaveRun) {
            told.add(error + (mayHaveRun ? " may have run" : ""));
        }

        @Override
        public void happened(Incident incident) {
            told.add(incident.toString());
        }
    };
    private final PreparedPolicies policies = new PreparedPolicies(new RedisKeys("signals", ""));
    private final NodeConnection connection =
            new NodeConnection(servers, new Watchdog(TIMEOUTS, () -> nanos), TIMEOUTS, () -> nanos);
    private final Probe probe = new Probe(policies, servers, connection, () -> nanos);
    private final Nodes calls = new Nodes(servers, connection, probe, 8, TIMEOUTS, () -> nanos, signals, () -> {});
    private final DecisionCall decision = DecisionCall.decide(
            policies,
            CheckGroup.of(Check.of(
                    Policy.of("p", Algorithm.GCRA, 5, Duration.ofSeconds(1)), PartitionKey.of("user", "alice"))));
    private final ScriptExecutor executor = new ScriptExecutor(calls, () -> nanos, signals);

    @AfterEach
    void close() {
        calls.close();
    }

    private static boolean isMonitor() {
        return Thread.currentThread().getName().equals("limiter-monitor");
    }

    private void ask(boolean settles) {
        if (settles) {
            executor.run(Program.adjustments(), List.of(decision.key()), List.of());
        } else {
            executor.decide(decision, nanos);
        }
    }

    /** So long a call takes, and so much later it is then on the server's clock. */
    private void answers(long takesMillis, long serverMillis) {
        servers.answer = server -> {
            nanos += takesMillis * MILLI;
            micros += serverMillis * 1_000;
            return Packed.joined(Packed.packed(micros), new byte[9]);
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theClockOfTheKeysServerIsWatchedFromAskingToAnswering(boolean settles) {
        answers(0, 0);
        ask(settles);
        for (int time = 0; time < 3; time++) {
            answers(5_000, time == 0 ? 5_000 : 10_000); // decided at the end
            ask(settles);
            answers(5_000, 0); // decided at the beginning
            ask(settles);
        }
        assertThat(told).as("what a long call explains").isEmpty();
        answers(0, 5_000);
        ask(settles);
        assertThat(told).isEmpty();
        answers(0, 20_000);
        ask(settles);
        assertThat(told).containsExactly("CLOCK_STEPPED");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aScriptThatIsMissingIsToldEachTimeAndSentWithItsText(boolean settles) {
        for (int time = 1; time <= 2; time++) {
            List<String> sent = new ArrayList<>();
            servers.reply = (server, command) -> {
                sent.add(command.getCommand() == null ? "" : first(command));
                if (sent.size() == 1) {
                    throw NO_SCRIPT;
                }
                return Packed.joined(Packed.packed(micros), new byte[9]);
            };
            ask(settles);
            assertThat(sent).containsExactly("EVALSHA", "EVAL");
        }
        assertThat(told).containsExactly("SCRIPT_MISSING", "SCRIPT_MISSING");
    }

    private static String first(CommandArguments command) {
        return new String(command.iterator().next().getRaw(), StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatFailsIsToldOnceAndNoClockIsLookedAt(boolean settles) {
        servers.answer = server -> {
            throw new JedisDataException("OOM command not allowed");
        };
        assertThatExceptionOfType(JedisDataException.class).isThrownBy(() -> ask(settles));
        servers.answer = server -> {
            throw new JedisConnectionException("reset");
        };
        assertThatExceptionOfType(CallFailedException.class).isThrownBy(() -> ask(settles));
        answers(0, 20_000); // the first reading, so it is no step
        ask(settles);
        assertThat(told).containsExactly("OUT_OF_MEMORY", "BROKEN may have run");
    }

    /** Permissions are told as a list. */
    @Test
    void whatIsNoReadingHasNoClock() {
        servers.answer = server -> List.of("get");
        assertThat(executor.run(Program.ofFile("permissions.lua"), List.of(Packed.of("key")), List.of()))
                .isEqualTo(List.of("get"));
        answers(0, 20_000); // the first reading, so it is no step
        ask(false);
        assertThat(told).isEmpty();
    }

    private Object call() {
        return call("key");
    }

    private Object call(String key) {
        CommandArguments command = new CommandArguments(Protocol.Command.GET).key(key);
        return executor.execute(RedisCall.Command.of(command), Packed.of(key), nanos);
    }

    /** Of commands, decisions and scripts alike: none has to be sent on. */
    @Test
    void eachCallGoesToTheOwnerOfItsSlotAtOnce() {
        servers.owners = slot -> slot == 7 ? FakeServers.SECOND : FakeServers.FIRST;
        servers.slots = key -> key.length > 3 ? 7 : 6;
        servers.answer = server -> new byte[17];
        List<Runnable> every = List.of(
                () -> executor.run(Program.adjustments(), List.of(Packed.of("keys")), List.of()),
                () -> executor.run(Program.adjustments(), List.of(Packed.of("keys"), Packed.of("key")), List.of()),
                () -> executor.decide(decision, nanos),
                () -> call("keys"));
        for (Runnable each : every) {
            servers.asked.clear();
            each.run();
            assertThat(servers.asked).containsExactly(FakeServers.SECOND);
        }
        servers.asked.clear();
        call("key");
        executor.run(Program.adjustments(), List.of(Packed.of("key"), Packed.of("keys")), List.of());
        assertThat(servers.asked).containsExactly(FakeServers.FIRST, FakeServers.FIRST);
    }

    /**
     * The last of five failures opens it; while it is open the server is not asked, and that is
     * no failure of the store.
     */
    @Test
    void aBreakerSaysWhatOpenedItAndNothingWhenItCloses() {
        int[] number = {0};
        servers.answer = server -> {
            throw new JedisConnectionException(isMonitor() ? "looked at" : "failure " + ++number[0]);
        };
        for (int i = 0; i < Breaker.IN_A_ROW; i++) {
            assertThatExceptionOfType(JedisException.class).isThrownBy(this::call);
        }
        assertThatExceptionOfType(CallFailedException.class)
                .isThrownBy(this::call)
                .withMessage("it is not asked at present, since failure 5")
                .matches(failed -> failed.error() == null && !failed.mayHaveRun());
        assertThat(told).hasSize(6).contains("open first:1: failure 5").doesNotContain("OTHER");
        servers.answer = server -> "well";
        Awaitility.await().until(() -> told.contains("closed first:1: "));
        assertThat(call()).isEqualTo("well");
        assertThat(told).hasSize(7);
    }

    @Test
    void aServerThatKeepsNothingAnyMoreIsSaidToBeGone() {
        calls.openBreaker(FakeServers.FIRST, "not well");
        calls.openBreaker(FakeServers.FIRST, "still not well");
        servers.owner = FakeServers.SECOND;
        Awaitility.await().until(() -> told.size() > 1);
        assertThat(told).containsExactly("open first:1: not well", "closed first:1: nothing is kept there any more");
    }

    /** The refusal is reported as the reason. */
    @Test
    void aServerThatPermitsNothingSaysWhy() {
        servers.answer = server -> {
            throw new JedisDataException("NOPERM no way");
        };
        assertThatExceptionOfType(JedisDataException.class).isThrownBy(this::call);
        Awaitility.await().until(() -> told.size() > 1);
        assertThat(told).containsExactly("NOT_PERMITTED", "open first:1: NOPERM no way");
    }

    @Test
    void whatTheStoreDoesNotSayIsOneExceptionAndOnlyNonsenseIsASignal() {
        for (RuntimeException known : List.of(
                new JedisConnectionException("gone"),
                new JedisDataException("OOM"),
                CallFailedException.breakerOpen("gone"))) {
            assertUnavailable(known);
        }
        assertThat(told).isEmpty();
        assertUnavailable(new ClassCastException("a list"));
        assertUnavailable(new ArrayIndexOutOfBoundsException("too short"));
        assertThat(told).containsExactly("OTHER may have run", "OTHER may have run");
        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> acquire(new StackOverflowError()));
    }

    private void assertUnavailable(RuntimeException failure) {
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> acquire(failure))
                .withMessage("Redis at redis:1 gave no decision: " + failure.getMessage())
                .withCause(failure);
    }

    /** The exception of a store that fails in this way. */
    private void acquire(Throwable failure) {
        RedisRateLimiter limiter = new RedisRateLimiter(
                new ScriptExecutor(null, () -> nanos, signals) {
                    @Override
                    public Reply decide(DecisionCall call, long began) {
                        if (failure instanceof Error error) {
                            throw error;
                        }
                        throw (RuntimeException) failure;
                    }
                },
                new PreparedPolicies(new RedisKeys("unwell", "")),
                signals,
                "redis:1",
                System::nanoTime);
        limiter.acquire(
                Policy.of("policy", Algorithm.GCRA, 1, Duration.ofSeconds(1)), PartitionKey.of("user", "alice"));
    }

    private final List<List<String>> asked = new ArrayList<>();

    /** Says 0 to everything: refused, nothing there, waiting. */
    private ScriptExecutor silent() {
        return new ScriptExecutor(null, () -> 0, Signals.NONE) {
            @Override
            public Object run(Program script, List<byte[]> keys, List<byte[]> arguments, ReplyBytes replyBytes) {
                List<String> words = new ArrayList<>(List.of(String.valueOf(replyBytes)));
                keys.forEach(key -> words.add(new String(key, StandardCharsets.US_ASCII)));
                arguments.forEach(argument -> words.add(new String(argument, StandardCharsets.ISO_8859_1)));
                asked.add(words);
                return new byte[100];
            }
        };
    }

    /** Charges and refunds have replies of a few bytes: they wait for no large call. */
    @Test
    void anAdjustmentExpectsAShortReply() {
        silent().run(Program.adjustments(), List.of(Packed.of("key")), List.of(Packed.of("charge")));
        assertThat(asked).hasSize(1);
        assertThat(asked.get(0)).endsWith("key", "charge");
        assertThat(asked.get(0).get(0)).as("what it may hear").matches("\\D*(0\\D*)+");
    }
}
