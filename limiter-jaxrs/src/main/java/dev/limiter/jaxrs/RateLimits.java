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
 * The limits of the request at hand: {@code @Inject RateLimits}, or {@link #of} where there is
 * no CDI.
 *
 * <pre>{@code
 * limits.acquire("account", transfer.account());    // a key that is known only from the body
 * List<Row> rows = query.run();
 * limits.charge("rows", rows.size());               // known only now
 * }</pre>
 *
 * <p>What it decides is told to the client together with what was decided before. For use by the
 * thread that runs the method; {@link #ofThisRequest} is for another thread.
 */
public interface RateLimits {

    /**
     * {@return all decisions of this request so far, in their order; those of shadow policies
     * among their answers}
     */
    List<Decision> decisions();

    /**
     * {@return units that are left of a policy that has counted this request, after its decision
     * and what was charged since; of a policy with {@code cost = "0"} that the method has not
     * reserved, what is left now} All that it can hold, if it stands before this request and
     * does not count it: switched off, an unlimited tier or contract, an exempt address. When the
     * store has failed it is what this process knows of, for {@code OPEN} all that it can hold:
     * {@link Decision#fallback} tells, and the client is told nothing.
     *
     * @param policy its name
     * @throws IllegalArgumentException if it does not stand before this request
     * @throws dev.limiter.StoreUnavailableException if the method has not reserved of a policy
     *     with {@code cost = "0"}, the store did not answer in time, and the policy is
     *     {@code CLOSED}
     */
    long remaining(String policy);

    /**
     * {@return units of a policy that are counted now, this request included: for
     * {@code FIXED_WINDOW} exactly those of the present window, also beyond the limit} An
     * invoice can be written from it, if the policy is {@code SOFT}. For other algorithms: the
     * units of the capacity that are not there. 0 where the policy does not count the request.
     * When the store has failed, it is what this process knows of.
     *
     * @param policy its name
     * @throws IllegalArgumentException if it does not stand before this request
     * @throws dev.limiter.StoreUnavailableException if the method has not reserved of a policy
     *     with {@code cost = "0"}, the store did not answer in time, and the policy is
     *     {@code CLOSED}
     */
    long used(String policy);

    /**
     * {@return whether more units are counted than the limit has, this request included} True of
     * {@code SOFT} limits, and after a {@link #charge} that is debt. Only {@code FIXED_WINDOW}
     * tells it; for all other algorithms it is false.
     *
     * @param policy its name
     * @throws IllegalArgumentException if it does not stand before this request
     * @throws dev.limiter.StoreUnavailableException if the method has not reserved of a policy
     *     with {@code cost = "0"}, the store did not answer in time, and the policy is
     *     {@code CLOSED}
     */
    boolean isExceeded(String policy);

    /**
     * Charges a cost that is known only now, to the partition on which this policy has counted
     * this request. Never refused: what is beyond the limit is debt, at most one further full
     * quota. The client is told what is left then. Where the policy does not count this request
     * (switched off, an unlimited tier or contract, an exempt address), all units are dropped.
     *
     * <p>When the store fails, {@code LOCAL} charges them in this process, {@code OPEN} drops
     * them, and from then on the client is told nothing of the policy: see
     * {@link ChargeResult#fallback}.
     *
     * @param policy its name
     * @param units from 0 to 2<sup>31</sup> − 1; 0 charges nothing and does not ask the store
     * @return what was charged, and what is left; of 0 units, what was left when the policy was
     *     asked or charged last
     * @throws IllegalArgumentException if the policy does not stand before this request, is
     *     {@code CONCURRENCY}, or units are out of range
     * @throws dev.limiter.StoreUnavailableException if the store did not answer in time, and the
     *     policy is {@code CLOSED}
     */
    ChargeResult charge(String policy, long units);

    /**
     * Asks a policy of this application, declared by an annotation or in configuration, for one
     * unit of a key that only the method knows. It has the policy's limit without a tier, counts
     * whatever the response is, and asks for exempt addresses, too: the method chooses what it
     * counts. A limit of that policy on the method counts the request as well. If the policy has
     * an anchor or a time zone that names the caller's, it is that of this request, unless the
     * key has the value of its placeholder. When the request has ended, it is none: the period
     * begins as without an anchor, in UTC.
     *
     * <p>Where the policy is switched off, or the key is unlimited, nothing happens. An
     * unlimited key changes nothing of what the policy counts of this request.
     *
     * @param policy its name
     * @param key the part of the key is called {@code key}: it is no partition of a placeholder
     * @throws RateLimitExceededException if it is rejected, which the client is told as the
     *     filter tells it
     * @throws IllegalArgumentException if there is no such policy, which
     *     {@link DeployedLimits#policyNames} tells before, or the key is null
     * @throws dev.limiter.StoreUnavailableException if the store did not answer in time, and the
     *     policy is {@code CLOSED}
     */
    default void acquire(String policy, String key) {
        acquire(policy, key == null ? null : PartitionKey.of("key", key));
    }

    /**
     * The same for a key of several parts.
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
     * Reserves units of a policy that stands before this request with {@code cost = "0"}: the
     * filter has chosen key and tier, and charged nothing. The units are an estimate, to be
     * corrected by {@link #settle}. Without a settlement they stay charged if the response
     * counts, and come back if it does not ({@code countOn}).
     *
     * <pre>{@code
     * limits.reserve("tokens", 4 * question.length());
     * Answer answer = model.ask(question);
     * limits.settle("tokens", answer.tokens());
     * }</pre>
     *
     * <p>A method may reserve several times. Where the policy does not count this request
     * (switched off, an unlimited tier or contract, an exempt address), nothing happens.
     *
     * @param policy its name
     * @param units from 0, which asks nothing; units above what the policy can hold count as
     *     what it can hold, of a {@code SOFT} policy 2<sup>31</sup> − 1
     * @throws RateLimitExceededException if it is rejected, which the client is told as the
     *     filter tells it; nothing is charged
     * @throws IllegalArgumentException if no such policy stands before this request, or units
     *     are negative
     * @throws dev.limiter.StoreUnavailableException if the store did not answer in time, and the
     *     policy is {@code CLOSED}
     */
    default void reserve(String policy, long units) {
        reserve(Map.of(policy, units));
    }

    /**
     * Reserves units of several policies, all or nothing: if a policy rejects, none is charged.
     * They are asked in the order of their declaration.
     *
     * @param units by the name of the policy, each as {@link #reserve(String, long)} says
     * @throws RateLimitExceededException if one of them is rejected
     * @throws IllegalArgumentException if no such policy stands before this request, or units
     *     are negative or null
     * @throws dev.limiter.StoreUnavailableException if the store did not answer in time, and one
     *     of the policies is {@code CLOSED}
     */
    void reserve(Map<String, Long> units);

    /**
     * Corrects the sum of what this method reserved of a policy to the units that were used, as
     * {@link dev.limiter.RateLimiter#settle} does: further units are charged, never refused;
     * units that were not used are given back as far as {@code refund} can. Without an admission
     * all units are charged.
     *
     * <p>What was settled is final, whatever the status of the response: a second settlement
     * does nothing, unless more was reserved since. It may come after the response has begun, as
     * in a {@code StreamingOutput}, and after the end of the request. In another thread settle
     * with {@link #ofThisRequest}. Where the policy does not count this request, nothing happens.
     *
     * <p>What the status gave back before is no estimate any more: all units used are charged,
     * also for work that goes on after a time-out.
     *
     * <p>It is final also if the store fails, because a call without an answer may have been
     * executed. Then no status gives back anything of what was reserved. Units that were not
     * used may stay charged. After {@code StoreUnavailableException} units beyond the estimate
     * may be missing; {@link #charge} adds them, and may charge them twice.
     *
     * @param policy its name
     * @param used units, from 0, which gives all back, to 2<sup>31</sup> − 1
     * @return what was charged beyond the estimate, and what is left
     * @throws IllegalArgumentException if no such policy stands before this request with
     *     {@code cost = "0"}, or {@code used} is out of range
     * @throws dev.limiter.StoreUnavailableException if the store did not answer in time, and the
     *     policy is {@code CLOSED}
     */
    ChargeResult settle(String policy, long used);

    /**
     * Makes all partitions of a policy that this request has asked as if they had never been
     * charged: full quota, no debt, no overage. Partitions of other callers stay as they are. The
     * partitions are that of the filter, also with {@code cost = "0"} or of a shadow, and those
     * of the keys that this method has {@linkplain #acquire acquired}, also if they were rejected.
     *
     * <pre>{@code
     * limits.acquire("guesses", name);              // counts this attempt
     * if (passwords.match(name, password)) {
     *     limits.forgive("guesses");                // wrong ones before are forgotten
     * }
     * }</pre>
     *
     * <p>The response shows the full quota. What this request has charged or reserved before does
     * not come back once more, whatever the status is, and a settlement of it does nothing. Where
     * the policy does not count this request, nothing happens.
     *
     * <p>Units of other requests that are under way may come back later. They are then units of
     * requests after the forgiveness: one more passes for each that was under way, at most.
     *
     * <p>Other processes may reject by a cached rejection for 10 s at most, as after
     * {@link dev.limiter.RateLimiter#reset}. A policy that has {@code countOn} or
     * {@code cost = "0"} on some method has no cached rejections. A process that forgives caches no
     * rejection of the policy from then on.
     *
     * <p>When the store fails, {@code LOCAL} forgives in this process alone, and the store goes on
     * counting once it is back. The call may have been executed all the same.
     *
     * @param policy its name
     * @return whether the store has forgiven, or there was nothing to forgive; if not, the store
     *     failed, and the policy is {@code LOCAL} or {@code OPEN}
     * @throws IllegalArgumentException if this request has not asked the policy, with those that
     *     it has asked; or if the policy is {@code CONCURRENCY} or {@code LEAKY_BUCKET}, whose
     *     units are those of requests under way
     * @throws dev.limiter.StoreUnavailableException if the store did not answer in time, and the
     *     policy is {@code CLOSED}; a partition of several may have been forgiven
     */
    boolean forgive(String policy);

    /**
     * {@return the limits of this request, for use on other threads and after the method has
     * returned} CDI finds the request of an injected {@code RateLimits} by the thread. Call this
     * method before the other thread begins. Use the result on one thread at a time; the end of
     * the request may come meanwhile.
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
     * {@return a policy of this application as it is in force now for callers of no tier}
     * For the state of one caller, or for where it is stored, see {@link DeployedLimits#check}.
     *
     * @param name of the policy
     * @throws IllegalArgumentException if there is no such policy
     */
    Policy policy(String name);

    /**
     * {@return the limits of the application, for what is not about this request: the limiter,
     * and other callers}
     */
    DeployedLimits deployed();

    /**
     * {@return the limits of a request}
     *
     * @param request that has met the feature
     * @throws IllegalStateException if the request has not met {@link RateLimitFeature}
     */
    static RateLimits of(ContainerRequestContext request) {
        if (request.getProperty(RateLimits.class.getName()) instanceof Supplier<?> state
                && state.get() instanceof RateLimits limits) {
            return limits;
        }
        throw new IllegalStateException("this request has not met dev.limiter.jaxrs.RateLimitFeature");
    }
}
