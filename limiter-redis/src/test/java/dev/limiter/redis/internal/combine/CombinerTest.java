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
import dev.limiter.redis.internal.topology.ProcessClock;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Callers that ask while a round trip is under way. The server replies to each with its own
 * request.
 */
class CombinerTest {

    /** So long that a caller that is not woken gets no answer while the test waits. */
    private static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMinutes(1));

    private final FakeServers servers = new FakeServers();
    private final List<String> breakers = new CopyOnWriteArrayList<>();
    private final List<Long> waited = new CopyOnWriteArrayList<>();
    private final AtomicLong nanos = new AtomicLong();
    private final Signals signals = new Signals() {
        @Override
        public void breaker(String node, boolean open, String reason) {
            breakers.add((open ? "open " : "closed ") + node);
        }

        @Override
        public void connected(long waitedNanos) {
            waited.add(waitedNanos);
        }
    };
    private final Watchdog watchdog = new Watchdog(TIMEOUTS, nanos::get);
    private final NodeConnection connection = new NodeConnection(servers, watchdog, TIMEOUTS, this::now);
    private final Probe probe =
            new Probe(new PreparedPolicies(new RedisKeys("line", "")), servers, connection, this::now);
    private Nodes calls = new Nodes(servers, connection, probe, 1, TIMEOUTS, this::now, signals, () -> {});

    /** The replies to these wait for the test. */
    private final CountDownLatch first = new CountDownLatch(1);

    private final CountDownLatch second = new CountDownLatch(1);
    private final CountDownLatch third = new CountDownLatch(1);
    private volatile UnaryOperator<String> answer = UnaryOperator.identity();

    /** Runs while a thread reads the clock. */
    private volatile Runnable meanwhile = () -> {};

    private final List<Caller> callers = new CopyOnWriteArrayList<>();
    private final List<WeakReference<Object>> commands = new CopyOnWriteArrayList<>();

    CombinerTest() {
        servers.reply = (server, command) -> {
            if (Thread.currentThread().getName().equals("limiter-monitor")) {
                throw new JedisConnectionException("gone"); // the monitor is not under test here
            }
            String asked = new String(command.get(1).getRaw(), StandardCharsets.US_ASCII);
            if (asked.equals("first")) {
                await(first);
            } else if (asked.equals("second")) {
                await(second);
            }
            return answer.apply(asked);
        };
    }

    private long now() {
        meanwhile.run();
        return nanos.get();
    }

    /** Once, when this caller looks at the clock the next time. */
    private void whenItLooksAtTheClock(Caller caller, Runnable happens) {
        meanwhile = () -> {
            if (Thread.currentThread() == caller.thread) {
                meanwhile = () -> {};
                happens.run();
            }
        };
    }

    private void pass(int millis) {
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
        callers.forEach(each -> LockSupport.unpark(each.thread));
    }

    @AfterEach
    void close() throws InterruptedException {
        first.countDown();
        second.countDown();
        third.countDown();
        pass(TIMEOUTS.deadlineMillis()); // a forgotten caller goes away
        for (Caller each : callers) {
            each.thread.join();
        }
        calls.close();
    }

    /** A caller in a thread of its own. */
    private final class Caller {
        private final FutureTask<Object> answer;
        private final Thread thread;

        Caller(String asks) {
            answer = new FutureTask<>(() -> call(asks));
            thread = new Thread(answer, asks);
            thread.start();
            callers.add(this);
        }

        boolean waitsInLine() {
            return LockSupport.getBlocker(thread) instanceof Combiner;
        }

        Object get() throws Exception {
            return answer.get(1, TimeUnit.MINUTES);
        }

        Throwable failure() {
            try {
                throw new AssertionError("it was answered " + get());
            } catch (ExecutionException failed) {
                return failed.getCause();
            } catch (Exception | AssertionError other) {
                throw new AssertionError(other);
            }
        }
    }

    private Object call(String asks) {
        CommandArguments command = new CommandArguments(Protocol.Command.GET).key(asks);
        commands.add(new WeakReference<>(command));
        return new ScriptExecutor(calls, this::now, signals)
                .execute(RedisCall.Command.of(command), Packed.of(asks), now());
    }

    private void holdTheHeldCalls() {
        answer = asked -> {
            if (asked.startsWith("held")) {
                await(third);
            }
            return asked;
        };
    }

    /** A caller whose call is under way, and this number of callers behind it. */
    private List<Caller> line(int waiting) {
        Caller leader = new Caller("first");
        until(() -> !servers.asked.isEmpty());
        List<Caller> others = more(waiting, Integer::toString);
        assertThat(leader.answer.isDone()).isFalse();
        return others;
    }

    /** This number of further waiting callers. */
    private List<Caller> more(int waiting, IntFunction<String> asks) {
        List<Caller> others = new ArrayList<>();
        for (int i = 0; i < waiting; i++) {
            Caller caller = new Caller(asks.apply(i));
            until(caller::waitsInLine);
            others.add(caller);
        }
        return others;
    }

    @Test
    void callersDuringARoundTripShareTheNextOne() throws Exception {
        List<Caller> others = line(20);
        first.countDown();
        for (int i = 0; i < others.size(); i++) {
            assertThat(others.get(i).get()).isEqualTo(Integer.toString(i));
        }
        assertThat(servers.asked).hasSize(21);
        assertThat(servers.givenBackBroken).containsExactly(false, false);
    }

    @Test
    void noMoreThanSixtyFourShareOne() throws Exception {
        List<Caller> others = line(Combiner.MOST_TOGETHER + 1);
        first.countDown();
        for (Caller each : others) {
            each.get();
        }
        assertThat(servers.givenBackBroken).hasSize(3);
    }

    /** Eight calls fill a round trip, and the ninth is a little too much. */
    @Test
    void callsThatShareARoundTripAreBoundedInBytes() throws Exception {
        String large = " ".repeat(Combiner.MOST_BYTES_TOGETHER / 8 - 100);
        holdTheHeldCalls();
        Caller held = new Caller("held" + large);
        until(() -> servers.asked.size() == 1);
        List<Caller> others = more(10, number -> number + large);
        third.countDown();
        held.get();
        for (Caller each : others) {
            each.get();
        }
        assertThat(servers.sentTogether).containsExactly(1, 8, 2);
    }

    /**
     * Many calls that are just not large would be too much together, and a decision might be
     * among them.
     */
    @Test
    void callsBesideDecisionsAreBoundedLower() throws Exception {
        String notLarge = " ".repeat(Nodes.BYTES_BESIDE_DECISIONS / 17 - 100);
        holdTheHeldCalls();
        Caller held = new Caller("held");
        until(() -> servers.asked.size() == 1);
        List<Caller> others = more(20, number -> number + notLarge);
        third.countDown();
        held.get();
        for (Caller each : others) {
            each.get();
        }
        assertThat(servers.sentTogether).containsExactly(1, 17, 3);
    }

    /** Large calls have a combiner of their own. Each of these fills a round trip. */
    @Test
    void largeCallsDoNotHoldOthersUp() throws Exception {
        String large = " ".repeat(Combiner.MOST_BYTES_TOGETHER);
        holdTheHeldCalls();
        Caller held = new Caller("held" + large);
        until(() -> servers.asked.size() == 1);
        List<Caller> others = more(3, number -> number + large);
        assertThat(call("small")).isEqualTo("small");
        assertThat(held.answer.isDone()).isFalse();
        third.countDown();
        held.get();
        for (Caller caller : others) {
            caller.get();
        }
        assertThat(servers.sentTogether).containsExactly(1, 1, 1, 1, 1);
    }

    /** From a sixty-fourth of what a round trip may take on. */
    @ParameterizedTest
    @CsvSource({"16383, false", "16384, true"})
    void aCallIsLargeByWhatItSends(int bytes, boolean large) throws Exception {
        holdTheHeldCalls();
        Caller held = new Caller("held" + " ".repeat(Combiner.MOST_BYTES_TOGETHER));
        until(() -> servers.asked.size() == 1);
        Caller other = new Caller("x".repeat(bytes - "GET".length()));
        until(() -> other.answer.isDone() || other.waitsInLine());
        assertThat(other.answer.isDone()).as("it passes the large one").isEqualTo(!large);
        third.countDown();
        held.get();
        other.get();
    }

    /**
     * The time in the queue, without the round trip, shows whether there are too few
     * connections.
     */
    @Test
    void howLongEachWaitedIsTold() throws Exception {
        List<Caller> others = line(3);
        pass(30);
        first.countDown();
        for (Caller each : others) {
            each.get();
        }
        until(() -> waited.size() == 4);
        assertThat(waited)
                .containsExactlyInAnyOrder(
                        0L,
                        TimeUnit.MILLISECONDS.toNanos(30),
                        TimeUnit.MILLISECONDS.toNanos(30),
                        TimeUnit.MILLISECONDS.toNanos(30));
    }

    @Test
    void noWaitIsToldOfACallThatIsRefused() {
        answer = asked -> {
            throw new JedisDataException("OOM command not allowed");
        };
        assertThatExceptionOfType(JedisDataException.class).isThrownBy(() -> call("one"));
        assertThat(waited).isEmpty();
    }

    @Test
    void whatIsRefusedToOneIsNotRefusedToOthers() throws Exception {
        answer = asked -> {
            if (asked.equals("3")) {
                throw new JedisDataException("OOM command not allowed");
            }
            return asked;
        };
        List<Caller> others = line(5);
        first.countDown();
        assertThat(others.get(3).failure()).hasMessageStartingWith("OOM");
        for (int i : new int[] {0, 1, 2, 4}) {
            assertThat(others.get(i).get()).isEqualTo(Integer.toString(i));
        }
        assertThat(servers.givenBackBroken).containsExactly(false, false);
    }

    /** Replies before the loss count; all other calls may have run. */
    @Test
    void aConnectionThatIsLostIsOneFailureAndEachHearsOfIt() throws Exception {
        answer = asked -> {
            if (asked.equals("2")) {
                throw new JedisConnectionException("reset");
            }
            return asked;
        };
        List<Caller> others = line(12);
        first.countDown();
        assertThat(others.get(0).get()).isEqualTo("0");
        assertThat(others.get(1).get()).isEqualTo("1");
        for (Caller each : others.subList(2, 12)) {
            assertThat(each.failure()).isInstanceOfSatisfying(CallFailedException.class, lost -> {
                assertThat(lost.mayHaveRun()).isTrue();
                assertThat(lost.error()).isEqualTo(StoreError.BROKEN);
            });
        }
        assertThat(servers.asked).hasSize(13);
        assertThat(servers.givenBackBroken).containsExactly(false, true);
        assertThat(breakers).isEmpty();
    }

    @Test
    void anErrorOfTheLeaderReachesAllCallers() {
        answer = asked -> {
            if (asked.equals("0")) {
                throw new StackOverflowError();
            }
            return asked;
        };
        List<Caller> others = line(3);
        first.countDown();
        assertThat(others.get(0).failure()).isInstanceOf(StackOverflowError.class);
        assertThat(others.get(1).failure()).isInstanceOf(CallFailedException.class);
        assertThat(others.get(2).failure()).isInstanceOf(CallFailedException.class);
    }

    @Test
    void aCallThatWaitedTooLongIsNeverSent() {
        List<Caller> others = line(3);
        pass(TIMEOUTS.waitMillis());
        for (Caller each : others) {
            assertThat(each.failure()).isInstanceOfSatisfying(CallFailedException.class, notSent -> {
                assertThat(notSent.mayHaveRun()).isFalse();
                assertThat(notSent.error()).isEqualTo(StoreError.POOL_EXHAUSTED);
            });
        }
        first.countDown();
        assertThat(call("later")).isEqualTo("later");
        assertThat(servers.asked).hasSize(2);
    }

    /** A caller finds that its time is over, and is claimed before it can withdraw. */
    @Test
    void aCallClaimedAtTheLastMomentGetsItsReply() throws Exception {
        line(0);
        Caller late = new Caller("late");
        until(late::waitsInLine);
        whenItLooksAtTheClock(late, () -> {
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(TIMEOUTS.waitMillis()));
            first.countDown();
            until(callers.get(0).answer::isDone);
            new Caller("second");
            until(() -> servers.asked.size() == 3);
        });
        LockSupport.unpark(late.thread);
        until(() -> servers.asked.size() == 3 && (late.waitsInLine() || late.answer.isDone()));
        second.countDown();
        assertThat(late.get()).isEqualTo("late");
    }

    /** A caller is woken to lead just after it found that its time is over. */
    @Test
    void aCallerThatLeavesWakesTheNext() throws Exception {
        line(0);
        Caller late = new Caller("late");
        until(late::waitsInLine);
        Caller next = new Caller("next");
        until(next::waitsInLine);
        whenItLooksAtTheClock(late, () -> {
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(TIMEOUTS.waitMillis()));
            first.countDown();
            until(callers.get(0).answer::isDone);
        });
        LockSupport.unpark(late.thread);
        assertThat(late.failure()).hasMessage("all connections are in use");
        assertThat(next.get()).isEqualTo("next");
    }

    /**
     * Two round trips may be under way. The caller was going to lead one of them when the other
     * claimed it.
     */
    @Test
    void aCallerWokenToLeadThatIsClaimedWakesTheNext() throws Exception {
        calls = new Nodes(servers, connection, probe, 2, TIMEOUTS, this::now, signals, () -> {});
        Caller leader = new Caller("first");
        until(() -> servers.asked.size() == 1);
        Caller other = new Caller("second");
        until(() -> servers.asked.size() == 2);
        Caller taken = new Caller("taken");
        until(taken::waitsInLine);
        AtomicInteger looks = new AtomicInteger();
        whenItLooksAtTheClock(
                taken,
                () -> { // and leads
                    looks.incrementAndGet();
                    second.countDown();
                    until(other.answer::isDone);
                    assertThat(call("takes it along")).isEqualTo("takes it along");
                });
        first.countDown();
        assertThat(taken.get()).isEqualTo("taken");
        assertThat(looks).hasValue(1);
        assertThat(leader.get()).isEqualTo("first");
        List<Caller> held = new ArrayList<>();
        answer = asked -> {
            if (asked.startsWith("held")) {
                await(third);
            }
            return asked;
        };
        for (int i = 0; i < 2; i++) {
            held.add(new Caller("held" + i));
        }
        until(() -> servers.asked.size() == 6); // both are under way
        third.countDown();
        for (Caller each : held) {
            each.get();
        }
    }

    /** Calls for two round trips wait, and both are free. */
    @Test
    void aCallThatDoesNotFitUsesTheOtherConnection() throws Exception {
        calls = new Nodes(servers, connection, probe, 2, TIMEOUTS, this::now, signals, () -> {});
        new Caller("first");
        until(() -> servers.asked.size() == 1);
        Caller other = new Caller("other");
        other.get();
        answer = asked -> {
            if (asked.equals("held")) {
                await(third);
            }
            return asked;
        };
        new Caller("second");
        until(() -> servers.asked.size() == 3);
        Caller held = new Caller("held");
        until(held::waitsInLine);
        List<Caller> others = new ArrayList<>();
        for (int i = 0; i < Combiner.MOST_TOGETHER; i++) {
            Caller caller = new Caller(Integer.toString(i));
            until(caller::waitsInLine);
            others.add(caller);
        }
        whenItLooksAtTheClock(
                held,
                () -> { // and leads
                    second.countDown();
                    until(() -> servers.givenBackBroken.size() == 3);
                    until(callers.get(2).answer::isDone);
                });
        first.countDown();
        assertThat(others.get(Combiner.MOST_TOGETHER - 1).get())
                .isEqualTo(Integer.toString(Combiner.MOST_TOGETHER - 1));
        assertThat(held.answer.isDone()).isFalse();
        third.countDown();
        assertThat(held.get()).isEqualTo("held");
    }

    @Test
    void aCallToAServerThatIsGivenUpDoesNotWait() {
        line(0);
        calls.openBreaker(FakeServers.FIRST, "it is gone");
        assertThat(new Caller("later").failure()).hasMessageContaining("it is gone");
    }

    /** The socket of a virtual thread would be closed. */
    @Test
    void anEarlierInterruptionIsPutOffDuringTheCall() {
        AtomicInteger interrupted = new AtomicInteger();
        servers.connecting = () -> interrupted.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
        Thread.currentThread().interrupt();
        assertThat(call("interrupted")).isEqualTo("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(interrupted).hasValue(0);
    }

    /** The connection leads to a replica, whatever the replies to calls that charge nothing. */
    @Test
    void aConnectionIsClosedWhateverTheLastOfItsAnswersIs() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        answer = asked -> {
            if (asked.equals("0") && refused.getAndIncrement() == 0) {
                throw new JedisDataException("READONLY You can't write against a read only replica.");
            }
            return asked;
        };
        List<Caller> others = line(2);
        first.countDown();
        for (Caller each : others) {
            each.get();
        }
        assertThat(servers.givenBackBroken).containsExactly(false, true, false);
    }

    /** The leader is held up, by a pause of its own or by a slow reply. */
    @Test
    void aSentCallWaitsNoLongerThanTheDeadline() throws Exception {
        line(0);
        Caller leads = new Caller("second");
        until(leads::waitsInLine);
        Caller follows = new Caller("follows");
        until(follows::waitsInLine);
        first.countDown();
        until(() -> servers.asked.size() == 3);
        pass(TIMEOUTS.deadlineMillis());
        assertThat(follows.failure()).isInstanceOfSatisfying(CallFailedException.class, left -> {
            assertThat(left.mayHaveRun()).isTrue();
            assertThat(left.error()).isEqualTo(StoreError.TIMED_OUT);
        });
        second.countDown();
        assertThat(leads.get()).isEqualTo("second");
    }

    /** Callers park without a time: first until a leader claims their calls. */
    @Test
    void theWatchdogWakesACallerThatNoLeaderHasClaimed() {
        Caller waits = line(1).get(0);
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(TIMEOUTS.waitMillis()));
        watchdog.look();
        assertThat(waits.failure()).hasMessage("all connections are in use");
    }

    /** What the process is late for is not held against Redis. */
    @Test
    void aCallerWaitsOnWhenItsProcessWasStopped() throws Exception {
        ProcessClock clock = new ProcessClock(nanos::get, 1);
        Watchdog stopped = new Watchdog(TIMEOUTS, clock);
        calls = new Nodes(
                servers,
                new NodeConnection(servers, stopped, TIMEOUTS, clock),
                probe,
                1,
                TIMEOUTS,
                clock,
                signals,
                () -> {});
        Caller waits = line(1).get(0);
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(TIMEOUTS.deadlineMillis()));
        stopped.look();
        first.countDown();
        assertThat(waits.get()).isEqualTo("0");
    }

    /** Then until the reply comes. */
    @Test
    void theWatchdogWakesACallerWhoseReplyIsLate() throws Exception {
        line(0);
        Caller leads = new Caller("second");
        until(leads::waitsInLine);
        Caller follows = new Caller("follows");
        until(follows::waitsInLine);
        first.countDown();
        until(() -> servers.asked.size() == 3);
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(TIMEOUTS.deadlineMillis()));
        watchdog.look();
        assertThat(follows.failure()).hasMessage("no answer came in time");
        second.countDown();
        assertThat(leads.get()).isEqualTo("second");
    }

    /** An error, such as a full stack, may end a leader before it wakes the others. */
    @Test
    void theWatchdogWakesACallerWhoseLeaderDidNot() throws Exception {
        Combiner combiner = new Combiner(
                connection, new Breaker(nanos::get), (destination, failed) -> {}, 0, 1, TIMEOUTS, nanos::get);
        AtomicReference<PendingCall> sent = new AtomicReference<>();
        FutureTask<Object> caller = new FutureTask<>(() -> {
            sent.set(new PendingCall(
                    RedisCall.Command.of(new CommandArguments(Protocol.Command.PING)),
                    new Destination(FakeServers.FIRST, 0),
                    0));
            combiner.submit(sent.get());
            return sent.get().outcome();
        });
        Thread thread = new Thread(caller);
        thread.setDaemon(true);
        thread.start();
        until(() -> LockSupport.getBlocker(thread) == combiner);
        sent.get().claim(0);
        sent.get().answer("reply");
        watchdog.look();
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(TIMEOUTS.deadlineMillis()));
        watchdog.look();
        assertThat(caller.get(1, TimeUnit.MINUTES)).isEqualTo("reply");
    }

    /** With a long deadline the watchdog looks seldom, and each call has its key and its reply. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCallThatIsOverIsNotKept(boolean givenUp) throws Exception {
        List<WeakReference<Object>> replies = new CopyOnWriteArrayList<>();
        servers.reply = (server, command) -> {
            if (new String(command.get(1).getRaw(), StandardCharsets.US_ASCII).equals("first")) {
                await(first);
            }
            Object reply = new Object();
            replies.add(new WeakReference<>(reply));
            return reply;
        };
        askTogether(givenUp);
        until(() -> {
            System.gc();
            return Stream.concat(replies.stream(), commands.stream()).allMatch(each -> each.get() == null);
        });
    }

    /** In a method of its own, whose frame keeps no caller. */
    private void askTogether(boolean givenUp) throws Exception {
        List<Caller> others = line(3);
        if (givenUp) {
            pass(TIMEOUTS.waitMillis());
            others.forEach(Caller::failure);
        }
        first.countDown();
        for (Caller each : callers) {
            each.thread.join();
        }
        callers.clear();
    }

    @Test
    void allWaitingCallersLearnThatTheServerIsGivenUp() {
        List<Caller> others = line(3);
        calls.openBreaker(FakeServers.FIRST, "it is gone");
        first.countDown();
        for (Caller each : others) {
            assertThat(each.failure()).hasMessageContaining("it is gone");
        }
    }

    @Test
    void anInterruptedCallerGetsItsReplyAndStaysInterrupted() throws Exception {
        Caller leader = new Caller("first");
        until(() -> !servers.asked.isEmpty());
        FutureTask<Boolean> isStillInterrupted = new FutureTask<>(() -> {
            assertThat(call("interrupted")).isEqualTo("interrupted");
            return Thread.interrupted();
        });
        Thread thread = new Thread(isStillInterrupted);
        thread.start();
        until(() -> LockSupport.getBlocker(thread) instanceof Combiner);
        thread.interrupt();
        first.countDown();
        assertThat(isStillInterrupted.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(leader.get()).isEqualTo("first");
    }

    /** The connection cannot even be tried: a class is missing, or the stack has no room. */
    @Test
    void anErrorWhileConnectingLosesNoInterruptionAndKeepsNoOtherFromAsking() throws Exception {
        for (int time = 0; time < 2; time++) {
            servers.connecting = () -> {
                throw new StackOverflowError();
            };
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> call("in vain"));
            assertThat(Thread.interrupted()).isTrue();
            servers.connecting = () -> {};
            assertThat(new Caller("next").get()).isEqualTo("next");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void until(Callable<Boolean> condition) {
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(condition);
    }
}
