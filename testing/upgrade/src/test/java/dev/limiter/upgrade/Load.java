package dev.limiter.upgrade;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.Delivery;
import dev.limiter.queue.OfferResult;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** What one instance asks, on several threads, from its start until it is ended. */
final class Load {
    private static final int ASKING = 6;
    private static final int LEASING = 4;

    /** After a rejection. Without it the log holds millions of remembered rejections. */
    private static final long PAUSE_NANOS = 200_000;

    /** How long a lease is held, and how often it is not given back. */
    private static final long HELD_NANOS = 2_000_000;

    private static final int LOST = 50;

    private final RateLimiter limiter;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<List<Event>>> running = new ArrayList<>();
    private volatile boolean ended;

    Load(RateLimiter limiter, List<BoundedQueue> queues) {
        this.limiter = limiter;
        for (int seed = 0; seed < ASKING; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            running.add(threads.submit(() -> untilEnded(events -> events.add(ask(random)))));
        }
        for (int thread = 0; thread < LEASING; thread++) {
            running.add(threads.submit(() -> untilEnded(this::lease)));
        }
        for (BoundedQueue queue : queues) {
            running.add(threads.submit(() -> untilEnded(events -> queue(queue, events))));
        }
    }

    private interface Turn {
        void run(List<Event> events);
    }

    private List<Event> untilEnded(Turn turn) {
        List<Event> events = new ArrayList<>();
        while (!ended) {
            turn.run(events);
        }
        return events;
    }

    private Event ask(SplittableRandom random) {
        int policy = random.nextInt(SharedLimits.LOADED.size());
        int key = random.nextInt(SharedLimits.KEYS);
        Decision decision = limiter.acquire(SharedLimits.LOADED.get(policy), SharedLimits.key(key));
        if (!decision.admitted()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        long runs = decision.atMicros() + decision.results().get(0).runAfterMicros();
        return new Event(policy, key, decision.atMicros(), decision.admitted(), runs);
    }

    private void lease(List<Event> events) {
        Policy policy = SharedLimits.LEASES;
        if (limiter.acquire(CheckGroup.of(Check.of(policy, SharedLimits.key(0)))) instanceof Decision.Admitted lease) {
            long until = lease.atMicros() + policy.windowMicros();
            LockSupport.parkNanos(HELD_NANOS);
            if (events.size() % LOST != LOST - 1) {
                until = Math.min(until, micros());
                limiter.refund(lease);
            }
            events.add(new Event(Event.LEASE, 0, lease.atMicros(), true, until));
        } else {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Offers an entry and ends another, which an instance of the other build may have offered. */
    private static void queue(BoundedQueue queue, List<Event> events) {
        int form = queue.policy().form().ordinal();
        if (queue.offer("payload") instanceof OfferResult.Accepted accepted) {
            events.add(new Event(Event.OFFERED, form, Long.parseLong(accepted.id()), true, 0));
        }
        Optional<Delivery> taken = queue.take("consumer");
        if (taken.isPresent() && events.size() % LOST != LOST - 1) { // otherwise it is delivered again
            done(queue, taken.get(), events);
        } else {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static void done(BoundedQueue queue, Delivery delivery, List<Event> events) {
        if (queue.acknowledge(delivery)) {
            int form = queue.policy().form().ordinal();
            events.add(new Event(Event.DONE, form, Long.parseLong(delivery.id()), true, 0));
        }
    }

    private static long micros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }

    /** Ends all entries that are left, also those that are held for a while. */
    void drain(BoundedQueue queue, List<Event> events) {
        while (queue.stats().length() > 0) {
            Optional<Delivery> taken = queue.take("consumer");
            if (taken.isPresent()) {
                done(queue, taken.get(), events);
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /**
     * Ends the load and writes its log.
     *
     * @param drained queues that are left empty
     */
    int end(List<BoundedQueue> drained, Path file) throws IOException, InterruptedException, ExecutionException {
        ended = true;
        List<Event> events = new ArrayList<>();
        for (Future<List<Event>> each : running) {
            events.addAll(each.get());
        }
        threads.shutdown();
        drained.forEach(queue -> drain(queue, events));
        try (DataOutputStream log = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            for (Event event : events) {
                event.write(log);
            }
        }
        return events.size();
    }
}
