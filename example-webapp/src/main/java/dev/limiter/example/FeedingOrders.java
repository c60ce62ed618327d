package dev.limiter.example;

import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.BoundedQueues;
import dev.limiter.queue.QueuePolicy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;

/** The orders that are not fed yet, at most ten, shared by all instances of the zoo. */
@ApplicationScoped
class FeedingOrders {
    private static final QueuePolicy TEN = QueuePolicy.of("feeding-orders", 10)
            .withHold(Duration.ofSeconds(2)) // feeding takes no time; a keeper that needs longer is gone
            .withDeliveries(3);

    @Inject
    BoundedQueues queues;

    BoundedQueue queue() {
        return queues.queue(TEN);
    }
}
