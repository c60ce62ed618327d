package dev.limiter.redis;

import dev.limiter.CheckGroup;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Layer;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A limiter that announces each call to a subclass, which may throw instead. */
public abstract class Forwarding extends Layer {

    public Forwarding(RateLimiter limiter) {
        super(limiter);
    }

    public abstract void about(String call, List<CheckGroup> groups);

    @Override
    public <A> A answer(Ask<A> ask) {
        if (ask instanceof Ask.Acquire acquire) {
            about("acquire", List.of(acquire.group()));
        } else if (ask instanceof Ask.AcquireEach each) {
            try {
                about("each", each.groups());
            } catch (StoreUnavailableException failure) {
                return ask.is(
                        new GroupDecisions(Collections.nCopies(each.groups().size(), Optional.empty()), failure));
            }
        } else if (ask instanceof Ask.Peek peek) {
            about("peek", List.of(peek.group()));
        } else if (ask instanceof Ask.GiveBack back && back.thenPeek() != null) {
            about("settle", List.of(CheckGroup.of(back.thenPeek())));
        } else if (ask instanceof Ask.GiveBack) {
            about("refund", ask.checks().isEmpty() ? List.of() : List.of(new CheckGroup(ask.checks())));
        }
        return next.answer(ask);
    }
}
