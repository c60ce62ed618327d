package dev.limiter.jaxrs;

/**
 * Computes a key part, a cost or a tier for which there is no placeholder. A CDI bean of this
 * type, named {@code @Named("tenantKey")}, is the placeholder <code>{bean:tenantKey}</code>.
 *
 * <p>It is called for every request that it limits, before the decision and by many threads, so it
 * should answer from memory. An exception that it throws fails the request.
 */
@FunctionalInterface
public interface KeyResolver {

    /**
     * {@return the text that is counted; null or empty if this request has none, so that the next
     * alternative is tried}
     *
     * @param request the request at hand
     */
    String key(LimitedRequest request);
}
