package dev.limiter.redis.recorded;

/** Makes the calls of one recording. */
public interface Player {

    /**
     * Makes a call.
     *
     * @return what was answered; empty if the call has no answer
     */
    String call(String call);

    /** Whether the present build gives a key of Redis to what the recording is about. */
    boolean names(String key);
}
