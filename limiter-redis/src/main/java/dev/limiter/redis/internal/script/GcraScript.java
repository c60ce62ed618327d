package dev.limiter.redis.internal.script;

import dev.limiter.Check;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.spi.algorithm.Gcra;
import dev.limiter.spi.algorithm.Rate.Span;
import dev.limiter.spi.algorithm.StateSnapshot;

/**
 * {@code lua/algorithm/gcra.lua}, for everything that is kept as one instant. Most policies give a unit a whole number of
 * microseconds, and need not speak of parts; of the slots of a queue it is also kept under which limit they were taken.
 */
final class GcraScript implements PolicyScript {
    private static final byte[] WHOLE = Packed.of("gcra");
    private static final byte[] PARTS = Packed.of("gcra_parts");
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
        Check one = new Check(policy, ANYBODY, 1);
        this.ofOne =
                packed(Gcra.of(policy).tolerance(one), Gcra.of(policy).rate().timeOf(1));
    }

    private static boolean isInParts(Policy policy) {
        return policy.windowMicros() % policy.limit() != 0 || Gcra.of(policy).isQueue();
    }

    private byte[] packed(Span slack, Span price) {
        return parts
                ? Packed.packed(slack.micros(), price.micros(), slack.part(), price.part(), policy.limit())
                : Packed.packed(slack.micros(), price.micros());
    }

    @Override
    public StateKind file() {
        return StateKind.GCRA;
    }

    @Override
    public byte[] name() {
        return parts ? PARTS : WHOLE;
    }

    @Override
    public byte[] arguments(Check demand) {
        boolean usual = demand.cost() == 1 && demand.maxWaitMicros() == policy.maxWaitMicros();
        return usual
                ? ofOne
                : packed(
                        Gcra.of(policy).tolerance(demand),
                        Gcra.of(policy).rate().timeOf(demand.cost()));
    }

    @Override
    public StateSnapshot reading(Reply reply) {
        return new Gcra.Snapshot(reply.nextFits(), new Span(reply.next(), parts ? reply.next() : 0));
    }

    /** Always in parts: what is rare needs no second form. */
    @Override
    public PolicyScript settling() {
        return parts ? this : new GcraScript(policy, true);
    }

    @Override
    public byte[] debt(Policy same, long units) {
        Span price = Gcra.of(policy).debtIncrement(units);
        Span bound = Gcra.of(policy).debtLimit();
        return Packed.packed(price.micros(), price.part(), bound.micros(), bound.part());
    }

    @Override
    public byte[] refund(Check demand, StateSnapshot then, long thenMicros) {
        Span price = Gcra.of(policy).rate().timeOf(demand.cost());
        Span reached = ((Gcra.Snapshot) then).instantAfter(demand, thenMicros);
        byte[] numbers = Packed.packed(policy.limit(), price.micros(), price.part(), reached.micros(), reached.part());
        return Packed.joined(numbers, Gcra.of(policy).isQueue() ? QUEUE : NO_QUEUE);
    }
}
