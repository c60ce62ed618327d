package dev.limiter.queue.load;

import dev.limiter.RateLimiter;
import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.BoundedQueues;
import dev.limiter.queue.Delivery;
import dev.limiter.queue.OfferResult;
import dev.limiter.queue.QueuePolicy;
import dev.limiter.queue.QueueStorage;
import dev.limiter.redis.internal.limiter.RedisRateLimiterProvider;
import dev.limiter.spi.Signals;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * One of the processes. Some threads offer as fast as possible, others take and acknowledge.
 * Every event is a line, written before the next call, so a process that is killed loses at most
 * the last line. An input line sets the capacity. The line {@code enough} ends the offers, and
 * the queue is drained. The process ends with its standard input.
 */
final class QueueWorker {
    static final String NAME = "fire";
    static final int PRODUCERS = 16;
    static final int CONSUMERS = 4;
    static final Duration HOLD = Duration.ofSeconds(1);

    private final PrintStream out;
    private final BoundedQueue queue;
    private final RateLimiter limiter;
    private volatile long capacity;

    private QueueWorker(RateLimiter limiter, QueueStorage form, long capacity, PrintStream out) {
        this.limiter = limiter;
        this.queue = BoundedQueues.of(limiter).queue(policy(form, capacity));
        this.capacity = capacity;
        this.out = out;
    }

    static QueuePolicy policy(QueueStorage form, long capacity) {
        return QueuePolicy.of(NAME, capacity)
                .in(form)
                .withHold(HOLD)
                .withDeliveries(QueuePolicy.MAX_DELIVERIES)
                .remembering(QueuePolicy.MAX_REMEMBERED);
    }

    static RateLimiter limiter(String uri) {
        Map<String, String> settings =
                Map.of("limiter.redis.uri", uri, "limiter.redis.deadline", "1m", "limiter.application", NAME);
        return new RedisRateLimiterProvider()
                .create(NAME, name -> Optional.ofNullable(settings.get(name)), Signals.NONE)
                .orElseThrow();
    }

    /** Arguments: Redis' address, the form, the capacity. */
    public static void main(String[] args) throws Exception {
        QueueWorker worker =
                new QueueWorker(limiter(args[0]), QueueStorage.valueOf(args[1]), Long.parseLong(args[2]), System.out);
        for (int i = 0; i < PRODUCERS; i++) {
            start(worker::produce);
        }
        for (int i = 0; i < CONSUMERS; i++) {
            String consumer = ProcessHandle.current().pid() + "-" + i;
            start(() -> worker.consume(consumer));
        }
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            worker.capacity = order.equals("enough") ? 0 : Long.parseLong(order);
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    /** Writes each accepted entry with its capacity and the length. */
    private void produce() {
        long before = 0;
        for (long now = capacity; now > 0; now = capacity) {
            if (now != before) {
                say("under " + now);
                before = now;
            }
            QueuePolicy policy = queue.policy().withCapacity(now);
            OfferResult offer = BoundedQueues.of(limiter).queue(policy).offer("order");
            if (offer instanceof OfferResult.Accepted accepted) {
                say("accepted " + accepted.id() + " " + now + " " + accepted.length());
            } else {
                say("refused");
                LockSupport.parkNanos(500_000); // otherwise no other producer gets through
            }
        }
    }

    private void consume(String consumer) {
        while (true) {
            Optional<Delivery> taken = queue.take(consumer);
            if (taken.isEmpty()) {
                LockSupport.parkNanos(1_000_000);
                continue;
            }
            say("processed " + taken.get().id());
            if (queue.acknowledge(taken.get())) {
                say("acknowledged " + taken.get().id());
            }
        }
    }

    private void say(String event) {
        synchronized (out) {
            out.println(event);
            out.flush();
        }
    }
}
