package dev.limiter.jaxrs;

import dev.limiter.Algorithm;
import dev.limiter.Answer;
import dev.limiter.BoundedQueue;
import dev.limiter.BoundedQueues;
import dev.limiter.Charge;
import dev.limiter.Decision;
import dev.limiter.Group;
import dev.limiter.PartitionKey;
import dev.limiter.Patience;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.spi.Signals;
import java.time.Duration;
import java.util.List;

/**
 * A limiter that tells what it decided and how long that took. Who waits for admission is told of once, by what became of it, and
 * without the time it slept. In {@link #acquireEach} groups of leases only are told nothing of: asking for many of them is how
 * those that are held are renewed, by {@link Leases} and by everybody.
 */
final class MeasuredLimiter implements RateLimiter {
    private final RateLimiter limiter;
    private final Signals signals;
    private final RejectionLog log;

    /**
     * @param limiter decides
     * @param signals is told
     * @param log is told of rejections, and looks up the store's name of a key when it writes one
     */
    MeasuredLimiter(RateLimiter limiter, Signals signals, RejectionLog log) {
        this.limiter = limiter;
        this.signals = signals;
        this.log = log;
    }

    @Override
    public Decision acquire(Group group) {
        long began = System.nanoTime();
        Decision decision;
        try {
            decision = limiter.acquire(group);
        } catch (StoreUnavailableException unavailable) {
            signals.undecided(group, System.nanoTime() - began);
            throw unavailable;
        }
        decided(group, decision, System.nanoTime() - began);
        return decision;
    }

    @Override
    public List<Decision> acquireEach(List<Group> groups) {
        long began = System.nanoTime();
        List<Decision> decisions;
        try {
            decisions = limiter.acquireEach(groups);
        } catch (StoreUnavailableException unavailable) {
            long nanos = System.nanoTime() - began;
            groups.stream().filter(group -> !isRenewal(group)).forEach(group -> signals.undecided(group, nanos));
            throw unavailable;
        }
        long nanos = System.nanoTime() - began;
        for (int i = 0; i < decisions.size(); i++) {
            if (!isRenewal(groups.get(i))) {
                decided(groups.get(i), decisions.get(i), nanos);
            }
        }
        return decisions;
    }

    @Override
    public Decision acquire(Group group, Duration atMost) throws InterruptedException {
        long began = System.nanoTime();
        Asleep asleep = new Asleep();
        Decision decision;
        try {
            decision = new Patience(() -> System.nanoTime() / 1_000, asleep).acquire(limiter, group, atMost);
        } catch (StoreUnavailableException unavailable) {
            signals.undecided(group, System.nanoTime() - began - asleep.nanos);
            throw unavailable;
        }
        decided(group, decision, System.nanoTime() - began - asleep.nanos);
        return decision;
    }

    /** Sleeps, and knows how long it has. */
    private static final class Asleep implements Patience.Sleep {
        private long nanos;

        @Override
        public void sleep(Duration span) throws InterruptedException {
            long began = System.nanoTime();
            OF_THREADS.sleep(span);
            nanos += System.nanoTime() - began;
        }
    }

    private void decided(Group group, Decision decision, long nanos) {
        signals.decided(decision, nanos);
        if (decision instanceof Decision.Rejected rejected) {
            log.rejected(group, rejected, limiter);
        }
    }

    private static boolean isRenewal(Group group) {
        return group.demands().stream().allMatch(demand -> demand.policy().algorithm() == Algorithm.CONCURRENCY);
    }

    @Override
    public List<Answer> peek(Group group) {
        return limiter.peek(group);
    }

    @Override
    public Charge charge(Policy policy, PartitionKey key, long units) {
        return limiter.charge(policy, key, units);
    }

    @Override
    public boolean refund(Decision.Admitted admission) {
        return limiter.refund(admission);
    }

    @Override
    public void reset(Policy policy, PartitionKey key) {
        limiter.reset(policy, key);
    }

    @Override
    public String storeKey(Policy policy, PartitionKey key) {
        return limiter.storeKey(policy, key);
    }

    /** Whoever asks for a queue has it measured. */
    @Override
    public BoundedQueues queues() {
        BoundedQueues queues = limiter.queues();
        return policy -> {
            BoundedQueue queue = queues.queue(policy);
            signals.queue(policy.name(), queue::census);
            return queue;
        };
    }

    @Override
    public void close() {
        limiter.close();
    }
}
