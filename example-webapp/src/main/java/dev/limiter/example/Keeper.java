package dev.limiter.example;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.NotAdmittedException;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.queue.BoundedQueue;
import dev.limiter.queue.Delivery;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Feeds an animal each second unless configured otherwise, for all instances of the zoo
 * together: the pace is a limit like any other. The keeper waits for it, not a request. An order
 * that cannot be fed comes again, until it is dead.
 */
@ApplicationScoped
class Keeper {
    static final Duration QUICKEST = Duration.ofMillis(50);
    static final Duration SLOWEST = Duration.ofSeconds(10);

    private static final System.Logger LOG = System.getLogger(Keeper.class.getName());
    private static final PartitionKey ALL = PartitionKey.of("zoo", "all");

    private final String name = "keeper-" + ProcessHandle.current().pid();
    private final Thread thread = new Thread(this::work, name);
    private volatile Duration pace = Duration.ofSeconds(1);

    @Inject
    RateLimiter limiter;

    @Inject
    FeedingOrders orders;

    @Inject
    Zoo zoo;

    /** Unless {@code zoo.keeper.enabled} is false. */
    void begin(@Observes @Initialized(ApplicationScoped.class) Object application) {
        if (ConfigProvider.getConfig()
                .getOptionalValue("zoo.keeper.enabled", Boolean.class)
                .orElse(true)) {
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Ends the thread without waiting: an order that is not acknowledged comes again. */
    @PreDestroy
    void end() {
        thread.interrupt();
    }

    /** The time from one order to the next. */
    Duration pace() {
        return pace;
    }

    /**
     * @param every from {@link #QUICKEST} to {@link #SLOWEST}; in force when the present wait is
     *     over
     */
    void work(Duration every) {
        pace = every;
    }

    private void work() {
        try {
            while (!thread.isInterrupted()) {
                workInTurn();
            }
        } catch (InterruptedException over) {
            // The zoo closes.
        } catch (RuntimeException gone) {
            if (!thread.isInterrupted()) {
                LOG.log(Level.ERROR, "The keeper has left", gone);
            }
        }
    }

    private void workInTurn() throws InterruptedException {
        Duration every = pace;
        Policy oneEach = Policy.of("keeper", Algorithm.UNIFORM, 1, every);
        try {
            if (limiter.acquire(CheckGroup.of(Check.of(oneEach, ALL)), every).admitted()) {
                BoundedQueue queue = orders.queue();
                Optional<Delivery> order = queue.take(name);
                if (order.isPresent() && isFed(order.get())) {
                    queue.acknowledge(order.get());
                }
            }
        } catch (NotAdmittedException noStore) {
            TimeUnit.SECONDS.sleep(1); // the limiter has logged why; the keeper tries again, and orders wait
        }
    }

    /**
     * An unreadable order is treated as one that cannot be fed: it stops no keeper, and is dead
     * in the end.
     */
    private boolean isFed(Delivery delivery) {
        try {
            return isFed(FeedingOrder.read(delivery.payload()));
        } catch (RuntimeException unreadable) {
            LOG.log(Level.WARNING, "No animal can be fed by order " + delivery.id(), unreadable);
            return false;
        }
    }

    private boolean isFed(FeedingOrder order) {
        boolean there = zoo.animals().stream().anyMatch(animal -> animal.name().equals(order.animal()));
        if (!there) {
            LOG.log(Level.WARNING, "No animal here is called \"{0}\"", order.animal());
        }
        return there;
    }
}
