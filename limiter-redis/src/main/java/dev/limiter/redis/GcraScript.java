package dev.limiter.redis;

import dev.limiter.Demand;
import dev.limiter.Policy;
import dev.limiter.spi.BucketReading;
import dev.limiter.spi.Rate.Span;
import dev.limiter.spi.Reading;
import java.util.List;

/** {@code lua/algorithm/gcra.lua}, for everything that is kept as one instant. */
final class GcraScript implements PolicyScript {
    private static final byte[] NAME = Argument.of("gcra");
    private final byte[] limit;
    private final byte[] queue;

    GcraScript(Policy policy) {
        this.limit = Argument.of(policy.limit());
        this.queue = Argument.of(BucketReading.isQueue(policy) ? 1 : 0);
    }

    @Override
    public void arguments(Demand demand, List<byte[]> arguments) {
        arguments.add(NAME);
        arguments.add(limit);
        Argument.append(BucketReading.slack(demand), arguments);
        Argument.append(BucketReading.price(demand), arguments);
    }

    @Override
    public Reading reading(Reply reply) {
        return new BucketReading(reply.nextFlag(), new Span(reply.next(), reply.next()));
    }

    @Override
    public void debt(Policy policy, long units, List<byte[]> arguments) {
        Argument.append(BucketReading.debtPrice(policy, units), arguments);
        Argument.append(BucketReading.debtLimit(policy), arguments);
    }

    @Override
    public void refund(Demand demand, Reading then, long thenMicros, List<byte[]> arguments) {
        arguments.add(NAME);
        arguments.add(limit);
        Argument.append(BucketReading.price(demand), arguments);
        Argument.append(((BucketReading) then).instantAfter(demand, thenMicros), arguments);
        arguments.add(queue);
    }
}
