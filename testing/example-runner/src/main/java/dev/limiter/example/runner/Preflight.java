package dev.limiter.example.runner;

/**
 * Fails where {@link Main} would fail for a reason that lies with the caller. Maven runs this in
 * its own JVM first, because it tells an exception by its message, but the exit code of another
 * process by a page of stack trace.
 */
public final class Preflight {

    private Preflight() {}

    /**
     * @throws RuntimeException saying what is in the way
     */
    public static void main(String[] arguments) {
        Options options = Options.read(arguments, System.getProperties());
        WebServer.on(options.port()).close();
        options.redisUri().ifPresent(Redis::at);
    }
}
