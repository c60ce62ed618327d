package dev.limiter.spi;

import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import java.util.Optional;

/**
 * A limiter that wraps another one: it answers what it knows, and passes the rest on to
 * {@link #next}.
 */
public abstract class Layer implements RateLimiter {

    /** The limiter that is asked next. */
    protected final RateLimiter next;

    /**
     * Wraps a limiter.
     *
     * @param next the limiter that is asked next
     */
    protected Layer(RateLimiter next) {
        this.next = next;
    }

    @Override
    public String storeKey(Policy policy, PartitionKey key) {
        return next.storeKey(policy, key);
    }

    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : next.unwrap(type);
    }

    @Override
    public void close() {
        next.close();
    }
}
