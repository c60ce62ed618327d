package dev.limiter.redis;

import dev.limiter.Demand;
import dev.limiter.Policy;
import dev.limiter.spi.LeaseReading;
import dev.limiter.spi.Reading;
import java.util.List;

/** {@code lua/algorithm/concurrency.lua}. */
final class LeaseScript implements PolicyScript {
    private static final byte[] NAME = Argument.of("concurrency");
    private final byte[] limit;
    private final byte[] length;

    LeaseScript(Policy policy) {
        this.limit = Argument.of(policy.limit());
        this.length = Argument.of(policy.windowMicros());
    }

    @Override
    public void arguments(Demand demand, List<byte[]> arguments) {
        arguments.add(NAME);
        arguments.add(limit);
        arguments.add(length);
        arguments.add(Argument.of(demand.lease()));
    }

    @Override
    public Reading reading(Reply reply) {
        return new LeaseReading(reply.nextFlag(), reply.next(), reply.nextFlag());
    }

    @Override
    public void debt(Policy policy, long units, List<byte[]> arguments) {
        throw new IllegalStateException("nothing can be charged to leases");
    }

    @Override
    public void refund(Demand demand, Reading then, long thenMicros, List<byte[]> arguments) {
        arguments.add(NAME);
        arguments.add(Argument.of(demand.lease()));
    }
}
