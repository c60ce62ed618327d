package dev.limiter.redis.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.internal.algorithm.Packed;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.RedisCall;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.redis.internal.script.ScriptCommand;
import dev.limiter.redis.internal.topology.FakeServers;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.args.Rawable;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/** A pending call: its destination, its command, and its outcome. */
@Tag("proof")
class PendingCallTest {
    private static final HostAndPort HERE = FakeServers.FIRST;
    private static final HostAndPort THERE = FakeServers.SECOND;

    private static PendingCall pending() {
        CommandArguments get = new CommandArguments(Protocol.Command.GET).key("key");
        return new PendingCall(RedisCall.Command.of(get), new Destination(HERE, 1), -3);
    }

    private static String happens(PendingCall pending, String what) {
        try {
            switch (what) {
                case "take" -> {
                    return Boolean.toString(pending.claim(40));
                }
                case "answer" -> pending.answer("answer");
                case "fail" -> pending.fail(new JedisDataException("refusal"));
                case "withdraw" -> pending.withdraw();
                default -> pending.leave();
            }
            return "nothing";
        } catch (CallFailedException failed) {
            return failed.error() + (failed.mayHaveRun() ? " may have run: " : ": ") + failed.getMessage();
        }
    }

    private static String outcome(PendingCall pending) {
        if (!pending.isDone()) {
            return pending.isWaiting() ? "waiting" : "taken";
        }
        try {
            return String.valueOf(pending.outcome());
        } catch (JedisDataException refused) {
            return refused.getMessage();
        }
    }

    /**
     * What happened before, what happens now, what its caller or its taker hears at once, and
     * what then becomes of it.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''            | take     | true                                           | taken
            ''            | answer   | nothing                                        | waiting
            ''            | fail     | nothing                                        | waiting
            ''            | withdraw | POOL_EXHAUSTED: all connections are in use     | null
            ''            | leave    | nothing                                        | waiting
            take          | take     | false                                          | taken
            take          | answer   | nothing                                        | answer
            take          | fail     | nothing                                        | refusal
            take          | withdraw | nothing                                        | taken
            take          | leave    | TIMED_OUT may have run: no answer came in time | null
            take answer   | take     | false                                          | answer
            take answer   | answer   | nothing                                        | answer
            take answer   | fail     | nothing                                        | answer
            take answer   | withdraw | nothing                                        | answer
            take answer   | leave    | nothing                                        | answer
            take fail     | take     | false                                          | refusal
            take fail     | answer   | nothing                                        | refusal
            take fail     | withdraw | nothing                                        | refusal
            take fail     | leave    | nothing                                        | refusal
            withdraw      | take     | false                                          | null
            withdraw      | answer   | nothing                                        | null
            withdraw      | fail     | nothing                                        | null
            withdraw      | withdraw | nothing                                        | null
            withdraw      | leave    | nothing                                        | null
            take leave    | answer   | nothing                                        | null
            take leave    | fail     | nothing                                        | null
            """)
    void itHasOneOutcome(String before, String now, String heard, String then) {
        PendingCall pending = pending();
        for (String each : before.isEmpty() ? new String[0] : before.split(" ")) {
            happens(pending, each);
        }
        assertThat(happens(pending, now)).isEqualTo(heard);
        assertThat(outcome(pending)).isEqualTo(then);
    }

    @Test
    void itKnowsHowLongItWaitedForTheFirstThatTookIt() {
        PendingCall pending = pending();
        pending.claim(40);
        pending.claim(90);
        assertThat(pending.waitedNanos(15)).isEqualTo(25);
        assertThat(pending.beganNanos()).isEqualTo(-3);
    }

    @Test
    void aTargetChangesInWhatItIsToldAndInNothingElse() {
        for (int flags = 0; flags < 32; flags++) {
            boolean redirected = (flags & 1) > 0;
            boolean asking = (flags & 2) > 0;
            boolean onNewConnection = (flags & 4) > 0;
            boolean text = (flags & 16) > 0;
            Destination destination =
                    new Destination(HERE, 7, text, redirected, asking, onNewConnection, (flags & 8) > 0);
            assertThat(destination.to(new JedisMovedDataException("MOVED", THERE, 9)))
                    .isEqualTo(new Destination(THERE, 7, text, true, false, onNewConnection, true));
            assertThat(destination.to(new JedisAskDataException("ASK", THERE, 9)))
                    .isEqualTo(new Destination(THERE, 7, text, true, true, onNewConnection, true));
            assertThat(destination.withNewConnection())
                    .isEqualTo(new Destination(HERE, 7, text, redirected, asking, true, true));
            assertThat(destination.sendingText())
                    .isEqualTo(new Destination(HERE, 7, true, redirected, asking, onNewConnection, (flags & 8) > 0));
            assertThat(destination.withoutBatch())
                    .isEqualTo(new Destination(HERE, 7, text, redirected, asking, onNewConnection, true));
        }
        assertThat(new Destination(HERE, 7)).isEqualTo(new Destination(HERE, 7, false, false, false, false, false));
    }

    @Test
    void aCommandTakesAsManyBytesAsItsWords() {
        CommandArguments set =
                new CommandArguments(Protocol.Command.SET).key("key").add("välue");
        assertThat(RedisCall.Command.of(set).bytes()).isEqualTo(3 + 3 + 6);
        assertThat(RedisCall.Command.of(set).command(null, false)).isSameAs(set);
        assertThat(RedisCall.Command.of(set).answer("OK")).isEqualTo("OK");
    }

    private static List<String> written(ScriptCommand command) {
        List<String> words = new ArrayList<>();
        for (Rawable each : command) {
            words.add(new String(each.getRaw(), StandardCharsets.UTF_8));
        }
        return words;
    }

    /**
     * One object serves many calls. Nothing of an earlier call is left, even if it was longer.
     */
    @Test
    void aScriptsCommandIsWrittenAsItIsHoweverOftenItIsUsed() {
        ScriptCommand command = new ScriptCommand();
        Program script = Program.of("return 1");
        Property.forAll((Dice dice) -> dice.list(0, 70, some -> some.oneOf("a", "bc", "")))
                .tries(4_000)
                .check(words -> {
                    boolean withText = words.size() % 2 == 0;
                    command.of(script, withText, words.size());
                    command.addAll(words.stream()
                            .limit(words.size() / 2)
                            .map(Packed::of)
                            .toList());
                    words.stream().skip(words.size() / 2).forEach(word -> command.add(Packed.of(word)));
                    List<String> expected = new ArrayList<>();
                    expected.add(withText ? "EVAL" : "EVALSHA");
                    expected.add(withText ? "return 1" : new String(script.sha1(), StandardCharsets.US_ASCII));
                    expected.add(Integer.toString(words.size()));
                    expected.addAll(words);
                    assertThat(command.size()).isEqualTo(expected.size());
                    assertThat(written(command)).isEqualTo(expected);
                    assertThat(written(command)).as("written twice").isEqualTo(expected);
                });
        var parts = command.of(script, false, 1).iterator();
        for (int i = 0; i < 3; i++) {
            parts.next();
        }
        assertThat(parts.hasNext()).isFalse();
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(parts::next);
    }

    /** A later command with fewer parts leaves the payload of the one before in its array. */
    @Test
    void aCommandThatWasLargeIsNotUsedAgain() {
        ScriptCommand command = new ScriptCommand();
        Program script = Program.of("return 1");
        command.of(script, false, 1).add(new byte[1 << 15]);
        assertThat(command.isReusable()).isTrue();
        command.of(script, false, 1).add(new byte[1 << 16]);
        command.of(script, false, 1);
        assertThat(command.isReusable()).isFalse();
    }

    /** A reading, as scripts pack it: an instant, whether it fits, numbers. */
    @Test
    void aReplyIsReadAsItWasWritten() {
        Property.forAll((Dice dice) -> dice.list(1, 4, some -> some.number(-(1L << 53) + 1, (1L << 53) - 1)))
                .tries(4_000)
                .check(numbers -> {
                    byte[] fits = {(byte) (numbers.size() % 2)};
                    byte[] packed = Packed.joined(Packed.packed(numbers.get(0)), fits);
                    for (long number : numbers) {
                        packed = Packed.joined(packed, Packed.packed(number));
                    }
                    Reply reply = Reply.of(packed);
                    assertThat(reply.isShared()).isFalse();
                    assertThat(reply.refusal()).isNull();
                    for (int part = 0; part < 2; part++) {
                        assertThat(reply.atMicros()).isEqualTo(numbers.get(0));
                    }
                    assertThat(reply.nextFits()).isEqualTo(fits[0] == 1);
                    for (long number : numbers) {
                        assertThat(reply.next()).isEqualTo(number);
                    }
                    Reply joined = Reply.joined(List.of(packed, packed, packed));
                    for (int part = 0; part < 3; part++) {
                        assertThat(joined.nextFits()).isEqualTo(fits[0] == 1);
                        for (long number : numbers) {
                            assertThat(joined.next()).isEqualTo(number);
                        }
                    }
                });
    }

    @Test
    void aRefusalIsOneForAllOfAQuestion() {
        JedisDataException refusal = new JedisDataException("OOM");
        byte[] packed = new byte[17];
        for (Reply reply : List.of(
                Reply.of(refusal),
                Reply.of(refusal, 2),
                Reply.joined(List.of(packed, refusal)),
                Reply.joined(List.of(refusal, packed)))) {
            assertThat(reply.refusal()).isSameAs(refusal);
            assertThatExceptionOfType(JedisDataException.class)
                    .isThrownBy(reply::atMicros)
                    .isSameAs(refusal);
        }
        assertThat(Reply.of(packed, 0).isShared()).isTrue();
        assertThat(Reply.of(packed, 2).place()).isEqualTo(2);
        assertThatExceptionOfType(ClassCastException.class).isThrownBy(() -> Reply.of("OK"));
    }
}
