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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;

/** A round trip sends exactly those calls that can be answered in time. */
@Tag("proof")
class InTimeTest {
    private static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMillis(150));
    private static final long NOW = 5_000_000_000L;

    /** The age of a call in µs; half of all are near the limit. */
    private static long age(Dice dice) {
        return dice.chance(50) ? dice.between(109_998, 110_002) : dice.between(0, 140_000);
    }

    private final FakeServers servers = new FakeServers();
    private final Watchdog watchdog = new Watchdog(TIMEOUTS, () -> NOW);
    private final NodeConnection nodeConnection = new NodeConnection(servers, watchdog, TIMEOUTS, () -> NOW);
    private final List<JedisException> learnt = new ArrayList<>();

    @AfterEach
    void close() {
        watchdog.close();
    }

    @Test
    void lateCallsAreNotSentAndAllOthersAre() {
        servers.reply = (server, command) -> new String(command.get(1).getRaw(), StandardCharsets.US_ASCII);
        Property.forAll((Dice dice) -> dice.list(1, 8, InTimeTest::age))
                .tries(3_000)
                .check(ages -> {
                    servers.asked.clear();
                    learnt.clear();
                    RoundTrip trip = new RoundTrip();
                    for (int i = 0; i < ages.size(); i++) {
                        CommandArguments get = new CommandArguments(Protocol.Command.GET).key("key " + i);
                        PendingCall pending = new PendingCall(
                                RedisCall.Command.of(get),
                                new Destination(FakeServers.FIRST, 0),
                                NOW - ages.get(i) * 1_000);
                        pending.claim(NOW);
                        trip.add(pending);
                    }
                    nodeConnection.exchange(servers.connection(0), trip, (destination, failed) -> learnt.add(failed));
                    int sent = 0;
                    for (int i = 0; i < ages.size(); i++) {
                        PendingCall pending = trip.calls().get(i);
                        assertThat(pending.isDone()).isTrue();
                        if (ages.get(i) <= 110_000) {
                            assertThat(pending.outcome()).isEqualTo("key " + i);
                            sent++;
                        } else {
                            assertThatExceptionOfType(CallFailedException.class)
                                    .isThrownBy(pending::outcome)
                                    .matches(failed -> failed.error() == StoreError.POOL_EXHAUSTED)
                                    .matches(failed -> !failed.mayHaveRun());
                        }
                    }
                    assertThat(servers.asked).hasSize(sent);
                    assertThat(learnt).hasSize(sent).allMatch(failed -> failed == null);
                });
    }
}
