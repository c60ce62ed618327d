package dev.limiter.redis.internal.node;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.redis.internal.combine.MergedDecisions;
import dev.limiter.redis.internal.script.DecisionCall;
import dev.limiter.redis.internal.script.PreparedPolicies;
import dev.limiter.redis.internal.script.Program;
import dev.limiter.redis.internal.topology.ServerTopology;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.CommandObjects;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Whether a server decides. The probe asks for a decision like any other, which is written, too. No other caller asks its
 * partition. A replica would answer a PING, and so would a server that is full.
 */
public final class Probe {
    private static final Policy POLICY = Policy.of("limiter probe", Algorithm.GCRA, 1_000_000, Duration.ofSeconds(1));
    private static final int CLUSTER_SLOTS = 16_384;

    private final CommandObjects commands = new CommandObjects(RedisProtocol.RESP2);
    private final PreparedPolicies policies;
    private final ServerTopology servers;

    public Probe(PreparedPolicies policies, ServerTopology servers) {
        this.policies = policies;
        this.servers = servers;
    }

    /**
     * @throws RuntimeException if the server does not decide
     */
    void ask(Nodes calls, HostAndPort server) {
        Check demand = demand(server);
        MergedDecisions call = new MergedDecisions(List.of(DecisionCall.decide(policies, CheckGroup.of(demand))));
        Program script = call.script();
        int slot = slot(demand);
        try {
            calls.ask(commands.evalsha(script.sha1(), call.keys(), call.arguments()), server, slot);
        } catch (JedisNoScriptException absent) {
            calls.ask(commands.eval(script.text(), call.keys(), call.arguments()), server, slot);
        }
    }

    /**
     * Which of these commands the user may not run, inside a script.
     *
     * @throws RuntimeException if the server does not say
     */
    List<String> refused(Nodes calls, HostAndPort server, Program permissions) {
        Check demand = demand(server);
        byte[] key = policies.of(POLICY).key(demand.key());
        CommandObject<Object> command = commands.eval(permissions.text(), List.of(key), List.of());
        List<?> names = (List<?>) calls.ask(command, server, slot(demand));
        return names.stream()
                .map(name -> new String((byte[]) name, StandardCharsets.US_ASCII))
                .toList();
    }

    /** A partition that this server keeps: of a cluster's n masters about every n-th is one. */
    private Check demand(HostAndPort server) {
        for (int number = 0; ; number++) {
            Check demand = Check.of(POLICY, PartitionKey.of("probe", Integer.toString(number)));
            int slot = slot(demand);
            if (number == CLUSTER_SLOTS
                    || servers.isKept(slot) && servers.of(slot).equals(server)) {
                return demand;
            }
        }
    }

    private int slot(Check demand) {
        return JedisClusterCRC16.getSlot(policies.of(POLICY).key(demand.key()));
    }
}
