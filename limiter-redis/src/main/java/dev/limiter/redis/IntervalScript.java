package dev.limiter.redis;

import dev.limiter.Demand;
import dev.limiter.Policy;
import dev.limiter.spi.IntervalReading;
import dev.limiter.spi.Reading;
import java.util.List;

/** {@code lua/algorithm/interval.lua}. */
final class IntervalScript implements PolicyScript {
    private static final byte[] NAME = Argument.of("interval");
    private final Policy policy;
    private final byte[] limit;
    private final byte[] window;
    private final byte[] burst;

    IntervalScript(Policy policy) {
        this.policy = policy;
        this.limit = Argument.of(policy.limit());
        this.window = Argument.of(policy.windowMicros());
        this.burst = Argument.of(policy.burst());
    }

    @Override
    public void arguments(Demand demand, List<byte[]> arguments) {
        arguments.add(NAME);
        arguments.add(Argument.of(IntervalReading.need(demand)));
        arguments.add(Argument.of(demand.cost()));
        arguments.add(limit);
        arguments.add(window);
        arguments.add(burst);
    }

    @Override
    public Reading reading(Reply reply) {
        return new IntervalReading(reply.nextFlag(), reply.next(), reply.next(), reply.next());
    }

    @Override
    public void refund(Demand demand, Reading then, long thenMicros, List<byte[]> arguments) {
        arguments.add(NAME);
        arguments.add(Argument.of(demand.cost()));
        arguments.add(limit);
        arguments.add(window);
        arguments.add(Argument.of(((IntervalReading) then).phaseMicros(policy, thenMicros)));
    }
}
