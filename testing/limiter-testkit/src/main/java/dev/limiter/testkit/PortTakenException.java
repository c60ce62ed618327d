package dev.limiter.testkit;

/** The one failure to start that another attempt can cure. */
final class PortTakenException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    PortTakenException(int port, String output) {
        super("port " + port + " was taken by another process: " + output);
    }
}
