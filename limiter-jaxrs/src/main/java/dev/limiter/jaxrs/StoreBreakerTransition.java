package dev.limiter.jaxrs;

/**
 * A CDI event: a node of the store was given up, or answers again. It may be fired on a thread
 * without a request, so observe it in a bean that needs none, such as an
 * {@code @ApplicationScoped} one. {@code @ObservesAsync} gets nothing.
 *
 * @param node host and port, or the name of the store if it has a single node
 * @param open whether the node was given up, so that {@link dev.limiter.OnStoreFailure} decides
 *     from now on
 * @param reason if it was given up, the last failure, in words; otherwise empty if it answers
 *     again, or why it is not asked any more
 */
public record StoreBreakerTransition(String node, boolean open, String reason) {}
