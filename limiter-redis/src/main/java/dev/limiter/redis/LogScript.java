package dev.limiter.redis;

import dev.limiter.Demand;
import dev.limiter.Policy;
import dev.limiter.spi.LogReading;
import dev.limiter.spi.Reading;
import java.util.List;

/** {@code lua/algorithm/sliding_log.lua}. */
final class LogScript implements PolicyScript {
    private static final byte[] NAME = Argument.of("sliding_log");
    private final byte[] limit;
    private final byte[] window;

    LogScript(Policy policy) {
        this.limit = Argument.of(policy.limit());
        this.window = Argument.of(policy.windowMicros());
    }

    @Override
    public void arguments(Demand demand, List<byte[]> arguments) {
        arguments.add(NAME);
        arguments.add(Argument.of(demand.cost()));
        arguments.add(limit);
        arguments.add(window);
    }

    @Override
    public Reading reading(Reply reply) {
        return new LogReading(reply.nextFlag(), reply.next(), reply.next(), reply.next(), reply.next());
    }

    @Override
    public void debt(Policy policy, long units, List<byte[]> arguments) {
        PolicyScript.super.debt(policy, Math.min(units, Policy.MAX_LOG_COST), arguments);
    }

    @Override
    public void refund(Demand demand, Reading then, long thenMicros, List<byte[]> arguments) {
        arguments.add(NAME);
        arguments.add(Argument.of(demand.cost()));
        arguments.add(Argument.of(((LogReading) then).recordedMicros(demand.policy(), thenMicros)));
        arguments.add(window);
    }
}
