package dev.limiter.redis;

import dev.limiter.Demand;
import dev.limiter.Policy;
import dev.limiter.spi.Reading;
import dev.limiter.spi.SlidingWindowReading;
import dev.limiter.spi.WindowReading;
import java.util.List;

/** {@code lua/algorithm/fixed_window.lua} and {@code lua/algorithm/sliding_window.lua}, which are asked alike. */
final class WindowScript implements PolicyScript {
    private final boolean sliding;
    private final byte[] name;
    private final byte[] limit;
    private final byte[] window;

    WindowScript(String name, Policy policy) {
        this.sliding = name.startsWith("sliding");
        this.name = Argument.of(name);
        this.limit = Argument.of(policy.limit());
        this.window = Argument.of(policy.windowMicros());
    }

    @Override
    public void arguments(Demand demand, List<byte[]> arguments) {
        arguments.add(name);
        arguments.add(Argument.of(demand.cost()));
        arguments.add(limit);
        arguments.add(window);
        arguments.add(Argument.of(demand.phaseMicros()));
    }

    @Override
    public Reading reading(Reply reply) {
        return sliding
                ? new SlidingWindowReading(reply.nextFlag(), reply.next(), reply.next(), reply.next())
                : new WindowReading(reply.nextFlag(), reply.next(), reply.next());
    }

    @Override
    public void refund(Demand demand, Reading then, long thenMicros, List<byte[]> arguments) {
        arguments.add(name);
        arguments.add(Argument.of(demand.cost()));
        arguments.add(Argument.of(
                sliding
                        ? ((SlidingWindowReading) then).endsMicros(thenMicros)
                        : ((WindowReading) then).endsMicros(thenMicros)));
    }
}
