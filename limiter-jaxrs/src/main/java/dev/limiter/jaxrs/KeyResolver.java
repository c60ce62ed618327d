package dev.limiter.jaxrs;

/**
 * Computes a key part, a cost or a tier that no placeholder has. A CDI bean of this type,
 * {@code @Named("tenantKey")}, is <code>{bean:tenantKey}</code> there.
 *
 * <p>Many threads ask it, for every request that it limits, before the decision. So it should
 * answer from memory. An exception that it throws fails the request.
 */
@FunctionalInterface
public interface KeyResolver {

    /**
     * {@return the text that is counted; null or empty when this request has none, so that the
     * next alternative is tried}
     *
     * @param request the request at hand
     */
    String key(LimitedRequest request);
}
