package dev.limiter.jaxrs;

import dev.limiter.Check;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The limits of an application, for code that is not about the request at hand: a job, a client
 * of a partner, an operator's page. {@code @Inject DeployedLimits} gives it in a web application,
 * in any thread; {@link ServletLimits#of} also without CDI; {@link RateLimits#deployed} within a
 * request. The configuration of Jakarta REST has it as the property of this type's name.
 *
 * <pre>{@code
 * RateLimiter limiter = ServletLimits.of(servletContext).limiter();
 * Client client = ClientBuilder.newClient().register(RateLimitClientFeature.of("carrier").using(limiter));
 * }</pre>
 */
public interface DeployedLimits {

    /**
     * {@return the limiter that the filters of this application ask} It is the CDI bean of type
     * {@link RateLimiter}, where there is one; CDI must have started then. The application
     * closes it when it ends, so the caller does not.
     */
    RateLimiter limiter();

    /**
     * {@return a policy as it is in force now for callers of no tier}
     *
     * @param name of the policy, declared by an annotation or in configuration
     * @throws IllegalArgumentException if there is no such policy
     */
    Policy policy(String name);

    /**
     * {@return the names of all policies, in their order} Those of annotations are there once the
     * server has shown their methods.
     */
    Set<String> policyNames();

    /**
     * {@return the check that a request of this caller would ask of a policy} It has the limit
     * of the caller's tier, and the periods of the caller's anchor and zone. Its partition has the
     * address normalised, spellings folded and alternatives tried, as the filter does. Empty if
     * the policy does not count this caller: it is switched off, the tier or the contract is
     * unlimited, or the address exempt. Pass it to {@link RateLimiter#peek},
     * {@link RateLimiter#usage}, {@link RateLimiter#reset} or {@link RateLimiter#storeKey}.
     *
     * <pre>{@code
     *  // @RateLimited(name = "orders", key = "{user|ip}", tier = "{attribute:plan}", ...)
     * limits.check("orders", Map.of("user", "alice", "attribute:plan", "gold"));
     * limits.check("orders", Map.of("ip", "2001:db8::7", "attribute:plan", ""));    // of no tier
     * }</pre>
     *
     * @param policy its name; it is declared by an annotation of a method that the server has
     *     shown, at the latest by its first request
     * @param caller values by placeholder, written as in the annotation without braces; an empty
     *     value is a missing one
     * @throws IllegalArgumentException if there is no such policy, it is declared in
     *     configuration alone with a key that has no placeholder, a placeholder is unknown, or
     *     the key, the tier, the zone or the anchor needs a value that is not there
     */
    Optional<Check> check(String policy, Map<String, String> caller);

    /**
     * {@return the endpoints of all Jakarta REST applications of this web application, and its own
     * servlets, in a fixed order} What a locator returns is added when it is first asked, if its
     * class was not known at deployment.
     *
     * @throws IllegalStateException if a Jakarta REST application has not started yet; some
     *     servers start it with the first request
     */
    List<Endpoint> endpoints();

    /**
     * {@return the endpoints that have neither a limit nor {@link dev.limiter.RateLimitExempt}:
     * those that {@code limiter.require-limits=fail} refuses} A test that expects none keeps an
     * API covered.
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
