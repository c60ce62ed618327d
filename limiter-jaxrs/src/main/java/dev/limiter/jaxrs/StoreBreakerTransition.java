package dev.limiter.jaxrs;

/**
 * A CDI event: a node of the store was given up, or answers again. It may be fired on a thread
 * that serves no request. So its observers must be beans that need no request, such as
 * {@code @ApplicationScoped} ones. {@code @ObservesAsync} gets nothing.
 *
 * @param node host and port, or the name of the store if it has a single node
 * @param open whether the node was given up, so that {@link dev.limiter.OnStoreFailure} decides;
 *     otherwise that is over
 * @param reason if it was given up, the last failure, in words; otherwise empty if it answers
 *     again, and the reason if it is not asked any more
 */
public record StoreBreakerTransition(String node, boolean open, String reason) {}
