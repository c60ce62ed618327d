package dev.limiter.local;

import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.StoreUnavailableException;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Layer;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** A store in memory that can fail, before or after it has executed a call. */
final class FailingStore extends Layer {

    /** The state of the store. */
    enum State {
        UP,
        DOWN,
        /** Executes calls, and does not answer. */
        SILENT
    }

    final LocalRateLimiter inside;
    State state = State.UP;
    /** Keys on a node that is down, while the others are up. */
    final Set<PartitionKey> away = new HashSet<>();

    /** Runs once, when a refund is on its way to the store. */
    Runnable meanwhile = () -> {};

    /** Runs once, when a reset is on its way to the store. */
    Runnable beforeAReset = () -> {};

    /** Runs once, when a decision is on its way back from the store. */
    Runnable beforeItsAnswer = () -> {};

    int calls;

    FailingStore(LocalRateLimiter inside) {
        super(inside);
        this.inside = inside;
    }

    @Override
    public <A> A answer(Ask<A> ask) {
        if (ask instanceof Ask.GiveBack) {
            Runnable now = meanwhile;
            meanwhile = () -> {};
            now.run();
        }
        calls++;
        A answer = state == State.DOWN ? null : reached(ask);
        if (state == State.UP) {
            return answer;
        }
        StoreUnavailableException failure = new StoreUnavailableException("the store is " + state, null);
        if (ask instanceof Ask.AcquireEach each) {
            return ask.is(new GroupDecisions(Collections.nCopies(each.groups().size(), Optional.empty()), failure));
        }
        throw failure;
    }

    private <A> A reached(Ask<A> ask) {
        if (ask instanceof Ask.AcquireEach each && !away.isEmpty()) {
            return ask.is(GroupDecisions.oneByOne(each.groups(), this::acquireReachable));
        }
        if (ask instanceof Ask.Reset) {
            Runnable now = beforeAReset;
            beforeAReset = () -> {};
            now.run();
        }
        A answer = inside.answer(ask);
        if (ask instanceof Ask.Acquire) {
            Runnable now = beforeItsAnswer;
            beforeItsAnswer = () -> {};
            now.run();
        }
        return answer;
    }

    private Decision acquireReachable(CheckGroup group) {
        if (group.checks().stream().anyMatch(check -> away.contains(check.key()))) {
            throw new StoreUnavailableException("a node is down", null);
        }
        return inside.acquire(group);
    }
}
