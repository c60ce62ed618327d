package dev.limiter.jaxrs;

import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Layer;
import java.util.Collections;
import java.util.Optional;

/** A limiter that can be made unavailable. */
public class FailingStore extends Layer {
    public boolean fails;

    public FailingStore(RateLimiter limiter) {
        super(limiter);
    }

    /** What answers the calls. */
    protected RateLimiter answering() {
        if (fails) {
            throw new StoreUnavailableException("the store is down", null);
        }
        return next;
    }

    @Override
    public <A> A answer(Ask<A> ask) {
        try {
            return answering().answer(ask);
        } catch (StoreUnavailableException failure) {
            if (ask instanceof Ask.AcquireEach each) {
                return ask.is(
                        new GroupDecisions(Collections.nCopies(each.groups().size(), Optional.empty()), failure));
            }
            throw failure;
        }
    }
}
