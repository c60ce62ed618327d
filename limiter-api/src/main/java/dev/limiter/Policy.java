package dev.limiter;

import dev.limiter.calendar.CalendarPeriod;
import dev.limiter.internal.algorithm.AlgorithmRules;
import dev.limiter.internal.algorithm.PolicyMember;
import dev.limiter.internal.algorithm.PolicyMembers;
import dev.limiter.internal.algorithm.PolicyValidation;
import java.time.Duration;

/**
 * One limit: its name, its {@link Algorithm} and its numbers. Together with a {@link PartitionKey}
 * it names one state.
 *
 * <p>{@code Policy.of("buyer", GCRA, 5, Duration.ofSeconds(10)).withBurst(10)} admits one request
 * every 2 s on average, up to 10 back to back.
 */
public final class Policy {
    /**
     * The most units that one request may cost on a {@code SLIDING_LOG}, which records each of
     * them.
     */
    public static final long MAX_LOG_COST = 1_000;

    /** The longest time for which one call can close a {@linkplain #gate gate}. */
    public static final Duration LONGEST_CLOSING = Duration.ofHours(1);

    /** How long a lease lasts without renewal, unless you say otherwise. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    private final PolicyMembers members;
    private final AlgorithmRules rules;
    private final int hash;

    /**
     * Makes a policy of the members that an annotation or configuration has.
     *
     * @param written the members
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
     * {@return a policy with the default burst, which is the limit} For {@code LEAKY_BUCKET} see
     * {@link #leakyBucket}.
     *
     * @param name printable ASCII without quote or backslash, 1 to 100 characters; it identifies
     *     the state, so two policies of one application that share a name share it
     * @param algorithm how requests are counted
     * @param limit units per window, or in flight for {@code CONCURRENCY};
     *     {@code 1 <= limit < 2^31}, at most 1,000,000 for {@code SLIDING_LOG}, and 1 for
     *     {@code GATE}
     * @param window whole microseconds from 1 µs to 366 days; for {@code CONCURRENCY} how long a
     *     lease lasts without renewal, for {@code GATE} the longest that one closing lasts
     */
    public static Policy of(String name, Algorithm algorithm, long limit, Duration window) {
        return new Policy(PolicyMembers.of(name, algorithm, limit).with(PolicyMember.WINDOW, window));
    }

    /**
     * {@return a {@code FIXED_WINDOW} whose windows are periods of the calendar} The store's clock
     * chooses the period. A period that has begun ends as planned, even if a later call has
     * another zone or anchor. If these can change, make the period
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
     * {@return a {@code LEAKY_BUCKET} that starts one unit every {@code window / limit}, and holds
     * none longer than {@code maxWait}}
     *
     * @param name identifies the state
     * @param limit units per window
     * @param window the span of the limit
     * @param maxWait the longest time that a request may be held, from 0 to 366 days in whole
     *     microseconds; fewer than 2<sup>31</sup> requests must fit into it
     */
    public static Policy leakyBucket(String name, long limit, Duration window, Duration maxWait) {
        return new Policy(PolicyMembers.of(name, Algorithm.LEAKY_BUCKET, limit)
                .with(PolicyMember.WINDOW, window)
                .with(PolicyMember.MAX_WAIT, maxWait));
    }

    /**
     * {@return a {@code CONCURRENCY} policy with leases of {@link #DEFAULT_LEASE}}
     *
     * @param name identifies the state
     * @param limit how many may be in flight
     */
    public static Policy concurrency(String name, long limit) {
        return of(name, Algorithm.CONCURRENCY, limit, DEFAULT_LEASE);
    }

    /**
     * {@return the gate of this policy} While it is closed for a key, groups that ask for both are
     * rejected. In a cluster both are in one slot, so one call asks both.
     *
     * @throws InvalidPolicyException if the name leaves no room for {@code .gate}
     */
    public Policy gate() {
        Policy gate = of(name() + ".gate", Algorithm.GATE, 1, LONGEST_CLOSING).whenStoreFails(onStoreFailure());
        return enforcement() == Enforcement.SHADOW ? gate.asShadow() : gate;
    }

    /**
     * {@return this {@code FIXED_WINDOW} with periods of the calendar as its windows}
     *
     * @param calendar such as months; null for windows of the length {@link #window}
     */
    public Policy in(CalendarPeriod calendar) {
        return with(PolicyMember.PERIOD, calendar);
    }

    /**
     * {@return this policy with a window that is longer by the delay variation of the network to a
     * partner} You count requests when they start, and the partner when they arrive. With the
     * longer window no window of the partner sees more than any window here admits: the limit, for
     * {@code SLIDING_LOG}, {@code UNIFORM} and {@code LEAKY_BUCKET}. It names another state.
     *
     * <p>50 per 1 s with a variation of 50 ms becomes 50 per 1.05 s: 95 % of what the partner
     * takes.
     *
     * @param variation by how much the delays of two calls may differ, from zero, in whole
     *     microseconds
     * @throws InvalidPolicyException if it is negative, the policy has a period of the calendar,
     *     or the longer window breaks a rule
     */
    public Policy withDelayVariation(Duration variation) {
        if (variation.isNegative()) {
            throw new InvalidPolicyException(
                    "delayVariation", "the delay variation must not be negative, was " + variation);
        }
        if (period() != null) {
            throw new InvalidPolicyException(
                    "delayVariation", "a calendar period takes no delay variation; leave it out");
        }
        return with(PolicyMember.WINDOW, window().plus(variation));
    }

    /**
     * {@return this {@code GCRA} or {@code TOKEN_BUCKET} with another burst}
     *
     * @param units that may pass back to back, below 2<sup>31</sup>; 0 for the limit
     */
    public Policy withBurst(long units) {
        return with(PolicyMember.BURST, units);
    }

    /**
     * {@return this {@code TOKEN_BUCKET} with another refill}
     *
     * @param how tokens come back
     */
    public Policy withRefill(Refill how) {
        return with(PolicyMember.REFILL, how);
    }

    /**
     * {@return this {@code TOKEN_BUCKET}, which admits a request as soon as one token is there}
     */
    public Policy borrowing() {
        return with(PolicyMember.BORROW, true);
    }

    /** {@return this policy with windows that begin at multiples of their length since 1970} */
    public Policy alignedToTheClock() {
        return with(PolicyMember.ALIGNED, true);
    }

    /**
     * {@return this policy, which keeps the count of the period that ended for one more period,
     * for {@link RateLimiter#usage}} Only for {@linkplain #in periods of the calendar}. The state
     * is the same. A charge by a policy of this name that does not keep drops that count.
     */
    public Policy keepingPrevious() {
        return with(PolicyMember.KEEP, 1L);
    }

    /** {@return this policy as {@link Enforcement#SHADOW}, which reports and never rejects} */
    public Policy asShadow() {
        return with(PolicyMember.ENFORCEMENT, Enforcement.SHADOW);
    }

    /**
     * {@return this {@code FIXED_WINDOW} as {@link Enforcement#SOFT}, which counts beyond its
     * limit and never rejects}
     */
    public Policy asSoft() {
        return with(PolicyMember.ENFORCEMENT, Enforcement.SOFT);
    }

    /**
     * {@return this policy with another decision for failures of the store; the state is the same}
     *
     * @param otherwise how a request is decided when the store fails
     */
    public Policy whenStoreFails(OnStoreFailure otherwise) {
        return with(PolicyMember.ON_STORE_FAILURE, otherwise);
    }

    /**
     * {@return this policy, for keys whose limit can change with a tier or a contract; the state
     * is the same} Units that are in use then stay in use under another limit. Without this, the
     * instant stays at which all of them are back, which is another number of units. It matters
     * for {@code GCRA}, {@code UNIFORM} and a smooth {@code TOKEN_BUCKET}, whose state then
     * records its limit. Other algorithms count units in any case.
     *
     * <p>250 a day with a burst of 50, spent, becomes 400 a day: the next unit comes after 216 s
     * at most, and without this after 6,696 s.
     */
    public Policy withVaryingLimit() {
        return with(PolicyMember.LIMIT_VARIES, true);
    }

    /** {@return all members, from which you can make an equal policy} */
    public PolicyMembers members() {
        return members;
    }

    /** {@return the name, which identifies the state} */
    public String name() {
        return members.get(PolicyMember.NAME);
    }

    /** {@return how requests are counted} */
    public Algorithm algorithm() {
        return members.get(PolicyMember.ALGORITHM);
    }

    /** {@return units per window, or in flight for {@code CONCURRENCY}} */
    public long limit() {
        return members.get(PolicyMember.LIMIT);
    }

    /**
     * {@return the span of the limit; with a {@link #period} the longest that it can last; for
     * {@code CONCURRENCY} how long a lease lasts without renewal}
     */
    public Duration window() {
        return members.get(PolicyMember.WINDOW);
    }

    /** {@return the period of the calendar that is the window; null for a fixed length} */
    public CalendarPeriod period() {
        return members.get(PolicyMember.PERIOD);
    }

    /** {@return how many units may pass back to back; 0 if the algorithm has no burst} */
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

    /** {@return the longest time that a request may be held; zero if the algorithm holds none} */
    public Duration maxWait() {
        Duration longest = members.get(PolicyMember.MAX_WAIT);
        return longest == null ? Duration.ZERO : longest;
    }

    /** {@return whether windows begin at multiples of their length since 1970} */
    public boolean aligned() {
        return members.get(PolicyMember.ALIGNED);
    }

    /** {@return whether the count of the period that ended is kept for one more period} */
    public boolean keepsPrevious() {
        return members.get(PolicyMember.KEEP) > 0;
    }

    /** {@return what happens to a request for which there is no room} */
    public Enforcement enforcement() {
        return members.get(PolicyMember.ENFORCEMENT);
    }

    /** {@return whether it rejects requests for which there is no room: it is {@code ENFORCED}} */
    public boolean rejects() {
        return enforcement() == Enforcement.ENFORCED;
    }

    /** {@return how a request is decided when the store fails} */
    public OnStoreFailure onStoreFailure() {
        return members.get(PolicyMember.ON_STORE_FAILURE);
    }

    /** {@return the rules of the algorithm for these members} */
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

    /** {@return whether the other is a policy with the same name and members} */
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
