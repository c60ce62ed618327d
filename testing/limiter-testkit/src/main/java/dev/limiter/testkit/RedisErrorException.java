package dev.limiter.testkit;

/** An error reply; the message is its text, such as {@code MOVED 866 127.0.0.1:17001}. */
public final class RedisErrorException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RedisErrorException(String text) {
        super(text);
    }
}
