package dev.limiter.jaxrs;

/**
 * A CDI event: a node of the store was given up, or answers again. It may be fired on a thread that serves no request: its
 * observers are beans that need none, such as those that are {@code @ApplicationScoped}. {@code @ObservesAsync} is not told.
 *
 * @param node host and port, or how the store is called where it is one
 * @param open whether it was given up, so that {@link dev.limiter.OnStoreFailure} decides; else that is over
 * @param reason what failed last when it was given up, in words; else empty if it answers again, and why if it is not asked any
 *     more
 */
public record StoreBreakerTransition(String node, boolean open, String reason) {}
