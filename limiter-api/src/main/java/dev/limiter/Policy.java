package dev.limiter;

import java.math.BigInteger;
import java.time.Duration;

/**
 * One limit: a name, an {@link Algorithm} and its numbers. With a {@link PartitionKey} it names one state.
 *
 * <p>{@code Policy.of("buyer", GCRA, 5, Duration.ofSeconds(10)).withBurst(10)}: one request every 2 s on average, up to 10
 * back to back.
 *
 * @param name printable ASCII without quote or backslash, 1 to 100 characters; it identifies the state, so two policies
 *     of one application that share a name share it
 * @param algorithm what is promised
 * @param limit units per window, for {@code CONCURRENCY} in flight; {@code 1 <= limit < 2^31}, and at most 1,000,000 for
 *     {@code SLIDING_LOG}; 1 for {@code GATE}
 * @param window whole microseconds from 1 µs to 366 days; for {@code CONCURRENCY} how long a lease lasts without renewal, for
 *     {@code GATE} the longest that one closing lasts
 * @param burst units that may pass back to back; {@code 1 <= burst < 2^31} for buckets ({@code 0} is read as {@code limit}),
 *     0 for all others
 * @param refill how tokens come back; {@code INTERVAL} for {@code TOKEN_BUCKET} only
 * @param borrow whether a request passes as soon as one token is there, whatever it costs; {@code TOKEN_BUCKET} only
 * @param maxWait the longest a request may be held, from 0 to 366 days in whole microseconds: needed for
 *     {@code LEAKY_BUCKET}, where the requests that fit into it must be fewer than 2<sup>31</sup>; zero for all others
 * @param aligned whether windows begin at multiples of their length since 1970 instead of at an instant of each key's own;
 *     {@code FIXED_WINDOW} and {@code SLIDING_WINDOW} only
 * @param shadow whether it is decided, charged and reported, but never makes a decision a rejection
 * @param onStoreFailure what becomes of a request when the store fails; null is read as {@code CONFIGURED}
 */
public record Policy(
        String name,
        Algorithm algorithm,
        long limit,
        Duration window,
        long burst,
        Refill refill,
        boolean borrow,
        Duration maxWait,
        boolean aligned,
        boolean shadow,
        OnStoreFailure onStoreFailure) {

    /** The longest name of a policy, in characters. */
    public static final int MAX_NAME_LENGTH = 100;

    /** The largest limit of a {@code SLIDING_LOG}, whose memory grows with it. */
    public static final long MAX_LOG_LIMIT = 1_000_000;

    /** The most units that one request may cost on a {@code SLIDING_LOG}, which records each of them. */
    public static final long MAX_LOG_COST = 1_000;

    /** The longest that one closing of a {@linkplain #gate gate} lasts. */
    public static final Duration LONGEST_CLOSING = Duration.ofHours(1);

    private static final String GATE_SUFFIX = ".gate";

    /** How long a lease lasts without renewal, unless said otherwise. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    /**
     * Refuses what is no policy.
     *
     * @param name as in the record
     * @param algorithm as in the record
     * @param limit as in the record
     * @param window as in the record
     * @param burst as in the record
     * @param refill as in the record
     * @param borrow as in the record
     * @param maxWait as in the record
     * @param aligned as in the record
     * @param shadow as in the record
     * @param onStoreFailure as in the record
     * @throws InvalidPolicyException naming the member, the value and the rule it breaks
     */
    public Policy {
        PolicyValidation.requireName(name);
        PolicyValidation.requireAlgorithm(algorithm);
        PolicyValidation.requireLimit(algorithm, limit);
        PolicyValidation.requireWindow(window);
        burst = PolicyValidation.normalBurst(algorithm, limit, burst);
        refill = PolicyValidation.normalRefill(algorithm, refill);
        PolicyValidation.requireBorrower(algorithm, borrow);
        maxWait = PolicyValidation.normalMaxWait(algorithm, limit, window, maxWait);
        PolicyValidation.requireAlignable(algorithm, aligned);
        PolicyValidation.requireExact(algorithm, limit, window, burst);
        onStoreFailure = onStoreFailure == null ? OnStoreFailure.CONFIGURED : onStoreFailure;
    }

    /**
     * A policy with these numbers, and the default of everything else.
     *
     * @param name identifies the state
     * @param algorithm what is promised
     * @param limit units per window
     * @param window the span of the limit
     * @param burst units that may pass back to back
     */
    public Policy(String name, Algorithm algorithm, long limit, Duration window, long burst) {
        this(name, algorithm, limit, window, burst, Refill.SMOOTH, false, null, false, false, null);
    }

    /**
     * {@return a policy with the default burst; for {@code LEAKY_BUCKET} see {@link #leakyBucket}}
     *
     * @param name identifies the state
     * @param algorithm what is promised
     * @param limit units per window
     * @param window the span of the limit
     */
    public static Policy of(String name, Algorithm algorithm, long limit, Duration window) {
        return new Policy(name, algorithm, limit, window, 0);
    }

    /**
     * {@return a {@code LEAKY_BUCKET}: one every {@code window / limit}, held for its slot at most {@code maxWait}}
     *
     * @param name identifies the state
     * @param limit units per window
     * @param window the span of the limit
     * @param maxWait the longest a request may be held
     */
    public static Policy leakyBucket(String name, long limit, Duration window, Duration maxWait) {
        return new Policy(
                name, Algorithm.LEAKY_BUCKET, limit, window, 0, Refill.SMOOTH, false, maxWait, false, false, null);
    }

    /**
     * {@return a {@code CONCURRENCY} with leases of {@link #DEFAULT_LEASE}}
     *
     * @param name identifies the state
     * @param limit how many may be in flight
     */
    public static Policy concurrency(String name, long limit) {
        return of(name, Algorithm.CONCURRENCY, limit, DEFAULT_LEASE);
    }

    /**
     * {@return the gate of this policy, named after it: closed for a key, it rejects whatever asks for both, until a partner that
     * has had enough takes requests again} Its state has the key's text in common with that of this policy, so both are asked at
     * once also in a cluster.
     *
     * @throws InvalidPolicyException if the name leaves no room for {@code .gate}
     */
    public Policy gate() {
        return new Policy(
                name + GATE_SUFFIX,
                Algorithm.GATE,
                1,
                LONGEST_CLOSING,
                0,
                Refill.SMOOTH,
                false,
                null,
                false,
                shadow,
                onStoreFailure);
    }

    /**
     * {@return this policy for requests that are counted where they start, and limited where they arrive: its window is longer by
     * as much as their ways differ} So no window of the partner's sees more than any window here admits, which for {@code SLIDING_LOG},
     * {@code UNIFORM} and {@code LEAKY_BUCKET} is the limit. It names another state than this policy.
     *
     * <p>50 per 1 s with a travel of 50 ms: 50 per 1.05 s, which is 95 % of what the partner takes.
     *
     * @param travel from zero, in whole microseconds
     * @throws InvalidPolicyException if the longer window breaks a rule
     */
    public Policy withTravel(Duration travel) {
        if (travel.isNegative()) {
            throw new InvalidPolicyException("travel", "travel must not be negative, was " + travel);
        }
        return new Policy(
                name,
                algorithm,
                limit,
                window.plus(travel),
                burst,
                refill,
                borrow,
                maxWait,
                aligned,
                shadow,
                onStoreFailure);
    }

    /**
     * {@return this policy with another burst; only for {@link Algorithm#hasBurst() buckets}}
     *
     * @param units that may pass back to back
     */
    public Policy withBurst(long units) {
        return new Policy(
                name, algorithm, limit, window, units, refill, borrow, maxWait, aligned, shadow, onStoreFailure);
    }

    /**
     * {@return this policy with tokens coming back otherwise; {@code TOKEN_BUCKET} only}
     *
     * @param how they come back
     */
    public Policy withRefill(Refill how) {
        return new Policy(name, algorithm, limit, window, burst, how, borrow, maxWait, aligned, shadow, onStoreFailure);
    }

    /** {@return this policy with pre-consumption; {@code TOKEN_BUCKET} only} */
    public Policy borrowing() {
        return new Policy(
                name, algorithm, limit, window, burst, refill, true, maxWait, aligned, shadow, onStoreFailure);
    }

    /** {@return this policy with windows at multiples of their length since 1970; only for windows} */
    public Policy alignedToTheClock() {
        return new Policy(name, algorithm, limit, window, burst, refill, borrow, maxWait, true, shadow, onStoreFailure);
    }

    /** {@return this policy, deciding and reporting, but never rejecting} */
    public Policy asShadow() {
        return new Policy(
                name, algorithm, limit, window, burst, refill, borrow, maxWait, aligned, true, onStoreFailure);
    }

    /**
     * {@return this policy with another answer to the failure of the store; it names the same state}
     *
     * @param otherwise what becomes of a request
     */
    public Policy whenStoreFails(OnStoreFailure otherwise) {
        return new Policy(name, algorithm, limit, window, burst, refill, borrow, maxWait, aligned, shadow, otherwise);
    }

    /** Name and limit tell policies apart, and tiers of one: looked up for every request, of which eleven members would be most. */
    @Override
    public int hashCode() {
        return 31 * name.hashCode() + Long.hashCode(limit);
    }

    /** {@return {@link #window} in microseconds, the unit of all computing} */
    public long windowMicros() {
        return PolicyValidation.micros(window);
    }

    /** {@return {@link #maxWait} in microseconds} */
    public long maxWaitMicros() {
        return PolicyValidation.micros(maxWait);
    }

    /**
     * {@return what can be spent back to back from rest: {@code limit} for windows, logs and leases, {@code burst} for buckets, 1 for
     * {@code UNIFORM} and {@code GATE}, for {@code LEAKY_BUCKET} those that run at once and those that are held,
     * {@code 1 + floor(maxWait / T)}}
     */
    public long capacity() {
        return switch (algorithm) {
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, CONCURRENCY -> limit;
            case TOKEN_BUCKET, GCRA -> burst;
            case UNIFORM, GATE -> 1;
            case LEAKY_BUCKET -> PolicyValidation.slots(limit, window, maxWait);
        };
    }

    /**
     * {@return the most units that one request may cost: {@link #capacity}; at most {@value #MAX_LOG_COST} on a log, 1 on a lease and
     * a gate, and {@code max(limit, burst)} for one who may borrow}
     */
    public long maxCost() {
        return switch (algorithm) {
            case SLIDING_LOG -> Math.min(limit, MAX_LOG_COST);
            case CONCURRENCY, GATE -> 1;
            case TOKEN_BUCKET -> borrow ? Math.max(limit, burst) : burst;
            case FIXED_WINDOW, SLIDING_WINDOW, GCRA, UNIFORM, LEAKY_BUCKET -> capacity();
        };
    }

    /**
     * {@return the most units that any half-open interval of one window's length can admit, wherever it begins; for
     * {@code LEAKY_BUCKET} the most that run in it, for {@code CONCURRENCY} the most that are in flight at any instant; a
     * {@code GATE} promises nothing, {@link Long#MAX_VALUE}}
     */
    public long mostInAnyWindow() {
        return switch (algorithm) {
            case FIXED_WINDOW -> 2 * limit;
            case SLIDING_WINDOW -> 2 * limit - 1;
            case SLIDING_LOG, UNIFORM, LEAKY_BUCKET, CONCURRENCY -> limit;
            case GATE -> Long.MAX_VALUE;
            case GCRA -> burst + limit - 1;
            case TOKEN_BUCKET -> mostFromTokens();
        };
    }

    /** What a full bucket gives in the time that brings it {@code limit} tokens, and what the last taker may have borrowed. */
    private long mostFromTokens() {
        if (refill == Refill.SMOOTH) {
            return burst + limit - 1 + (borrow ? maxCost() - 1 : 0);
        }
        return borrow ? burst + limit + maxCost() - 1 : burst + Math.min(burst, limit);
    }

    /**
     * {@return the time in which the whole {@link #capacity} comes back when all of it is spent, in microseconds, rounded up}
     */
    public BigInteger quotaMicros() {
        BigInteger whole = BigInteger.valueOf(windowMicros());
        if (algorithm == Algorithm.TOKEN_BUCKET && refill == Refill.INTERVAL) {
            return whole.multiply(BigInteger.valueOf(-Math.floorDiv(-burst, limit)));
        }
        return switch (algorithm) {
            case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, CONCURRENCY, GATE -> whole;
            case TOKEN_BUCKET, GCRA, UNIFORM, LEAKY_BUCKET -> {
                BigInteger[] micros =
                        whole.multiply(BigInteger.valueOf(capacity())).divideAndRemainder(BigInteger.valueOf(limit));
                yield micros[1].signum() == 0 ? micros[0] : micros[0].add(BigInteger.ONE);
            }
        };
    }
}
