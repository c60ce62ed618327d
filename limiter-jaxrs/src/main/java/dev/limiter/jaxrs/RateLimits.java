package dev.limiter.jaxrs;

import dev.limiter.ChargeResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimitExceededException;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The limits of the request at hand: {@code @Inject RateLimits}, or {@link #of} without CDI.
 *
 * <pre>{@code
 * limits.acquire("account", transfer.account());    // a key that is known only from the body
 * List<Row> rows = query.run();
 * limits.charge("rows", rows.size());               // known only now
 * }</pre>
 *
 * <p>The response tells the client what is decided here, together with what was decided before.
 * Only the thread that runs the method can use it; for another thread see {@link #ofThisRequest}.
 *
 * <p>A policy applies to a request if it is declared for its method, class or application, or the
 * method has {@linkplain #acquire acquired} from it. It may still not <em>count</em> the request:
 * if it is switched off, the caller's tier or contract is unlimited, or the address is exempt. If
 * the store has failed, figures are those of this process, and of a full quota if the policy is
 * {@code OPEN}.
 */
public interface RateLimits {

    /**
     * {@return all decisions of this request so far, in their order} Their results include those
     * of shadow policies.
     */
    List<Decision> decisions();

    /**
     * {@return how many units of a policy are left, after its decision and what was charged since}
     * If the policy does not count this request, that is its full limit. For a policy with
     * {@code cost = "0"} of which the method has not reserved, it is what is left now. If the
     * store has failed, {@link Decision#fallback} says so, and the client is told nothing.
     *
     * @param policy its name
     * @throws IllegalArgumentException if the policy does not apply to this request
     * @throws dev.limiter.StoreUnavailableException if the method has not reserved of a policy
     *     with {@code cost = "0"}, the store did not answer in time, and the policy is
     *     {@code CLOSED}
     */
    long remaining(String policy);

    /**
     * {@return how many units of a policy are counted now, including this request} For
     * {@code FIXED_WINDOW} it is exactly those of the present window, also beyond the limit, so
     * you can write an invoice from a {@code SOFT} policy. For other algorithms it is the units
     * missing from the capacity. If the policy does not count this request, it is 0.
     *
     * @param policy its name
     * @throws IllegalArgumentException if the policy does not apply to this request
     * @throws dev.limiter.StoreUnavailableException as for {@link #remaining}
     */
    long used(String policy);

    /**
     * {@return whether a {@code FIXED_WINDOW} has counted more units than its limit, including
     * this request} That happens with {@code SOFT} limits, and after a {@link #charge} that is
     * debt. For all other algorithms it is false.
     *
     * @param policy its name
     * @throws IllegalArgumentException if the policy does not apply to this request
     * @throws dev.limiter.StoreUnavailableException as for {@link #remaining}
     */
    boolean isExceeded(String policy);

    /**
     * Charges a cost that is known only now, to the partition on which the policy has counted this
     * request. It is never refused: what is beyond the limit is debt, at most one further full
     * quota. The client is told what is left then. If the policy does not count this request, all
     * units are dropped.
     *
     * <p>If the store fails, {@code LOCAL} charges the units in this process, and {@code OPEN}
     * drops them. From then on the client is told nothing of the policy: see
     * {@link ChargeResult#fallback}.
     *
     * @param policy its name
     * @param units from 0 to 2<sup>31</sup> − 1; 0 charges nothing and does not ask the store
     * @return what was charged, and what is left; for 0 units, what was left when the policy was
     *     asked or charged last
     * @throws IllegalArgumentException if the policy does not apply to this request, is
     *     {@code CONCURRENCY}, or units are out of range
     * @throws dev.limiter.StoreUnavailableException if the store did not answer in time, and the
     *     policy is {@code CLOSED}
     */
    ChargeResult charge(String policy, long units);

    /**
     * Asks any policy of this application for one unit of a key that only the method knows. The
     * policy may be declared by an annotation or in configuration. If it rejects, the client gets
     * the same 429 as from the filter.
     *
     * <ul>
     * <li>The policy has its limit without a tier. It counts every response, and exempt addresses
     *     too. If it is also declared for this method, it counts the request there as well.
     * <li>If its period has the caller's anchor or time zone, it is that of this request, unless
     *     the key has the value of the placeholder. After the request has ended, the period is in
     *     UTC, without an anchor.
     * <li>If the policy is switched off, or the key is unlimited, nothing happens. An unlimited
     *     key changes nothing of what the policy counts of this request.
     * </ul>
     *
     * @param policy its name
     * @param key counted as a part called {@code key}, so it is no partition of a placeholder
     * @throws RateLimitExceededException if it is rejected
     * @throws IllegalArgumentException if there is no such policy, as
     *     {@link DeployedLimits#policyNames} tells before, or the key is null
     * @throws dev.limiter.StoreUnavailableException if the store did not answer in time, and the
     *     policy is {@code CLOSED}
     */
    default void acquire(String policy, String key) {
        acquire(policy, key == null ? null : PartitionKey.of("key", key));
    }

    /**
     * Does the same as {@link #acquire(String, String)}, for a key of several parts.
     *
     * @param policy its name
     * @param key the partition
     * @throws RateLimitExceededException if it is rejected
     * @throws IllegalArgumentException if there is no such policy, or the key is null
     * @throws dev.limiter.StoreUnavailableException if the store did not answer in time, and the
     *     policy is {@code CLOSED}
     */
    void acquire(String policy, PartitionKey key);

    /**
     * Reserves units of a policy with {@code cost = "0"}, of which the filter has chosen key and
     * tier and charged nothing. The units are an estimate, which you correct by {@link #settle}.
     * Without a settlement they stay charged if the response counts, and come back if it does not
     * ({@code countOn}).
     *
     * <pre>{@code
     * limits.reserve("tokens", 4 * question.length());
     * Answer answer = model.ask(question);
     * limits.settle("tokens", answer.tokens());
     * }</pre>
     *
     * <p>A method may reserve several times. If the policy does not count this request, nothing
     * happens.
     *
     * @param policy its name
     * @param units from 0, which asks nothing; more than the policy can hold counts as what it can
     *     hold, of a {@code SOFT} policy 2<sup>31</sup> − 1
     * @throws RateLimitExceededException if it is rejected, and nothing was charged; the client
     *     gets the same 429 as from the filter
     * @throws IllegalArgumentException if no such policy applies to this request, or units are
     *     negative
     * @throws dev.limiter.StoreUnavailableException if the store did not answer in time, and the
     *     policy is {@code CLOSED}
     */
    default void reserve(String policy, long units) {
        reserve(Map.of(policy, units));
    }

    /**
     * Reserves units of several policies, all or nothing: if one rejects, none is charged. They
     * are asked in the order of their declaration.
     *
     * @param units by the name of the policy, each as for {@link #reserve(String, long)}
     * @throws RateLimitExceededException if one of them is rejected
     * @throws IllegalArgumentException if no such policy applies to this request, or units are
     *     negative or null
     * @throws dev.limiter.StoreUnavailableException if the store did not answer in time, and one
     *     of the policies is {@code CLOSED}
     */
    void reserve(Map<String, Long> units);

    /**
     * Corrects what this method has reserved of a policy to the units that were used. Further
     * units are charged, never refused; unused units are given back as far as
     * {@linkplain dev.limiter.RateLimiter#refund possible}. It may come after the response has
     * begun, as in a {@code StreamingOutput}, and after the end of the request; from another
     * thread use {@link #ofThisRequest}. If the policy does not count this request, nothing
     * happens.
     *
     * <ul>
     * <li>A settlement is final, whatever the status of the response is. A second one does
     *     nothing, unless more was reserved since.
     * <li>If nothing was reserved, or the status has given the units back before, all units used
     *     are charged, also for work that goes on after a time-out.
     * <li>It is final also if the store fails, because a call without an answer may have been
     *     executed. Unused units may then stay charged. After {@code StoreUnavailableException}
     *     units beyond the estimate may be missing; {@link #charge} adds them, and may charge them
     *     twice.
     * </ul>
     *
     * @param policy its name
     * @param used units, from 0, which gives all back, to 2<sup>31</sup> − 1
     * @return what was charged beyond the estimate, and what is left
     * @throws IllegalArgumentException if no such policy with {@code cost = "0"} applies to this
     *     request, or {@code used} is out of range
     * @throws dev.limiter.StoreUnavailableException if the store did not answer in time, and the
     *     policy is {@code CLOSED}
     */
    ChargeResult settle(String policy, long used);

    /**
     * Gives the partitions that this request has asked of a policy a full quota, without debt or
     * overage. These are the partition of the filter, also with {@code cost = "0"} or of a shadow,
     * and those that this method has {@linkplain #acquire acquired}, also if they were rejected.
     * Partitions of other callers stay as they are. If the policy does not count this request,
     * nothing happens.
     *
     * <pre>{@code
     * limits.acquire("guesses", name);              // counts this attempt
     * if (passwords.match(name, password)) {
     *     limits.forgive("guesses");                // wrong ones before are forgotten
     * }
     * }</pre>
     *
     * <ul>
     * <li>The response shows the full quota. What this request has charged or reserved before does
     *     not come back once more, whatever the status is, and a settlement of it does nothing.
     * <li>Units of other requests that are under way may come back later, so for each of them one
     *     more request may pass.
     * <li>Other processes may go on rejecting from their cache for 10 s at most, as after
     *     {@link dev.limiter.RateLimiter#reset}. That cannot happen if the policy has
     *     {@code countOn} or {@code cost = "0"} on some method. A process that has forgiven caches
     *     no more rejections of the policy.
     * <li>If the store fails, {@code LOCAL} forgives in this process alone, and the store goes on
     *     counting once it is back. The call may have been executed all the same.
     * </ul>
     *
     * @param policy its name
     * @return true if the store has forgiven, or there was nothing to forgive; false if the store
     *     failed, and the policy is {@code LOCAL} or {@code OPEN}
     * @throws IllegalArgumentException if this request has not asked the policy, with those that
     *     it has asked; or if the policy is {@code CONCURRENCY} or {@code LEAKY_BUCKET}, whose
     *     units are those of requests under way
     * @throws dev.limiter.StoreUnavailableException if the store did not answer in time, and the
     *     policy is {@code CLOSED}; a partition of several may have been forgiven
     */
    boolean forgive(String policy);

    /**
     * {@return the limits of this request, for other threads and for after the method} CDI finds
     * the request of an injected {@code RateLimits} by its thread, so call this method before the
     * other thread begins. Use the result on one thread at a time; the request may end meanwhile.
     *
     * <pre>{@code
     * limits.reserve("tokens", 4 * question.length());
     * RateLimits ofThisRequest = limits.ofThisRequest();
     * executor.execute(() -> {
     *     Answer answer = model.ask(question);
     *     ofThisRequest.settle("tokens", answer.tokens());
     *     response.resume(answer.text());               // an AsyncResponse
     * });
     * }</pre>
     */
    RateLimits ofThisRequest();

    /**
     * {@return a policy of this application, as it is in force now for callers without a tier} For
     * the state of one caller, or where it is stored, see {@link DeployedLimits#check}.
     *
     * @param name of the policy
     * @throws IllegalArgumentException if there is no such policy
     */
    Policy policy(String name);

    /**
     * {@return the limits of the application, for what is not about this request: the limiter, and
     * other callers}
     */
    DeployedLimits deployed();

    /**
     * {@return the limits of a request, where there is no CDI}
     *
     * @param request that has passed {@link RateLimitFeature}
     * @throws IllegalStateException if the request has not passed {@link RateLimitFeature}
     */
    static RateLimits of(ContainerRequestContext request) {
        if (request.getProperty(RateLimits.class.getName()) instanceof Supplier<?> state
                && state.get() instanceof RateLimits limits) {
            return limits;
        }
        throw new IllegalStateException("this request has not passed the filters of RateLimitFeature; register it");
    }
}
