package dev.limiter.jaxrs;

/**
 * Names whom a request is counted on where no placeholder can: a CDI bean of this type, {@code @Named("tenantKey")}, is
 * <code>{bean:tenantKey}</code> in a key, a cost or a tier.
 *
 * <p>It is asked for every request that it limits, by many threads, before the decision: it should answer from memory. What it
 * throws fails the request.
 */
@FunctionalInterface
public interface KeyResolver {

    /**
     * {@return the text that is counted; null or empty when this request has none, so that the next alternative is tried}
     *
     * @param request the request at hand
     */
    String key(LimitedRequest request);
}
