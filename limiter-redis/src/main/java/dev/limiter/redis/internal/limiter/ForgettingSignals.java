package dev.limiter.redis.internal.limiter;

import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Passes all signals on. Before that, it clears the cache when replies of the store may not be
 * true any more.
 */
record ForgettingSignals(Signals signals, Runnable forget) implements Signals {

    /** A store that was away may have lost its state, and so may the server that replaced it. */
    @Override
    public void breaker(String node, boolean open, String reason) {
        forget.run();
        signals.breaker(node, open, reason);
    }

    /** The waits of cached rejections go by that clock. */
    @Override
    public void clockStepped() {
        forget.run();
        signals.clockStepped();
    }

    @Override
    public void node(String node) {
        signals.node(node);
    }

    @Override
    public void decided(Decision decision, long nanos) {
        signals.decided(decision, nanos);
    }

    @Override
    public void undecided(CheckGroup group, long nanos) {
        signals.undecided(group, nanos);
    }

    @Override
    public void storeFailed(StoreError error, boolean mayHaveRun) {
        signals.storeFailed(error, mayHaveRun);
    }

    @Override
    public void scriptMissing() {
        signals.scriptMissing();
    }

    @Override
    public void connected(long nanos) {
        signals.connected(nanos);
    }

    @Override
    public void leaseExpired() {
        signals.leaseExpired();
    }

    @Override
    public void fallbackPartitions(LongSupplier partitions) {
        signals.fallbackPartitions(partitions);
    }

    @Override
    public void gauge(String name, String tag, String value, DoubleSupplier figure) {
        signals.gauge(name, tag, value, figure);
    }
}
