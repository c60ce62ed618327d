package dev.limiter.redis.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.redis.internal.combine.NodeConnection;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.RedisKeys;
import dev.limiter.redis.internal.topology.FakeServers;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.redis.internal.topology.Watchdog;
import dev.limiter.spi.Signals;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * The probe must ask a server for a partition of its own: otherwise the server would redirect
 * it.
 */
class ProbeTest {
    private static final Timeouts TIMEOUTS = Timeouts.within(Duration.ofMillis(150));
    private static final List<HostAndPort> NODES = IntStream.range(0, 5)
            .mapToObj(number -> new HostAndPort("node" + number, 7_000 + number))
            .toList();

    private final FakeServers servers = new FakeServers();
    private final NodeConnection connection =
            new NodeConnection(servers, new Watchdog(TIMEOUTS, () -> 0), TIMEOUTS, () -> 0);
    private final Probe probe =
            new Probe(new PreparedPolicies(new RedisKeys("probe", "")), servers, connection, () -> 0);
    private final Nodes calls = new Nodes(servers, connection, probe, 2, TIMEOUTS, () -> 0, Signals.NONE, () -> {});
    private final List<String> commands = new CopyOnWriteArrayList<>();

    /** Blocks of slots, of which every seventh is kept by no server that is known. */
    private static HostAndPort owner(int slot) {
        int block = slot / 100;
        return block % 7 == 6 ? null : NODES.get(block % NODES.size());
    }

    @AfterEach
    void close() {
        calls.close();
    }

    private void assertIsKept(HostAndPort server, CommandArguments command) {
        List<byte[]> words = new ArrayList<>();
        command.forEach(word -> words.add(word.getRaw()));
        byte[] key = words.get(3);
        assertThat(owner(JedisClusterCRC16.getSlot(key)))
                .as("who keeps %s", new String(key, StandardCharsets.US_ASCII))
                .isEqualTo(server);
        commands.add(server + " " + name(command));
    }

    private static String name(CommandArguments command) {
        return new String(command.iterator().next().getRaw(), StandardCharsets.US_ASCII);
    }

    @Test
    void eachServerIsAskedForWhatItKeeps() {
        servers.owners = ProbeTest::owner;
        servers.reply = (server, command) -> {
            assertIsKept(server, command);
            return "well";
        };
        NODES.forEach(server -> probe.ask(server));
        assertThat(commands)
                .containsExactlyElementsOf(
                        NODES.stream().map(server -> server + " EVALSHA").toList());
    }

    @Test
    void theTextIsSentToAServerThatDoesNotKnowIt() {
        servers.owners = ProbeTest::owner;
        servers.reply = (server, command) -> {
            assertIsKept(server, command);
            if (name(command).equals("EVALSHA")) {
                throw new JedisNoScriptException("NOSCRIPT No matching script.");
            }
            return "well";
        };
        probe.ask(NODES.get(3));
        assertThat(commands).containsExactly(NODES.get(3) + " EVALSHA", NODES.get(3) + " EVAL");
    }

    @Test
    void thePermissionsOfEachServerAreLookedAtWhereItKeepsSomething() {
        servers.owners = ProbeTest::owner;
        servers.reply = (server, command) -> {
            assertIsKept(server, command);
            return List.of("get".getBytes(StandardCharsets.US_ASCII), "set".getBytes(StandardCharsets.US_ASCII));
        };
        for (HostAndPort server : NODES) {
            assertThat(probe.refused(server, Program.ofFile("permissions.lua"))).containsExactly("get", "set");
        }
        assertThat(commands)
                .containsExactlyElementsOf(
                        NODES.stream().map(server -> server + " EVAL").toList());
    }
}
