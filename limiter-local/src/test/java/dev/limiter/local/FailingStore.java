package dev.limiter.local;

import dev.limiter.ChargeResult;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.calendar.Usage;
import dev.limiter.internal.store.Receipt;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** A store in memory that can fail, before or after it has executed a call. */
final class FailingStore implements RateLimiter {

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
        this.inside = inside;
    }

    private <T> T answered(Supplier<T> call) {
        calls++;
        T answer = state == State.DOWN ? null : call.get();
        if (state != State.UP) {
            throw new StoreUnavailableException("the store is " + state, null);
        }
        return answer;
    }

    @Override
    public Decision acquire(CheckGroup group) {
        return answered(() -> {
            Decision decision = inside.acquire(group);
            Runnable now = beforeItsAnswer;
            beforeItsAnswer = () -> {};
            now.run();
            return decision;
        });
    }

    @Override
    public List<Decision> acquireEach(List<CheckGroup> groups) {
        return answered(() -> away.isEmpty() ? inside.acquireEach(groups) : acquireReachable(groups));
    }

    private List<Decision> acquireReachable(List<CheckGroup> groups) {
        List<Optional<Decision>> decisions = groups.stream()
                .map(group -> group.checks().stream().anyMatch(check -> away.contains(check.key()))
                        ? Optional.<Decision>empty()
                        : Optional.of(inside.acquire(group)))
                .toList();
        if (decisions.contains(Optional.<Decision>empty())) {
            throw new StoreUnavailableException("a node is down", null).withDecisions(decisions);
        }
        return decisions.stream().map(Optional::orElseThrow).toList();
    }

    @Override
    public List<CheckResult> peek(CheckGroup group) {
        return answered(() -> inside.peek(group));
    }

    @Override
    public ChargeResult charge(Policy policy, PartitionKey key, long units) {
        return answered(() -> inside.charge(policy, key, units));
    }

    @Override
    public boolean refund(Receipt receipt) {
        Runnable now = meanwhile;
        meanwhile = () -> {};
        now.run();
        return answered(() -> inside.refund(receipt));
    }

    @Override
    public void reset(Policy policy, PartitionKey key) {
        answered(() -> {
            Runnable now = beforeAReset;
            beforeAReset = () -> {};
            now.run();
            inside.reset(policy, key);
            return true;
        });
    }

    @Override
    public Usage usage(Policy policy, PartitionKey key, Usage.Period period) {
        return answered(() -> inside.usage(policy, key, period));
    }

    @Override
    public String storeKey(Policy policy, PartitionKey key) {
        return inside.storeKey(policy, key);
    }

    @Override
    public void close() {
        inside.close();
    }
}
