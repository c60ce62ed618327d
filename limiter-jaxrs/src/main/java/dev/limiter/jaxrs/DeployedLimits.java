package dev.limiter.jaxrs;

import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The limits of an application, for code that is not about the request at hand: a job, a client of
 * a partner, an operator's page. In a web application {@code @Inject DeployedLimits} works in any
 * thread, {@link ServletLimits#of} also without CDI, and {@link RateLimits#deployed} within a
 * request. The configuration of Jakarta REST has it too, as the property named after this type.
 *
 * <pre>{@code
 * RateLimiter limiter = ServletLimits.of(servletContext).limiter();
 * Client client = ClientBuilder.newClient().register(RateLimitClientFeature.of("carrier").using(limiter));
 * }</pre>
 */
public interface DeployedLimits {

    /**
     * {@return the limiter that the filters of this application ask} If there is a CDI bean of
     * type {@link RateLimiter}, it is that bean, and CDI must have started. The application closes
     * it; do not close it yourself.
     */
    RateLimiter limiter();

    /**
     * {@return a policy, as it is in force now for callers without a tier}
     *
     * @param name of the policy, declared by an annotation or in configuration
     * @throws IllegalArgumentException if there is no such policy
     */
    Policy policy(String name);

    /**
     * {@return the names of all policies, in their order} Policies of annotations are known once
     * the server has shown their methods.
     */
    Set<String> policyNames();

    /**
     * {@return what a request of this caller would ask of a policy; empty if the policy does not
     * count the caller} It has the limit of the caller's tier, and the period of the caller's
     * anchor and zone. Addresses are normalised, spellings folded and alternatives tried, as in
     * the filter. Pass it to {@link RateLimiter#peek}, {@link RateLimiter#usage},
     * {@link RateLimiter#reset} or {@link RateLimiter#storeKey}.
     *
     * <pre>{@code
     *  // @RateLimited(name = "orders", key = "{user|ip}", tier = "{attribute:plan}", ...)
     * limits.check("orders", Map.of("user", "alice", "attribute:plan", "gold"));
     * limits.check("orders", Map.of("ip", "2001:db8::7", "attribute:plan", ""));    // of no tier
     * }</pre>
     *
     * <p>A policy does not count a caller if it is switched off, the tier or contract is
     * unlimited, or the address is exempt.
     *
     * @param policy its name; if an annotation declares it, the server must have shown the method,
     *     which it does with its first request at the latest
     * @param caller values by placeholder, written as in the annotation without braces; an empty
     *     value means that the caller lacks it
     * @throws IllegalArgumentException if there is no such policy, it is declared in configuration
     *     alone with a key without placeholders, a placeholder is unknown, or the key, the tier,
     *     the zone or the anchor needs a value that is not there
     */
    Optional<Check> check(String policy, Map<String, String> caller);

    /**
     * {@return the endpoints of all Jakarta REST applications of this web application, and its own
     * servlets, in a fixed order} If a locator's class was not known at deployment, its endpoints
     * are added when it is first asked.
     *
     * @throws IllegalStateException if a Jakarta REST application has not started yet; some
     *     servers start it with the first request
     */
    List<Endpoint> endpoints();

    /**
     * {@return the endpoints with neither a limit nor {@link dev.limiter.RateLimitExempt}, which
     * {@code limiter.require-limits=fail} refuses} If a test expects none, no endpoint stays
     * without a limit by mistake.
     *
     * @throws IllegalStateException as {@link #endpoints}
     */
    default List<Endpoint> withoutLimits() {
        return endpoints().stream()
                .filter(each ->
                        each.coverage() == Endpoint.Coverage.UNLIMITED || each.coverage() == Endpoint.Coverage.UNKNOWN)
                .toList();
    }
}
