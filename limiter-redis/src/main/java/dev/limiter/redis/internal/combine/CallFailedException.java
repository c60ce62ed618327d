package dev.limiter.redis.internal.combine;

import dev.limiter.spi.StoreError;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Redis was not asked, or did not answer. A refusal by Redis is a {@code JedisDataException}
 * instead.
 */
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

    /** No stack trace: message and cause say as much, and there may be thousands a second. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
