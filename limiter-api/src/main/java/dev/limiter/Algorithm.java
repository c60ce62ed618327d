package dev.limiter;

import static dev.limiter.Algorithm.Member.ALIGNED;
import static dev.limiter.Algorithm.Member.BORROW;
import static dev.limiter.Algorithm.Member.BURST;
import static dev.limiter.Algorithm.Member.COST;
import static dev.limiter.Algorithm.Member.COUNT_ON;
import static dev.limiter.Algorithm.Member.MAX_WAIT;
import static dev.limiter.Algorithm.Member.PERIOD;
import static dev.limiter.Algorithm.Member.REFILL;
import static dev.limiter.Algorithm.Member.SOFT;
import static dev.limiter.Algorithm.Member.WINDOW;

import java.util.Set;

/**
 * How a policy counts requests, and what it promises.
 *
 * <p>Notation: {@code L} limit, {@code W} window, {@code B} burst, {@code T = W / L}. "Any window"
 * is any half-open interval of length {@code W}, wherever it begins.
 */
public enum Algorithm {
    /**
     * Counts each window from zero: at most {@code L} in each. Any window admits at most
     * {@code 2L}, since {@code L} may come at the end of one and {@code L} at the beginning of the
     * next. With a period of the calendar it is {@code L} in each period. Windows of different
     * keys begin at different instants, so that not all quotas come back at once.
     *
     * <p>State: one number. Source: the counter of "Rate Limiting in Rust Using Redis" (fixed
     * window).
     */
    FIXED_WINDOW(WINDOW, PERIOD, ALIGNED, COST, COUNT_ON, SOFT),

    /**
     * Counts the present window, and weights the count of the window before by the part of it that
     * the last {@code W} still cover. Their sum never exceeds {@code L}. Any window admits at most
     * {@code 2L - 1}, and far less in ordinary traffic.
     *
     * <p>State: two numbers. Source: the sliding window counter of "Rate Limiting in Rust Using
     * Redis".
     */
    SLIDING_WINDOW(WINDOW, ALIGNED, COST, COUNT_ON),

    /**
     * Records each admitted unit: at most {@code L} in <em>any</em> window. {@code L} is at most
     * 1,000,000, and one request costs at most 1,000.
     *
     * <p>State: about 10 bytes for each admitted unit. Source: the sliding log of "Rate Limiting
     * in Rust Using Redis", kept as a ring in a list instead of a sorted set.
     */
    SLIDING_LOG(1_000_000, WINDOW, COST, COUNT_ON),

    /**
     * A bucket of {@code B} tokens, of which each unit takes one.
     *
     * <ul>
     * <li>{@link Refill#SMOOTH}: a token drips in every {@code T}. It decides exactly as
     *     {@link #GCRA}: at most {@code B + L - 1} in any window.
     * <li>{@link Refill#INTERVAL}: {@code L} tokens come together at the end of each {@code W}; at
     *     most {@code B + min(B, L)} in any window.
     * <li>With {@link RateLimited#borrow() borrow} a request passes as soon as one token is there,
     *     whatever it costs.
     * </ul>
     *
     * <p>State: one instant, and for {@code INTERVAL} the tokens taken. Source: the token bucket
     * with pre-consumption of "Realization of Distributed Current Limiter by Redis+Lua".
     */
    TOKEN_BUCKET(WINDOW, BURST, REFILL, BORROW, COST, COUNT_ON),

    /**
     * Admits one request every {@code T} on average, and up to {@code B} back to back: at most
     * {@code B + L - 1} in any window. This is the generic cell rate algorithm.
     *
     * <p>State: one instant. Source: ITU-T I.371, virtual scheduling.
     */
    GCRA(WINDOW, BURST, COST, COUNT_ON),

    /**
     * Keeps two admitted units at least {@code T} apart, without bursts: at most {@code L} in any
     * window. It is {@link #GCRA} with {@code B = 1}.
     */
    UNIFORM(WINDOW, COST, COUNT_ON),

    /**
     * Holds requests in a queue that is served at an even rate, where other algorithms would
     * reject them. Each unit gets a slot, slots are {@code T} apart, and a request runs at its
     * slot or later. It is rejected if it would have to wait longer than {@code maxWait}.
     *
     * <p>State: one instant, that of the next free slot. Source: the leaky bucket with waiting of
     * "Rate limiting for distributed systems with Redis and Lua".
     */
    LEAKY_BUCKET(WINDOW, MAX_WAIT, COST),

    /**
     * Limits how many requests are in flight at once. Each holds a lease until it gives it back,
     * or until the lease expires. {@code L} is the number of leases, and {@code W} how long a
     * lease lasts without renewal. Nobody knows when a lease will come back, so the
     * {@code retryAfter} of one second is a hint.
     *
     * <p>State: a sorted set of leases with their expiry.
     */
    CONCURRENCY(),

    /**
     * Counts nothing: a gate is open and admits all, until a caller
     * {@linkplain RateLimiter#closeGate closes} it for a while. It is asked together with the
     * limit of a partner that may say that it has had enough: see {@link Policy#gate}. {@code L}
     * is 1, {@code W} the longest that one closing lasts. Neither annotations nor configuration
     * can declare one.
     *
     * <p>State: the instant until which it is closed; none while it is open.
     */
    GATE(1, WINDOW);

    /** The members of a policy, besides name and limit, that some algorithms take. */
    public enum Member {
        /** The span of the limit. */
        WINDOW,
        /** Whether the limit may be for a period of the calendar. */
        PERIOD,
        /** How many units may pass back to back, independent of {@code limit}. */
        BURST,
        /** How tokens come back. */
        REFILL,
        /** Whether a request passes as soon as one token is there. */
        BORROW,
        /** The longest a request may be held. */
        MAX_WAIT,
        /** Whether windows begin at multiples of their length since 1970. */
        ALIGNED,
        /** How many units a request takes, if not 1. */
        COST,
        /** Which responses count, if not every request does. */
        COUNT_ON,
        /** Whether units are counted beyond the limit, exactly, instead of a rejection. */
        SOFT
    }

    private final long maxLimit;
    private final Set<Member> members;

    Algorithm(Member... members) {
        this(Integer.MAX_VALUE, members);
    }

    Algorithm(long maxLimit, Member... members) {
        this.maxLimit = maxLimit;
        this.members = Set.of(members);
    }

    /**
     * {@return whether a member has a meaning for this algorithm}
     *
     * @param member of a policy
     */
    public boolean accepts(Member member) {
        return members.contains(member);
    }

    /** {@return the largest limit} */
    public long maxLimit() {
        return maxLimit;
    }
}
