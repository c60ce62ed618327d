package dev.limiter.redis.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.script.Reply;
import dev.limiter.redis.internal.script.ScriptCommand;
import dev.limiter.redis.internal.topology.FakeServers;
import dev.limiter.spi.algorithm.Packed;
import dev.limiter.spi.algorithm.StateKind;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisDataException;

/** What goes together in one call. */
class BatchTest {
    private static final Policy POLICY = Policy.of("parcel", Algorithm.GCRA, 5, Duration.ofSeconds(10));
    private static final Destination HERE = new Destination(FakeServers.FIRST, 1);

    private final PreparedPolicies policies = new PreparedPolicies(new RedisKeys("parcels", ""));

    private DecisionCall asking(int groups) {
        CheckGroup group = CheckGroup.of(Check.of(POLICY, PartitionKey.of("user", "alice")));
        return DecisionCall.decideEach(policies, Collections.nCopies(groups, group));
    }

    private PendingCall ticket(int groups, Destination target) {
        PendingCall ticket = new PendingCall(asking(groups), target, 0);
        ticket.take(0);
        return ticket;
    }

    private static List<Integer> keys(List<Batch> parcels) {
        return parcels.stream()
                .map(parcel -> Integer.valueOf(words(parcel).get(2)))
                .toList();
    }

    /** The command, its script and how many keys it has. */
    private static List<String> words(Batch parcel) {
        ScriptCommand command = new ScriptCommand();
        parcel.command(command);
        List<String> words = new ArrayList<>();
        command.forEach(part -> words.add(new String(part.getRaw(), StandardCharsets.UTF_8)));
        return words;
    }

    @Test
    void noCallHasMoreGroupsThanOneMayHave() {
        int most = RateLimiter.MAX_GROUPS;
        List<PendingCall> tickets =
                List.of(ticket(most - 4, HERE), ticket(8, HERE), ticket(4, HERE), ticket(most, HERE));
        assertThat(keys(Batch.of(tickets))).containsExactly(most, 8, most);
    }

    @Test
    void whatLiesInAnotherSlotGoesInACallOfItsOwn() {
        Destination there = new Destination(FakeServers.FIRST, 2);
        List<PendingCall> tickets = List.of(ticket(2, HERE), ticket(3, there), ticket(4, HERE), ticket(5, there));
        assertThat(keys(Batch.of(tickets))).containsExactly(6, 8);
    }

    /** Its key may be elsewhere than those of others, also of those that were sent away to the same server. */
    @Test
    void whatWasSentAwayGoesAlone() {
        Destination away = HERE.to(new JedisAskDataException("ASK 1 first:1", FakeServers.FIRST, 1));
        List<PendingCall> tickets =
                List.of(ticket(2, away), ticket(3, away), ticket(4, HERE), ticket(5, HERE.byItself()));
        assertThat(keys(Batch.of(tickets))).containsExactly(2, 3, 4, 5);
    }

    /** Every other mixture would be a program of its own, to be loaded and kept. */
    @Test
    void whatIsMixedIsDecidedByTheProgramOfAll() {
        Policy log = Policy.of("log", Algorithm.SLIDING_LOG, 5, Duration.ofSeconds(10));
        DecisionCall other =
                DecisionCall.decide(policies, CheckGroup.of(Check.of(log, PartitionKey.of("user", "alice"))));
        Batch mixed = Batch.of(List.of(ticket(1, HERE), new PendingCall(other, HERE, 0)))
                .get(0);
        String all = new String(Program.decisions(StateKind.ALL).sha1(), StandardCharsets.US_ASCII);
        assertThat(words(mixed)).startsWith("EVALSHA", all, "2");
        Batch pure = Batch.of(List.of(ticket(1, HERE), ticket(2, HERE))).get(0);
        String own = new String(Program.decisions(StateKind.GCRA.bit()).sha1(), StandardCharsets.US_ASCII);
        assertThat(words(pure)).startsWith("EVALSHA", own, "3");
    }

    @Test
    void oneThatBringsTheTextBringsItForAll() {
        PendingCall plain = ticket(2, HERE);
        PendingCall withText = new PendingCall(asking(3), HERE, true, 0);
        for (List<PendingCall> tickets : List.of(List.of(plain, withText), List.of(withText, plain))) {
            List<Batch> parcels = Batch.of(tickets);
            assertThat(parcels).hasSize(1);
            assertThat(words(parcels.get(0)).get(0)).isEqualTo("EVAL");
        }
        assertThat(words(Batch.of(List.of(plain)).get(0)).get(0)).isEqualTo("EVALSHA");
    }

    /** Of what is refused to several, what says that the connection is of no use is what counts, wherever it comes. */
    @ParameterizedTest
    @ValueSource(
            strings = {"READONLY You can't write against a read only replica.", "ERR max number of clients reached"})
    void aConnectionOfNoUseIsNoticedWhateverElseIsRefused(String words) {
        JedisDataException ofConnection = new JedisDataException(words);
        for (int place = 0; place < 3; place++) {
            List<PendingCall> tickets = List.of(ticket(2, HERE), ticket(3, HERE), ticket(2, HERE));
            Batch parcel = Batch.of(tickets).get(0);
            parcel.command(new ScriptCommand());
            List<Object> replies = new ArrayList<>();
            for (PendingCall ticket : tickets) {
                boolean here = ticket == tickets.get(place);
                JedisDataException refusal = here ? ofConnection : new JedisDataException("WRONGTYPE");
                replies.addAll(Collections.nCopies(ticket.errand().question().groups(), refusal));
            }
            assertThat(parcel.deliver(replies)).as("at place %d", place).isSameAs(ofConnection);
        }
    }

    /** Beside others and by itself, sent for the first time or sent on: each caller hears all of its groups, and no other's. */
    @Test
    void whateverGoesTogetherEachHearsItsOwnGroups() {
        Destination away = HERE.to(new JedisAskDataException("ASK 1 first:1", FakeServers.FIRST, 1));
        Property.forAll((Dice dice) -> dice.list(1, 5, some -> (int) some.between(0, 17)))
                .tries(4_000)
                .check(drawn -> {
                    List<PendingCall> tickets = new ArrayList<>();
                    for (int i = 0; i < drawn.size(); i++) {
                        Destination target = List.of(
                                        HERE, HERE, away, HERE.byItself(), new Destination(FakeServers.SECOND, 2))
                                .get(drawn.get(i) % 5);
                        CheckGroup group = CheckGroup.of(Check.of(POLICY, PartitionKey.of("user", "caller " + i)));
                        List<CheckGroup> groups = Collections.nCopies(1 + drawn.get(i) / 5, group);
                        PendingCall ticket = new PendingCall(DecisionCall.decideEach(policies, groups), target, 0);
                        ticket.take(0);
                        tickets.add(ticket);
                    }
                    long number = 0;
                    for (Batch parcel : Batch.of(tickets)) {
                        int sent = Integer.parseInt(words(parcel).get(2));
                        List<Object> replies = new ArrayList<>();
                        for (int i = 0; i < sent; i++) {
                            replies.add(Packed.joined(Packed.packed(++number), new byte[9]));
                        }
                        assertThat(parcel.deliver(sent == 1 ? replies.get(0) : replies))
                                .isNull();
                    }
                    List<Long> heard = new ArrayList<>();
                    for (int i = 0; i < drawn.size(); i++) {
                        Reply reply = (Reply) tickets.get(i).outcome();
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
        PendingCall first = ticket(2, HERE);
        PendingCall second = ticket(3, HERE);
        Batch parcel = Batch.of(List.of(first, second)).get(0);
        parcel.command(new ScriptCommand());
        JedisDataException refusal = new JedisDataException("WRONGTYPE");
        byte[] reply = new byte[17];
        assertThat(parcel.deliver(List.of(reply, reply, reply, refusal, reply))).isSameAs(refusal);
        assertThat(first.isOver()).isTrue();
        assertThat(((Reply) first.outcome()).refusal()).isNull();
        assertThat(second.isOver()).isTrue();
    }
}
