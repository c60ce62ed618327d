package dev.limiter.servers.war;

/** Something that a service answers in its own way. */
public final class TeapotException extends RuntimeException {
    private static final long serialVersionUID = 1L;
}
