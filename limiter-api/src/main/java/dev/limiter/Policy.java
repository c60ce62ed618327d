package dev.limiter;

import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.algorithm.AlgorithmRules;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.internal.algorithm.PolicyValidation;
import java.time.Duration;

/**
 * One limit: a name, an {@link Algorithm} and its members. With a {@link PartitionKey} it names
 * one state.
 *
 * <p>{@code Policy.of("buyer", GCRA, 5, Duration.ofSeconds(10)).withBurst(10)}: one request
 * every 2 s on average, up to 10 back to back.
 */
public final class Policy {
    /**
     * The most units that one request may cost on a {@code SLIDING_LOG}, which records each of
     * them.
     */
    public static final long MAX_LOG_COST = 1_000;

    /** The longest that one closing of a {@linkplain #gate gate} lasts. */
    public static final Duration LONGEST_CLOSING = Duration.ofHours(1);

    /** How long a lease lasts without renewal, unless said otherwise. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    private final PolicyMembers members;
    private final AlgorithmRules rules;
    private final int hash;

    /**
     * The policy of these members.
     *
     * @param written as an annotation or configuration has them
     * @throws InvalidPolicyException naming the member, the value and the rule it breaks
     */
    public Policy(PolicyMembers written) {
        PolicyMembers valid = PolicyValidation.valid(written);
        this.rules = AlgorithmRules.of(valid);
        this.members = valid.with(PolicyMember.LIMIT_VARIES, rules.keepsUnits());
        this.hash = members.hashCode();
    }

    private <T> Policy with(PolicyMember<T> member, T value) {
        return new Policy(members.with(member, value));
    }

    /**
     * {@return a policy with the default burst; for {@code LEAKY_BUCKET} see
     * {@link #leakyBucket}}
     *
     * @param name printable ASCII without quote or backslash, 1 to 100 characters; it identifies
     *     the state, so two policies of one application that share a name share it
     * @param algorithm what is promised
     * @param limit units per window, for {@code CONCURRENCY} in flight;
     *     {@code 1 <= limit < 2^31}, and at most 1,000,000 for {@code SLIDING_LOG}; 1 for
     *     {@code GATE}
     * @param window whole microseconds from 1 µs to 366 days; for {@code CONCURRENCY} how long a
     *     lease lasts without renewal, for {@code GATE} the longest that one closing lasts
     */
    public static Policy of(String name, Algorithm algorithm, long limit, Duration window) {
        return new Policy(PolicyMembers.of(name, algorithm, limit).with(PolicyMember.WINDOW, window));
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
        return new Policy(PolicyMembers.of(name, Algorithm.FIXED_WINDOW, limit).with(PolicyMember.PERIOD, period));
    }

    /**
     * {@return a {@code LEAKY_BUCKET}: one every {@code window / limit}, held for its slot at
     * most {@code maxWait}}
     *
     * @param name identifies the state
     * @param limit units per window
     * @param window the span of the limit
     * @param maxWait the longest a request may be held, from 0 to 366 days in whole
     *     microseconds; the requests that fit into it must be fewer than 2<sup>31</sup>
     */
    public static Policy leakyBucket(String name, long limit, Duration window, Duration maxWait) {
        return new Policy(PolicyMembers.of(name, Algorithm.LEAKY_BUCKET, limit)
                .with(PolicyMember.WINDOW, window)
                .with(PolicyMember.MAX_WAIT, maxWait));
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
        Policy gate = of(name() + ".gate", Algorithm.GATE, 1, LONGEST_CLOSING).whenStoreFails(onStoreFailure());
        return enforcement() == Enforcement.SHADOW ? gate.asShadow() : gate;
    }

    /**
     * {@return this policy with periods of the calendar instead of windows of one length;
     * {@code FIXED_WINDOW} only}
     *
     * @param calendar such as months; null for windows of the length {@link #window}
     */
    public Policy in(CalendarPeriod calendar) {
        return with(PolicyMember.PERIOD, calendar);
    }

    /**
     * {@return this policy with a window that is longer by the delay variation of the network to
     * a partner} Requests are counted where they start, and limited where they arrive. So no
     * window of the partner sees more than any window here admits. For {@code SLIDING_LOG},
     * {@code UNIFORM} and {@code LEAKY_BUCKET} that is the limit. It names another state.
     *
     * <p>50 per 1 s with a variation of 50 ms: 50 per 1.05 s, which is 95 % of what the partner
     * takes.
     *
     * @param variation by how much the delays of two calls may differ, from zero, in whole
     *     microseconds
     * @throws InvalidPolicyException if the longer window breaks a rule
     */
    public Policy withDelayVariation(Duration variation) {
        if (variation.isNegative()) {
            throw new InvalidPolicyException(
                    "delayVariation", "the delay variation must not be negative, was " + variation);
        }
        if (period() != null) {
            throw new InvalidPolicyException(
                    "delayVariation", "a period of the calendar cannot be longer; leave the delay variation out");
        }
        return with(PolicyMember.WINDOW, window().plus(variation));
    }

    /**
     * {@return this policy with another burst; only for buckets}
     *
     * @param units that may pass back to back, below 2<sup>31</sup>; 0 for the limit
     */
    public Policy withBurst(long units) {
        return with(PolicyMember.BURST, units);
    }

    /**
     * {@return this policy with another refill; {@code TOKEN_BUCKET} only}
     *
     * @param how they come back
     */
    public Policy withRefill(Refill how) {
        return with(PolicyMember.REFILL, how);
    }

    /** {@return this policy with pre-consumption; {@code TOKEN_BUCKET} only} */
    public Policy borrowing() {
        return with(PolicyMember.BORROW, true);
    }

    /** {@return this policy with windows at multiples of their length since 1970} */
    public Policy alignedToTheClock() {
        return with(PolicyMember.ALIGNED, true);
    }

    /**
     * {@return this policy, of which the count of the period that ended stays readable for one
     * more period, by {@link RateLimiter#usage}; only for {@linkplain #in periods of the calendar}}
     * It names the same state. A charge by a policy of this name that does not keep drops the
     * count of the period that ended.
     */
    public Policy keepingPrevious() {
        return with(PolicyMember.KEEP, 1L);
    }

    /** {@return this policy as {@link Enforcement#SHADOW}: it reports and never rejects} */
    public Policy asShadow() {
        return with(PolicyMember.ENFORCEMENT, Enforcement.SHADOW);
    }

    /**
     * {@return this policy as {@link Enforcement#SOFT}: it counts beyond its limit and never
     * rejects; {@code FIXED_WINDOW} only}
     */
    public Policy asSoft() {
        return with(PolicyMember.ENFORCEMENT, Enforcement.SOFT);
    }

    /**
     * {@return this policy with another decision for failures of the store; it names the same
     * state}
     *
     * @param otherwise how a request is decided when the store fails
     */
    public Policy whenStoreFails(OnStoreFailure otherwise) {
        return with(PolicyMember.ON_STORE_FAILURE, otherwise);
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
        return with(PolicyMember.LIMIT_VARIES, true);
    }

    /** {@return all members, from which a like policy can be made} */
    public PolicyMembers members() {
        return members;
    }

    /** {@return the name, which identifies the state} */
    public String name() {
        return members.get(PolicyMember.NAME);
    }

    /** {@return what is promised} */
    public Algorithm algorithm() {
        return members.get(PolicyMember.ALGORITHM);
    }

    /** {@return units per window; for {@code CONCURRENCY} in flight} */
    public long limit() {
        return members.get(PolicyMember.LIMIT);
    }

    /**
     * {@return the span of the limit; of a {@link #period} the longest that it can last; for
     * {@code CONCURRENCY} how long a lease lasts without renewal}
     */
    public Duration window() {
        return members.get(PolicyMember.WINDOW);
    }

    /** {@return the period of the calendar that the limit is for; null for a fixed length} */
    public CalendarPeriod period() {
        return members.get(PolicyMember.PERIOD);
    }

    /** {@return units that may pass back to back; 0 where the algorithm has no burst} */
    public long burst() {
        return members.get(PolicyMember.BURST);
    }

    /** {@return how tokens come back} */
    public Refill refill() {
        return members.get(PolicyMember.REFILL);
    }

    /** {@return whether a request passes as soon as one token is there} */
    public boolean borrow() {
        return members.get(PolicyMember.BORROW);
    }

    /** {@return the longest a request may be held; zero where the algorithm holds none} */
    public Duration maxWait() {
        Duration longest = members.get(PolicyMember.MAX_WAIT);
        return longest == null ? Duration.ZERO : longest;
    }

    /** {@return whether windows begin at multiples of their length since 1970} */
    public boolean aligned() {
        return members.get(PolicyMember.ALIGNED);
    }

    /** {@return whether the count of the period that ended stays readable for one more period} */
    public boolean keepsPrevious() {
        return members.get(PolicyMember.KEEP) > 0;
    }

    /** {@return what becomes of a request that does not fit} */
    public Enforcement enforcement() {
        return members.get(PolicyMember.ENFORCEMENT);
    }

    /** {@return whether it rejects a request that does not fit: it is {@code ENFORCED}} */
    public boolean rejects() {
        return enforcement() == Enforcement.ENFORCED;
    }

    /** {@return how a request is decided when the store fails} */
    public OnStoreFailure onStoreFailure() {
        return members.get(PolicyMember.ON_STORE_FAILURE);
    }

    /** {@return the algorithm under these members} */
    public AlgorithmRules rules() {
        return rules;
    }

    /** {@return {@link #window} in microseconds, the unit of all arithmetic} */
    public long windowMicros() {
        return members.micros(PolicyMember.WINDOW);
    }

    /** {@return {@link #maxWait} in microseconds} */
    public long maxWaitMicros() {
        return members.micros(PolicyMember.MAX_WAIT);
    }

    /** {@return {@link AlgorithmRules#capacity}} */
    public long capacity() {
        return rules.capacity();
    }

    /** {@return {@link AlgorithmRules#maxCost}} */
    public long maxCost() {
        return rules.maxCost();
    }

    /** {@return whether the other is a policy of the same name and members} */
    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Policy that && hash == that.hash && members.equals(that.members);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "Policy" + members;
    }
}
