package dev.limiter.redis.internal.limiter;

import dev.limiter.StoreUnavailableException;
import dev.limiter.spi.Signals;
import dev.limiter.spi.StoreError;
import java.util.function.Supplier;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The border of the store: whatever its client throws, or answers amiss, is one thing to callers: there is no answer.
 *
 * @param address how the store is named in errors, without credentials
 */
public record StoreBorder(String address, Signals signals) {

    /**
     * What the call says.
     *
     * @param what is missing if it says nothing, for the message
     * @throws StoreUnavailableException if it fails in any way
     */
    public <T> T answered(String what, Supplier<T> call) {
        try {
            return call.get();
        } catch (RuntimeException failed) {
            if (!(failed instanceof JedisException)) {
                signals.storeFailed(StoreError.OTHER, true); // an answer that is none
            }
            throw new StoreUnavailableException(
                    "Redis at " + address + " gave no " + what + ": " + failed.getMessage(), failed);
        }
    }
}
