package dev.limiter.redis;

import dev.limiter.Demand;
import dev.limiter.Group;
import dev.limiter.spi.Reading;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Keys and arguments of one call of {@code lua/driver.lua}, and the way back from its reply. */
final class DecisionCall {
    private static final byte[] PEEK = Argument.of("peek");
    private static final byte[] SHADOW = Argument.of("shadow");

    private final PreparedPolicies policies;
    private final List<byte[]> keys = new ArrayList<>();
    private final List<byte[]> arguments = new ArrayList<>();

    DecisionCall(PreparedPolicies policies) {
        this.policies = policies;
    }

    List<byte[]> keys() {
        return keys;
    }

    List<byte[]> arguments() {
        return arguments;
    }

    void decide(Group group) {
        int shadows = shadows(group);
        int deciding = group.demands().size() - shadows;
        if (shadows > 0) {
            arguments.add(SHADOW);
        }
        arguments.add(Argument.of(deciding));
        if (shadows > 0) {
            arguments.add(Argument.of(shadows));
        }
        append(group);
    }

    void peek(Group group) {
        arguments.add(PEEK);
        arguments.add(Argument.of(group.demands().size()));
        append(group);
    }

    /** The script takes those that decide first, then the shadows. */
    private void append(Group group) {
        for (Demand demand : group.demands()) {
            if (!demand.policy().shadow()) {
                append(demand);
            }
        }
        for (Demand demand : group.demands()) {
            if (demand.policy().shadow()) {
                append(demand);
            }
        }
    }

    private void append(Demand demand) {
        PreparedPolicies.Prepared policy = policies.of(demand.policy());
        keys.add(policy.key(demand.key()));
        policy.script().arguments(demand, arguments);
    }

    /** The readings of the next group in the reply, in the order of its demands. */
    List<Reading> readings(Group group, Reply reply) {
        List<Demand> demands = group.demands();
        Reading[] readings = new Reading[demands.size()];
        for (int i = 0; i < readings.length; i++) {
            if (!demands.get(i).policy().shadow()) {
                readings[i] = reading(demands.get(i), reply);
            }
        }
        for (int i = 0; i < readings.length; i++) {
            if (readings[i] == null) {
                readings[i] = reading(demands.get(i), reply);
            }
        }
        return Arrays.asList(readings);
    }

    private Reading reading(Demand demand, Reply reply) {
        return policies.of(demand.policy()).script().reading(reply);
    }

    private static int shadows(Group group) {
        int shadows = 0;
        for (Demand demand : group.demands()) {
            shadows += demand.policy().shadow() ? 1 : 0;
        }
        return shadows;
    }
}
