package dev.limiter.redis.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.limiter.redis.internal.script.RedisCall;
import dev.limiter.redis.internal.topology.FakeServers;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.StoreError;
import dev.limiter.testkit.property.Dice;
import dev.limiter.testkit.property.Property;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Laws of any round trip: the outcome of each caller, the outcome for the server, and the state
 * of the connection.
 */
@Tag("proof")
class RoundTripLawsTest {
    private static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMillis(150));

    /** The outcome of one command. After the first lost command there are no more replies. */
    private enum Outcome {
        ANSWERED,
        REFUSED,
        OF_A_REPLICA,
        FULL,
        RESET,
        SILENT,
        GIBBERISH,
        ERROR;

        boolean isLost() {
            return compareTo(RESET) >= 0;
        }

        boolean isOfConnection() {
            return this == OF_A_REPLICA || this == FULL;
        }

        String answer() {
            switch (this) {
                case REFUSED -> throw new JedisDataException("OOM command not allowed");
                case OF_A_REPLICA -> throw new JedisDataException("READONLY You can't write against a replica.");
                case FULL -> throw new JedisDataException("ERR max number of clients reached");
                case RESET -> throw new JedisConnectionException("reset");
                case SILENT -> throw new JedisConnectionException(new SocketTimeoutException("Read timed out"));
                case GIBBERISH -> throw new ClassCastException("no bytes");
                case ERROR -> throw new StackOverflowError();
                default -> {
                    return toString();
                }
            }
        }
    }

    private record Trip(Outcome outcome, boolean asking, int millis) {
        static Trip draw(Dice dice) {
            Outcome outcome = dice.chance(70) ? Outcome.ANSWERED : dice.oneOf(Outcome.values());
            return new Trip(outcome, dice.chance(20), (int) dice.between(0, 15));
        }

        Destination destination(int slot) {
            Destination usual = new Destination(FakeServers.FIRST, slot);
            return asking ? usual.to(new JedisAskDataException("ASK", FakeServers.SECOND, slot)) : usual;
        }
    }

    private record Learnt(Destination destination, Class<?> failed, StoreError error) {
        static Learnt of(Destination destination, JedisException failed) {
            return new Learnt(
                    destination,
                    failed == null ? null : failed.getClass(),
                    failed instanceof CallFailedException lost ? lost.error() : null);
        }
    }

    private final FakeServers servers = new FakeServers();
    private long nanos = -7;
    private final Watchdog watchdog = new Watchdog(TIMEOUTS, () -> 0);
    private final NodeConnection nodeConnection = new NodeConnection(servers, watchdog, TIMEOUTS, () -> nanos);
    private final List<Learnt> learnt = new ArrayList<>();

    @AfterEach
    void close() {
        watchdog.close();
    }

    @Test
    void eachHearsItsOwnAndTheServerIsJudgedByWhatItSaid() {
        Property.forAll((Dice dice) -> dice.list(1, 6, Trip::draw))
                .tries(10_000)
                .check(this::check);
    }

    private void check(List<Trip> trips) {
        servers.givenBackBroken.clear();
        servers.leftUnheard.clear();
        servers.toldAsking.clear();
        learnt.clear();
        servers.reply = (server, command) -> {
            Trip trip = trips.get(Integer.parseInt(new String(command.get(1).getRaw(), StandardCharsets.US_ASCII)));
            nanos += trip.millis() * 1_000_000L;
            return trip.outcome().answer();
        };
        RoundTrip sent = new RoundTrip();
        for (int i = 0; i < trips.size(); i++) {
            CommandArguments get = new CommandArguments(Protocol.Command.GET).key(Integer.toString(i));
            PendingCall pending =
                    new PendingCall(RedisCall.Command.of(get), trips.get(i).destination(i), nanos);
            pending.claim(nanos);
            sent.add(pending);
        }
        boolean error = false;
        try {
            nodeConnection.exchange(
                    servers.connection(0), sent, (destination, failed) -> learnt.add(Learnt.of(destination, failed)));
        } catch (StackOverflowError thrown) {
            error = true;
        }
        List<Outcome> outcomes = trips.stream().map(Trip::outcome).toList();
        int heard = 0;
        while (heard < trips.size() && !outcomes.get(heard).isLost()) {
            heard++;
        }
        Outcome lostBy = heard == trips.size() ? null : outcomes.get(heard);
        assertThat(error).as("an Error is the leader's").isEqualTo(lostBy == Outcome.ERROR);
        assertThat(learnt).isEqualTo(expected(sent.calls(), outcomes, heard, lostBy));
        for (int i = 0; i < sent.calls().size(); i++) {
            assertHeard(sent.calls().get(i), outcomes.get(i), i < heard ? null : lostBy);
        }
        boolean fit = lostBy == null && outcomes.stream().noneMatch(Outcome::isOfConnection);
        assertThat(servers.givenBackBroken).containsExactly(!fit);
        assertThat(servers.toldAsking)
                .hasSize((int) trips.stream().filter(Trip::asking).count());
        assertThat(servers.leftUnheard.get(0) == 0).as("heard to the end").isEqualTo(heard >= trips.size() - 1);
    }

    /**
     * One for each answer or refusal; what was lost together is one outcome, of the server of
     * the first.
     */
    private static List<Learnt> expected(
            List<PendingCall> pendingCalls, List<Outcome> outcomes, int heard, Outcome lostBy) {
        List<Learnt> told = new ArrayList<>();
        for (int i = 0; i < heard; i++) {
            boolean answered = outcomes.get(i) == Outcome.ANSWERED;
            told.add(new Learnt(pendingCalls.get(i).destination(), answered ? null : JedisDataException.class, null));
        }
        if (lostBy != null && lostBy != Outcome.ERROR) {
            told.add(new Learnt(pendingCalls.get(0).destination(), CallFailedException.class, error(lostBy)));
        }
        return told;
    }

    private static StoreError error(Outcome lostBy) {
        return lostBy == Outcome.SILENT ? StoreError.TIMED_OUT : StoreError.BROKEN;
    }

    private static void assertHeard(PendingCall pending, Outcome own, Outcome lostBy) {
        assertThat(pending.isDone()).isTrue();
        if (lostBy != null) {
            assertThatExceptionOfType(CallFailedException.class)
                    .isThrownBy(pending::outcome)
                    .matches(CallFailedException::mayHaveRun)
                    .matches(failed -> failed.error() == error(lostBy));
        } else if (own == Outcome.ANSWERED) {
            assertThat(pending.outcome()).isEqualTo("ANSWERED");
        } else {
            assertThatExceptionOfType(JedisDataException.class).isThrownBy(pending::outcome);
        }
    }
}
