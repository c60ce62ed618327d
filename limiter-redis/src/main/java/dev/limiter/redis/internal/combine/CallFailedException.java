package dev.limiter.redis.internal.combine;

import dev.limiter.spi.StoreError;
import redis.clients.jedis.exceptions.JedisException;

/** Redis was not asked, or did not answer. What it refused in so many words is a {@code JedisDataException}. */
public final class CallFailedException extends JedisException {
    private static final long serialVersionUID = 1L;

    private final StoreError error;
    private final boolean mayHaveRun;

    /**
     * @param error null if the breaker is open, and the server was not asked
     * @param mayHaveRun whether Redis may have executed it all the same
     */
    CallFailedException(String message, StoreError error, boolean mayHaveRun, Throwable cause) {
        super(message, cause);
        this.error = error;
        this.mayHaveRun = mayHaveRun;
    }

    public static CallFailedException breakerOpen(String reason) {
        return new CallFailedException("it is not asked at present, since " + reason, null, false, null);
    }

    public StoreError error() {
        return error;
    }

    public boolean mayHaveRun() {
        return mayHaveRun;
    }

    /** Where it was thrown says nothing that message and cause do not, and there may be thousands a second. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
