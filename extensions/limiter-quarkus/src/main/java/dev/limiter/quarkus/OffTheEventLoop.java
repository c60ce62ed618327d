package dev.limiter.quarkus;

import dev.limiter.RateLimiter;
import dev.limiter.spi.Ask;
import dev.limiter.spi.Layer;
import io.quarkus.runtime.BlockingOperationControl;

/** Refuses code that asks on the event loop, where a round trip would hold all other requests. */
final class OffTheEventLoop extends Layer {
    OffTheEventLoop(RateLimiter next) {
        super(next);
    }

    /** @throws IllegalStateException on the event loop */
    @Override
    public <A> A answer(Ask<A> ask) {
        if (!BlockingOperationControl.isBlockingAllowed()) {
            throw new IllegalStateException("the limiter may wait for its store, and "
                    + Thread.currentThread().getName()
                    + " must not wait; annotate the method with @Blocking, or ask on another thread");
        }
        return next.answer(ask);
    }
}
