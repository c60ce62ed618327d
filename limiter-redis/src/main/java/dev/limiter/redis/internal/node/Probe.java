package dev.limiter.redis.internal.node;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.redis.internal.combine.Destination;
import dev.limiter.redis.internal.combine.NodeConnection;
import dev.limiter.redis.internal.combine.PendingCall;
import dev.limiter.redis.internal.combine.RoundTrip;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.script.RedisCall;
import dev.limiter.redis.internal.script.ReplyBytes;
import dev.limiter.redis.internal.topology.ServerTopology;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Finds out whether a server decides. The probe asks for a decision like any other, which is
 * written, too, on a partition that no caller asks. A replica would answer a PING, and so would
 * a server that is full.
 *
 * @param nanos a clock that does not step, in ns
 */
public record Probe(PreparedPolicies policies, ServerTopology servers, NodeConnection connection, LongSupplier nanos) {
    private static final Policy POLICY = Policy.of("limiter probe", Algorithm.GCRA, 1_000_000, Duration.ofSeconds(1));
    private static final NodeConnection.CallListener NOTHING_LEARNT = (destination, failed) -> {};

    /** Of that many keys all are on one of two servers once in 128 times. */
    private static final int KEYS = 8;

    private static final Program WRITES_ALL =
            Program.of("for _, key in ipairs(KEYS) do redis.call('SET', key, '', 'PX', 10000) end return {}");

    /**
     * {@return the reply}
     *
     * @throws RuntimeException if the server does not decide
     */
    Object ask(HostAndPort server) {
        DecisionCall decision = DecisionCall.decide(policies, CheckGroup.of(check(server)));
        RedisCall call = scriptCall(Program.decisions(decision.algorithms()), decision.keys(), decision.arguments());
        try {
            return send(call, false, server);
        } catch (JedisNoScriptException absent) {
            return send(call, true, server);
        }
    }

    /**
     * The commands that the user may not run inside a script.
     *
     * @throws RuntimeException if the server gives no answer
     */
    List<String> refused(HostAndPort server, Program permissions) {
        byte[] key = policies.of(POLICY).key(check(server).key());
        List<?> names = (List<?>) send(scriptCall(permissions, List.of(key), List.of()), true, server);
        return names.stream()
                .map(name -> new String((byte[]) name, StandardCharsets.US_ASCII))
                .toList();
    }

    /**
     * Whether keys that one call writes are found by calls of their own, and not on other servers.
     *
     * @throws RuntimeException if the server gives no answer
     * @throws redis.clients.jedis.exceptions.JedisDataException if it refuses a call, such as for
     *     keys of several slots
     */
    boolean keepsKeysTogether(HostAndPort server) {
        List<byte[]> keys = new ArrayList<>();
        CommandArguments deletion = new CommandArguments(Protocol.Command.DEL);
        for (int i = 0; i < KEYS; i++) {
            byte[] key = policies.of(POLICY)
                    .key(PartitionKey.of("probe", UUID.randomUUID().toString()));
            keys.add(key);
            deletion.add(key);
        }
        send(scriptCall(WRITES_ALL, keys, List.of()), true, server);
        return (Long) send(RedisCall.Command.of(deletion), false, server) == KEYS;
    }

    /**
     * What the server says of itself.
     *
     * @throws RuntimeException if the user may not ask for it
     */
    String info(HostAndPort server) {
        RedisCall info = RedisCall.Command.of(new CommandArguments(Protocol.Command.INFO));
        return new String((byte[]) send(info, false, server), StandardCharsets.UTF_8);
    }

    /** A single round trip, whatever the state of the breaker; the call is not sent again. */
    private Object send(RedisCall call, boolean withText, HostAndPort server) {
        Destination known = new Destination(server, slot(check(server)));
        PendingCall pending = new PendingCall(call, withText ? known.sendingText() : known, nanos.getAsLong());
        pending.claim(pending.beganNanos());
        Connection open = connection.open(pending, NOTHING_LEARNT);
        if (open != null) {
            connection.exchange(open, new RoundTrip().add(pending), NOTHING_LEARNT);
        }
        return pending.outcome();
    }

    private static RedisCall scriptCall(Program program, List<byte[]> keys, List<byte[]> arguments) {
        return RedisCall.ScriptCall.of(program, keys, arguments, ReplyBytes.FEW);
    }

    /**
     * A check on a partition that this server owns. Of n masters in a cluster, each owns about
     * every n-th partition.
     */
    private Check check(HostAndPort server) {
        for (int number = 0; ; number++) {
            Check check = Check.of(POLICY, PartitionKey.of("probe", Integer.toString(number)));
            int slot = slot(check);
            if (number == Protocol.CLUSTER_HASHSLOTS
                    || servers.hasOwner(slot) && servers.of(slot).equals(server)) {
                return check;
            }
        }
    }

    private int slot(Check check) {
        return JedisClusterCRC16.getSlot(policies.of(POLICY).key(check.key()));
    }
}
