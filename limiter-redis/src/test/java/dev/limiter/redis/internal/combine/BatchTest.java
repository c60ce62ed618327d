package dev.limiter.redis.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.algorithm.Packed;
import dev.limiter.internal.algorithm.StateKind;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.redis.internal.script.ScriptCommand;
import dev.limiter.redis.internal.topology.FakeServers;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisDataException;

/** Which calls share a script call. */
@Tag("proof")
class BatchTest {
    private static final Policy POLICY = Policy.of("batch", Algorithm.GCRA, 5, Duration.ofSeconds(10));
    private static final Destination HERE = new Destination(FakeServers.FIRST, 1);

    private final PreparedPolicies policies = new PreparedPolicies(new RedisKeys("batches", ""));

    private DecisionCall asking(int groups) {
        CheckGroup group = CheckGroup.of(Check.of(POLICY, PartitionKey.of("user", "alice")));
        return DecisionCall.decideEach(policies, Collections.nCopies(groups, group));
    }

    private PendingCall pending(int groups, Destination destination) {
        PendingCall pending = new PendingCall(asking(groups), destination, 0);
        pending.claim(0);
        return pending;
    }

    /** The batches of a round trip. */
    private static List<Batch> batches(List<PendingCall> calls) {
        RoundTrip trip = new RoundTrip();
        calls.forEach(trip::batch);
        return trip.batches();
    }

    private static List<Integer> keys(List<Batch> batches) {
        return batches.stream()
                .map(batch -> Integer.valueOf(words(batch).get(2)))
                .toList();
    }

    /** The command, its script and how many keys it has. */
    private static List<String> words(Batch batch) {
        ScriptCommand command = new ScriptCommand();
        batch.command(command);
        List<String> words = new ArrayList<>();
        command.forEach(part -> words.add(new String(part.getRaw(), StandardCharsets.UTF_8)));
        return words;
    }

    @Test
    void noCallHasMoreGroupsThanOneMayHave() {
        int most = RateLimiter.MAX_GROUPS;
        List<PendingCall> pendingCalls =
                List.of(pending(most - 4, HERE), pending(8, HERE), pending(4, HERE), pending(most, HERE));
        assertThat(keys(batches(pendingCalls))).containsExactly(most, 8, most);
    }

    @Test
    void whatLiesInAnotherSlotGoesInACallOfItsOwn() {
        Destination there = new Destination(FakeServers.FIRST, 2);
        List<PendingCall> pendingCalls =
                List.of(pending(2, HERE), pending(3, there), pending(4, HERE), pending(5, there));
        assertThat(keys(batches(pendingCalls))).containsExactly(6, 8);
    }

    /**
     * The key of a redirected call may be on another server than those of others, also of others
     * that were redirected to the same server.
     */
    @Test
    void whatWasSentAwayGoesAlone() {
        Destination away = HERE.to(new JedisAskDataException("ASK 1 first:1", FakeServers.FIRST, 1));
        List<PendingCall> pendingCalls =
                List.of(pending(2, away), pending(3, away), pending(4, HERE), pending(5, HERE.withoutBatch()));
        assertThat(keys(batches(pendingCalls))).containsExactly(2, 3, 4, 5);
    }

    /** A program for each mixture would have to be loaded and kept. */
    @Test
    void whatIsMixedIsDecidedByTheProgramOfAll() {
        Policy log = Policy.of("log", Algorithm.SLIDING_LOG, 5, Duration.ofSeconds(10));
        DecisionCall other =
                DecisionCall.decide(policies, CheckGroup.of(Check.of(log, PartitionKey.of("user", "alice"))));
        Batch mixed = batches(List.of(pending(1, HERE), new PendingCall(other, HERE, 0)))
                .get(0);
        String all = new String(Program.decisions(StateKind.ALL).sha1(), StandardCharsets.US_ASCII);
        assertThat(words(mixed)).startsWith("EVALSHA", all, "2");
        Batch pure = batches(List.of(pending(1, HERE), pending(2, HERE))).get(0);
        String own = new String(Program.decisions(StateKind.GCRA.bit()).sha1(), StandardCharsets.US_ASCII);
        assertThat(words(pure)).startsWith("EVALSHA", own, "3");
    }

    @Test
    void thoseThatBringTheTextShareIt() {
        Destination text = HERE.sendingText();
        List<Batch> batches = batches(List.of(pending(2, HERE), pending(3, text), pending(3, text)));
        assertThat(keys(batches)).containsExactly(2, 6);
        assertThat(words(batches.get(1)).get(0)).isEqualTo("EVAL");
    }

    @Test
    void aRoundTripThatIsUsedAgainKnowsNothingOfTheOneBefore() {
        RoundTrip trip = new RoundTrip();
        List.of(pending(1, HERE), pending(1, HERE), pending(2, new Destination(FakeServers.FIRST, 2)))
                .forEach(call -> trip.add(call).batch(call));
        assertThat(keys(trip.batches())).containsExactly(1, 2);
        assertThat(trip.clear()).isTrue();
        PendingCall lone = pending(1, HERE);
        trip.add(lone).batch(lone);
        assertThat(trip.calls()).containsExactly(lone);
        assertThat(keys(trip.batches())).containsExactly(1);
        byte[] reply = Packed.joined(Packed.packed(7), new byte[9]);
        assertThat(trip.batches().get(0).deliver(reply)).isNull();
        assertThat(((Reply) lone.outcome()).atMicros()).isEqualTo(7);
    }

    /**
     * If several calls are refused, a refusal that concerns the connection counts, in any place.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {"READONLY You can't write against a read only replica.", "ERR max number of clients reached"})
    void aConnectionOfNoUseIsNoticedWhateverElseIsRefused(String words) {
        JedisDataException ofConnection = new JedisDataException(words);
        for (int place = 0; place < 3; place++) {
            List<PendingCall> pendingCalls = List.of(pending(2, HERE), pending(3, HERE), pending(2, HERE));
            Batch batch = batches(pendingCalls).get(0);
            batch.command(new ScriptCommand());
            List<Object> replies = new ArrayList<>();
            for (PendingCall pending : pendingCalls) {
                boolean here = pending == pendingCalls.get(place);
                JedisDataException refusal = here ? ofConnection : new JedisDataException("WRONGTYPE");
                replies.addAll(Collections.nCopies(((DecisionCall) pending.call()).groups(), refusal));
            }
            assertThat(batch.deliver(replies)).as("at place %d", place).isSameAs(ofConnection);
        }
    }

    /**
     * Merged or alone, sent for the first time or redirected: each caller gets the results of
     * its own groups only.
     */
    @Test
    void whateverGoesTogetherEachHearsItsOwnGroups() {
        Destination away = HERE.to(new JedisAskDataException("ASK 1 first:1", FakeServers.FIRST, 1));
        Property.forAll((Dice dice) -> dice.list(1, 5, some -> (int) some.between(0, 17)))
                .tries(4_000)
                .check(drawn -> {
                    List<PendingCall> pendingCalls = new ArrayList<>();
                    for (int i = 0; i < drawn.size(); i++) {
                        Destination destination = List.of(
                                        HERE, HERE, away, HERE.withoutBatch(), new Destination(FakeServers.SECOND, 2))
                                .get(drawn.get(i) % 5);
                        CheckGroup group = CheckGroup.of(Check.of(POLICY, PartitionKey.of("user", "caller " + i)));
                        List<CheckGroup> groups = Collections.nCopies(1 + drawn.get(i) / 5, group);
                        PendingCall pending =
                                new PendingCall(DecisionCall.decideEach(policies, groups), destination, 0);
                        pending.claim(0);
                        pendingCalls.add(pending);
                    }
                    long number = 0;
                    for (Batch batch : batches(pendingCalls)) {
                        int sent = Integer.parseInt(words(batch).get(2));
                        List<Object> replies = new ArrayList<>();
                        for (int i = 0; i < sent; i++) {
                            replies.add(Packed.joined(Packed.packed(++number), new byte[9]));
                        }
                        assertThat(batch.deliver(sent == 1 ? replies.get(0) : replies))
                                .isNull();
                    }
                    List<Long> heard = new ArrayList<>();
                    for (int i = 0; i < drawn.size(); i++) {
                        Reply reply = (Reply) pendingCalls.get(i).outcome();
                        for (int group = 0; group <= drawn.get(i) / 5; group++) {
                            long at = reply.next();
                            assertThat(group == 0 || at == heard.get(heard.size() - 1) + 1)
                                    .isTrue();
                            heard.add(at);
                            reply.nextFlag();
                            reply.next();
                        }
                    }
                    assertThat(heard).doesNotHaveDuplicates().hasSize((int) number);
                });
    }

    /** A caller of several groups is refused if one of them is. */
    @Test
    void whatIsRefusedToAGroupIsRefusedToItsCaller() {
        PendingCall first = pending(2, HERE);
        PendingCall second = pending(3, HERE);
        Batch batch = batches(List.of(first, second)).get(0);
        batch.command(new ScriptCommand());
        JedisDataException refusal = new JedisDataException("WRONGTYPE");
        byte[] reply = new byte[17];
        assertThat(batch.deliver(List.of(reply, reply, reply, refusal, reply))).isSameAs(refusal);
        assertThat(first.isDone()).isTrue();
        assertThat(((Reply) first.outcome()).refusal()).isNull();
        assertThat(second.isDone()).isTrue();
    }
}
