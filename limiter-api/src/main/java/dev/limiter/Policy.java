package dev.limiter;

import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.spi.algorithm.AlgorithmRules;
import dev.limiter.spi.algorithm.PolicyValidation;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Objects;

/**
 * One limit: a name, an {@link Algorithm} and its numbers. With a {@link PartitionKey} it names
 * one state.
 *
 * <p>{@code Policy.of("buyer", GCRA, 5, Duration.ofSeconds(10)).withBurst(10)}: one request
 * every 2 s on average, up to 10 back to back.
 */
public final class Policy {

    /** The longest name of a policy, in characters. */
    public static final int MAX_NAME_LENGTH = 100;

    /** The largest limit of a {@code SLIDING_LOG}, whose memory grows with it. */
    public static final long MAX_LOG_LIMIT = 1_000_000;

    /**
     * The most units that one request may cost on a {@code SLIDING_LOG}, which records each of
     * them.
     */
    public static final long MAX_LOG_COST = 1_000;

    /** The longest that one closing of a {@linkplain #gate gate} lasts. */
    public static final Duration LONGEST_CLOSING = Duration.ofHours(1);

    private static final String GATE_SUFFIX = ".gate";

    /** How long a lease lasts without renewal, unless said otherwise. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    private final String name;
    private final Algorithm algorithm;
    private final long limit;
    private final Duration window;
    private final CalendarPeriod period;
    private final long burst;
    private final Refill refill;
    private final boolean borrow;
    private final Duration maxWait;
    private final boolean aligned;
    private final Enforcement enforcement;
    private final OnStoreFailure onStoreFailure;
    private final AlgorithmRules rules;
    private final int hash;

    /**
     * A policy with all members.
     *
     * @param name printable ASCII without quote or backslash, 1 to 100 characters; it identifies
     *     the state, so two policies of one application that share a name share it
     * @param algorithm what is promised
     * @param limit units per window, for {@code CONCURRENCY} in flight;
     *     {@code 1 <= limit < 2^31}, and at most 1,000,000 for {@code SLIDING_LOG}; 1 for
     *     {@code GATE}
     * @param window whole microseconds from 1 µs to 366 days; for {@code CONCURRENCY} how long a
     *     lease lasts without renewal, for {@code GATE} the longest that one closing lasts
     * @param burst units that may pass back to back; {@code 1 <= burst < 2^31} for buckets
     *     ({@code 0} is read as {@code limit}), 0 for all others
     * @param refill how tokens come back; {@code INTERVAL} for {@code TOKEN_BUCKET} only; null
     *     is read as {@code SMOOTH}
     * @param borrow whether a request passes as soon as one token is there, whatever it costs;
     *     {@code TOKEN_BUCKET} only
     * @param maxWait the longest a request may be held, from 0 to 366 days in whole
     *     microseconds: needed for {@code LEAKY_BUCKET}, where the requests that fit into it
     *     must be fewer than 2<sup>31</sup>; zero or null for all others
     * @param aligned whether windows begin at multiples of their length since 1970 instead of at
     *     an instant of each key's own; {@code FIXED_WINDOW} and {@code SLIDING_WINDOW} only
     * @param enforcement what becomes of a request that does not fit; {@code SOFT} for
     *     {@code FIXED_WINDOW} only; null is read as {@code ENFORCED}
     * @param onStoreFailure how a request is decided when the store fails; null is read as
     *     {@code CONFIGURED}
     * @throws InvalidPolicyException naming the member, the value and the rule it breaks
     */
    public Policy(
            String name,
            Algorithm algorithm,
            long limit,
            Duration window,
            long burst,
            Refill refill,
            boolean borrow,
            Duration maxWait,
            boolean aligned,
            Enforcement enforcement,
            OnStoreFailure onStoreFailure) {
        this(
                name,
                algorithm,
                limit,
                false,
                window,
                null,
                burst,
                refill,
                borrow,
                maxWait,
                aligned,
                enforcement,
                onStoreFailure);
    }

    private Policy(
            String name,
            Algorithm algorithm,
            long limit,
            boolean limitVaries,
            Duration span,
            CalendarPeriod period,
            long burst,
            Refill refill,
            boolean borrow,
            Duration maxWait,
            boolean aligned,
            Enforcement enforcement,
            OnStoreFailure onStoreFailure) {
        PolicyValidation.requireName(name);
        PolicyValidation.requireAlgorithm(algorithm);
        PolicyValidation.requireLimit(algorithm, limit);
        if (period == null) {
            PolicyValidation.requireWindow(span);
        } else {
            PolicyValidation.requirePeriods(algorithm, aligned);
        }
        this.name = name;
        this.algorithm = algorithm;
        this.limit = limit;
        this.window = period == null ? span : period.longest();
        this.period = period;
        this.burst = PolicyValidation.normalBurst(algorithm, limit, burst);
        this.refill = PolicyValidation.normalRefill(algorithm, refill);
        PolicyValidation.requireBorrower(algorithm, borrow);
        this.borrow = borrow;
        this.maxWait = PolicyValidation.normalMaxWait(algorithm, limit, window, maxWait);
        PolicyValidation.requireAlignable(algorithm, aligned);
        PolicyValidation.requireExact(algorithm, limit, window, this.burst);
        this.aligned = aligned;
        this.enforcement = PolicyValidation.normalEnforcement(algorithm, enforcement);
        this.onStoreFailure = onStoreFailure == null ? OnStoreFailure.CONFIGURED : onStoreFailure;
        this.rules = AlgorithmRules.of(
                algorithm,
                new AlgorithmRules.Numbers(
                        limit,
                        limitVaries,
                        windowMicros(),
                        this.burst,
                        this.refill,
                        borrow,
                        maxWaitMicros(),
                        this.enforcement == Enforcement.SOFT,
                        period));
        this.hash = 31 * (31 * (31 * name.hashCode() + Long.hashCode(limit)) + Long.hashCode(this.burst))
                + Objects.hashCode(period);
    }

    /**
     * A policy with these numbers; all other members have their defaults.
     *
     * @param name identifies the state
     * @param algorithm what is promised
     * @param limit units per window
     * @param window the span of the limit
     * @param burst units that may pass back to back
     */
    public Policy(String name, Algorithm algorithm, long limit, Duration window, long burst) {
        this(name, algorithm, limit, window, burst, Refill.SMOOTH, false, null, false, null, null);
    }

    /**
     * {@return a policy with the default burst; for {@code LEAKY_BUCKET} see
     * {@link #leakyBucket}}
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
     * {@return a {@code FIXED_WINDOW} whose windows are periods of the calendar} The store's
     * clock chooses the period. A period that has begun ends as it began, also if another zone
     * or anchor is asked meanwhile. If these can change, the period should be
     * {@linkplain CalendarPeriod#movable movable}.
     *
     * @param name identifies the state
     * @param limit units per period
     * @param period such as a month
     */
    public static Policy of(String name, long limit, CalendarPeriod period) {
        return new Policy(
                name, Algorithm.FIXED_WINDOW, limit, false, null, period, 0, null, false, null, false, null, null);
    }

    /**
     * {@return this policy with periods of the calendar instead of windows of one length;
     * {@code FIXED_WINDOW} only}
     *
     * @param calendar such as months; null for windows of the length {@link #window}
     */
    public Policy in(CalendarPeriod calendar) {
        return new Policy(
                name,
                algorithm,
                limit,
                limitVaries(),
                window,
                calendar,
                burst,
                refill,
                borrow,
                maxWait,
                aligned,
                enforcement,
                onStoreFailure);
    }

    /**
     * {@return a {@code LEAKY_BUCKET}: one every {@code window / limit}, held for its slot at
     * most {@code maxWait}}
     *
     * @param name identifies the state
     * @param limit units per window
     * @param window the span of the limit
     * @param maxWait the longest a request may be held
     */
    public static Policy leakyBucket(String name, long limit, Duration window, Duration maxWait) {
        return new Policy(
                name, Algorithm.LEAKY_BUCKET, limit, window, 0, Refill.SMOOTH, false, maxWait, false, null, null);
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
     * {@return the gate of this policy, named after it} While it is closed for a key, it rejects
     * groups that ask for both, until the partner takes requests again. Its state and that of
     * this policy have the same slot, so both are asked at once also in a cluster.
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
                enforcement == Enforcement.SHADOW ? enforcement : Enforcement.ENFORCED,
                onStoreFailure);
    }

    /**
     * {@return this policy with a window that is longer by the delay variation of the
     * network to a partner} Requests are counted where they start, and limited where they
     * arrive. So no window of the partner sees more than any window here admits. For
     * {@code SLIDING_LOG}, {@code UNIFORM} and {@code LEAKY_BUCKET} that is the limit. It names
     * another state than this policy.
     *
     * <p>50 per 1 s with a variation of 50 ms: 50 per 1.05 s, which is 95 % of what the partner
     * takes.
     *
     * @param variation by how much the delays of two calls may differ, from zero, in
     *     whole microseconds
     * @throws InvalidPolicyException if the longer window breaks a rule
     */
    public Policy withDelayVariation(Duration variation) {
        if (variation.isNegative()) {
            throw new InvalidPolicyException(
                    "delayVariation", "the delay variation must not be negative, was " + variation);
        }
        if (period != null) {
            throw new InvalidPolicyException(
                    "delayVariation", "a period of the calendar cannot be longer; leave the delay variation out");
        }
        return new Policy(
                name,
                algorithm,
                limit,
                limitVaries(),
                window.plus(variation),
                null,
                burst,
                refill,
                borrow,
                maxWait,
                aligned,
                enforcement,
                onStoreFailure);
    }

    /**
     * {@return this policy with another burst; only for buckets}
     *
     * @param units that may pass back to back
     */
    public Policy withBurst(long units) {
        return new Policy(
                name,
                algorithm,
                limit,
                limitVaries(),
                window,
                period,
                units,
                refill,
                borrow,
                maxWait,
                aligned,
                enforcement,
                onStoreFailure);
    }

    /**
     * {@return this policy with another refill; {@code TOKEN_BUCKET} only}
     *
     * @param how they come back
     */
    public Policy withRefill(Refill how) {
        return new Policy(
                name,
                algorithm,
                limit,
                limitVaries(),
                window,
                period,
                burst,
                how,
                borrow,
                maxWait,
                aligned,
                enforcement,
                onStoreFailure);
    }

    /** {@return this policy with pre-consumption; {@code TOKEN_BUCKET} only} */
    public Policy borrowing() {
        return new Policy(
                name,
                algorithm,
                limit,
                limitVaries(),
                window,
                period,
                burst,
                refill,
                true,
                maxWait,
                aligned,
                enforcement,
                onStoreFailure);
    }

    /**
     * {@return this policy with windows at multiples of their length since 1970; only for
     * windows}
     */
    public Policy alignedToTheClock() {
        return new Policy(
                name,
                algorithm,
                limit,
                limitVaries(),
                window,
                period,
                burst,
                refill,
                borrow,
                maxWait,
                true,
                enforcement,
                onStoreFailure);
    }

    /** {@return this policy as {@link Enforcement#SHADOW}: it reports and never rejects} */
    public Policy asShadow() {
        return with(Enforcement.SHADOW);
    }

    /**
     * {@return this policy as {@link Enforcement#SOFT}: it counts beyond its limit and never
     * rejects; {@code FIXED_WINDOW} only}
     */
    public Policy asSoft() {
        return with(Enforcement.SOFT);
    }

    private Policy with(Enforcement how) {
        return new Policy(
                name,
                algorithm,
                limit,
                limitVaries(),
                window,
                period,
                burst,
                refill,
                borrow,
                maxWait,
                aligned,
                how,
                onStoreFailure);
    }

    /**
     * {@return this policy with another decision for failures of the store; it names the same
     * state}
     *
     * @param otherwise how a request is decided when the store fails
     */
    public Policy whenStoreFails(OnStoreFailure otherwise) {
        return new Policy(
                name,
                algorithm,
                limit,
                limitVaries(),
                window,
                period,
                burst,
                refill,
                borrow,
                maxWait,
                aligned,
                enforcement,
                otherwise);
    }

    /**
     * {@return this policy, of which other policies of the same name have another limit: those
     * of other tiers, or of the same partition after a change of its contract; it names the same
     * state} Of {@code GCRA}, {@code UNIFORM} and a smooth {@code TOKEN_BUCKET} the state then
     * says under which limit it was written. The units that are in use stay in use under another
     * limit. Without this the instant stays at which all of them are back, which is another
     * number of units. Other algorithms count units in any case.
     *
     * <p>250 a day with a burst of 50, spent, becomes 400 a day: the next unit comes after 216 s
     * at most, and without this after 6,696 s.
     */
    public Policy withVaryingLimit() {
        return new Policy(
                name,
                algorithm,
                limit,
                true,
                window,
                period,
                burst,
                refill,
                borrow,
                maxWait,
                aligned,
                enforcement,
                onStoreFailure);
    }

    /** {@return the name, which identifies the state} */
    public String name() {
        return name;
    }

    /** {@return what is promised} */
    public Algorithm algorithm() {
        return algorithm;
    }

    /** {@return units per window; for {@code CONCURRENCY} in flight} */
    public long limit() {
        return limit;
    }

    /**
     * {@return whether this is a bucket, and other policies of its name have
     * {@linkplain #withVaryingLimit another limit}}
     */
    public boolean limitVaries() {
        return rules.keepsUnits();
    }

    /**
     * {@return the span of the limit; of a {@link #period} the longest that it can last; for
     * {@code CONCURRENCY} how long a lease lasts without renewal}
     */
    public Duration window() {
        return window;
    }

    /** {@return the period of the calendar that the limit is for; null for a fixed length} */
    public CalendarPeriod period() {
        return period;
    }

    /** {@return units that may pass back to back; 0 where the algorithm has no burst} */
    public long burst() {
        return burst;
    }

    /** {@return how tokens come back} */
    public Refill refill() {
        return refill;
    }

    /** {@return whether a request passes as soon as one token is there} */
    public boolean borrow() {
        return borrow;
    }

    /** {@return the longest a request may be held; zero where the algorithm holds none} */
    public Duration maxWait() {
        return maxWait;
    }

    /** {@return whether windows begin at multiples of their length since 1970} */
    public boolean aligned() {
        return aligned;
    }

    /** {@return what becomes of a request that does not fit} */
    public Enforcement enforcement() {
        return enforcement;
    }

    /** {@return whether it rejects a request that does not fit: it is {@code ENFORCED}} */
    public boolean rejects() {
        return enforcement == Enforcement.ENFORCED;
    }

    /** {@return how a request is decided when the store fails} */
    public OnStoreFailure onStoreFailure() {
        return onStoreFailure;
    }

    /** {@return the algorithm under these numbers} */
    public AlgorithmRules rules() {
        return rules;
    }

    /** {@return {@link #window} in microseconds, the unit of all arithmetic} */
    public long windowMicros() {
        return PolicyValidation.micros(window);
    }

    /** {@return {@link #maxWait} in microseconds} */
    public long maxWaitMicros() {
        return PolicyValidation.micros(maxWait);
    }

    /** {@return {@link AlgorithmRules#capacity}} */
    public long capacity() {
        return rules.capacity();
    }

    /** {@return {@link AlgorithmRules#maxCost}} */
    public long maxCost() {
        return rules.maxCost();
    }

    /** {@return {@link AlgorithmRules#mostInAnyWindow}} */
    public long mostInAnyWindow() {
        return rules.mostInAnyWindow();
    }

    /** {@return {@link AlgorithmRules#quotaMicros}} */
    public BigInteger quotaMicros() {
        return rules.quotaMicros();
    }

    /** {@return whether the other is a policy of the same name and numbers} */
    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof Policy that
                        && name.equals(that.name)
                        && algorithm == that.algorithm
                        && limit == that.limit
                        && limitVaries() == that.limitVaries()
                        && window.equals(that.window)
                        && Objects.equals(period, that.period)
                        && burst == that.burst
                        && refill == that.refill
                        && borrow == that.borrow
                        && maxWait.equals(that.maxWait)
                        && aligned == that.aligned
                        && enforcement == that.enforcement
                        && onStoreFailure == that.onStoreFailure;
    }

    /**
     * Of the members in which policies of one declaration differ: tiers and contracts have other
     * numbers, and callers other anchors. It is computed once, since each request needs it.
     */
    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "Policy[name=" + name + ", algorithm=" + algorithm + ", limit=" + limit
                + (limitVaries() ? " or others" : "") + ", window="
                + (period == null ? window : period)
                + ", burst=" + burst + ", refill=" + refill + ", borrow=" + borrow + ", maxWait=" + maxWait
                + ", aligned=" + aligned + ", enforcement=" + enforcement + ", onStoreFailure=" + onStoreFailure + "]";
    }
}
