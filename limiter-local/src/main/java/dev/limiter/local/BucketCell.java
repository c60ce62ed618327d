package dev.limiter.local;

import dev.limiter.Policy;
import dev.limiter.spi.Rate;
import dev.limiter.spi.Rate.Span;
import dev.limiter.spi.Reading;

/** The instant at which the bucket will be empty again; the rules are those of {@code lua/algorithm/gcra.lua}. */
final class BucketCell implements Cell {
    private Span instant = new Span(Long.MIN_VALUE / 2, 0);
    private long denominator = 1;

    /** A float's value in a double: the script keeps a float and compares it as a double. */
    private double reachMicros;

    @Override
    public Reading read(Policy policy, long cost, long nowMicros, long phaseMicros) {
        Rate rate = rate(policy);
        Span backlog = backlog(policy, nowMicros);
        if (backlog.micros() > reachMicros) {
            backlog = new Span((long) reachMicros, 0);
            write(policy, nowMicros, backlog);
        }
        Span slack = rate.timeOf(policy.capacity() - cost);
        return new Reading.OfBucket(backlog.atMost(slack), backlog);
    }

    @Override
    public void charge(Policy policy, long cost, long nowMicros) {
        Rate rate = rate(policy);
        write(policy, nowMicros, rate.plus(backlog(policy, nowMicros), rate.timeOf(cost)));
    }

    private void write(Policy policy, long nowMicros, Span backlog) {
        instant = new Span(nowMicros + backlog.micros(), backlog.part());
        denominator = policy.limit();
        reachMicros = (float) (backlog.micros() * (1 + 0x1p-22) + 1);
    }

    @Override
    public long idleAtMicros() {
        return instant.ceil();
    }

    private Span backlog(Policy policy, long nowMicros) {
        Span present = instant.part() > 0 && denominator != policy.limit() ? new Span(instant.ceil(), 0) : instant;
        return present.micros() < nowMicros ? Span.ZERO : new Span(present.micros() - nowMicros, present.part());
    }

    private static Rate rate(Policy policy) {
        return new Rate(policy.limit(), policy.windowMicros());
    }
}
