package dev.limiter.redis;

import dev.limiter.Demand;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.spi.BucketReading;
import dev.limiter.spi.Rate.Span;
import dev.limiter.spi.Reading;

/**
 * {@code lua/algorithm/gcra.lua}, for everything that is kept as one instant. Most policies give a unit a whole number of
 * microseconds, and need not speak of parts; of the slots of a queue it is also kept under which limit they were taken.
 */
final class GcraScript implements PolicyScript {
    private static final byte[] WHOLE = Argument.of("gcra");
    private static final byte[] PARTS = Argument.of("gcra_parts");
    private static final byte[] QUEUE = {1};
    private static final byte[] NO_QUEUE = {0};
    private static final PartitionKey ANYBODY = PartitionKey.of("any", "body");

    private final Policy policy;
    private final boolean parts;
    private final byte[] ofOne;

    GcraScript(Policy policy) {
        this(policy, isInParts(policy));
    }

    private GcraScript(Policy policy, boolean parts) {
        this.policy = policy;
        this.parts = parts;
        Demand one = new Demand(policy, ANYBODY, 1);
        this.ofOne = packed(BucketReading.slack(one), BucketReading.price(one));
    }

    private static boolean isInParts(Policy policy) {
        return policy.windowMicros() % policy.limit() != 0 || BucketReading.isQueue(policy);
    }

    private byte[] packed(Span slack, Span price) {
        return parts
                ? Argument.packed(slack.micros(), price.micros(), slack.part(), price.part(), policy.limit())
                : Argument.packed(slack.micros(), price.micros());
    }

    @Override
    public AlgorithmFile file() {
        return AlgorithmFile.GCRA;
    }

    @Override
    public byte[] name() {
        return parts ? PARTS : WHOLE;
    }

    @Override
    public byte[] arguments(Demand demand) {
        boolean usual = demand.cost() == 1 && demand.maxWaitMicros() == policy.maxWaitMicros();
        return usual ? ofOne : packed(BucketReading.slack(demand), BucketReading.price(demand));
    }

    @Override
    public Reading reading(Reply reply) {
        return new BucketReading(reply.nextFits(), new Span(reply.next(), parts ? reply.next() : 0));
    }

    /** Always in parts: what is rare needs no second form. */
    @Override
    public PolicyScript settling() {
        return parts ? this : new GcraScript(policy, true);
    }

    @Override
    public byte[] debt(Policy same, long units) {
        Span price = BucketReading.debtPrice(policy, units);
        Span bound = BucketReading.debtLimit(policy);
        return Argument.packed(price.micros(), price.part(), bound.micros(), bound.part());
    }

    @Override
    public byte[] refund(Demand demand, Reading then, long thenMicros) {
        Span price = BucketReading.price(demand);
        Span reached = ((BucketReading) then).instantAfter(demand, thenMicros);
        byte[] numbers =
                Argument.packed(policy.limit(), price.micros(), price.part(), reached.micros(), reached.part());
        return Argument.joined(numbers, BucketReading.isQueue(policy) ? QUEUE : NO_QUEUE);
    }
}
