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
 * How a policy counts requests. Each constant is the data sheet of one algorithm.
 *
 * <p>Notation: {@code L} limit, {@code W} window, {@code B} burst, {@code T = W / L}. "Any
 * window" is any half-open interval of length {@code W}, wherever it begins.
 */
public enum Algorithm {
    /**
     * A counter per window. Admits at most {@code L} in each window, and so at most {@code 2L}
     * in any window: {@code L} at the end of a window, and {@code L} at the beginning of the
     * next. With periods of the calendar it is {@code L} in each period. Windows of different keys
     * begin at different instants, so that the quotas of all
     * keys do not return at once.
     *
     * <p>State: one number. Source: the counter of "Rate Limiting in Rust Using Redis" (fixed
     * window).
     */
    FIXED_WINDOW(WINDOW, PERIOD, ALIGNED, COST, COUNT_ON, SOFT),

    /**
     * Two counters, of the present window and of the window before. The latter is weighted with
     * the part of it that the last {@code W} still cover. The estimate never exceeds {@code L}.
     * Any window admits at most {@code 2L - 1}, and far less in ordinary traffic.
     *
     * <p>State: two numbers. Source: the sliding window counter of "Rate Limiting in Rust Using
     * Redis".
     */
    SLIDING_WINDOW(WINDOW, ALIGNED, COST, COUNT_ON),

    /**
     * A log of the admitted units. Admits at most {@code L} in <em>any</em> window. {@code L} is
     * at most 1,000,000, and one request costs at most 1,000.
     *
     * <p>State: about 10 bytes for each admitted unit. Source: the sliding log of "Rate Limiting
     * in Rust Using Redis", kept as a ring in a list instead of a sorted set.
     */
    SLIDING_LOG(1_000_000, WINDOW, COST, COUNT_ON),

    /**
     * A bucket of {@code B} tokens. {@link Refill#SMOOTH}: a token drips in every {@code T}. It
     * decides exactly as {@link #GCRA}, and admits at most {@code B + L - 1} in any window.
     * {@link Refill#INTERVAL}: {@code L} tokens come together at the end of each {@code W}; at
     * most {@code B + min(B, L)} in any window. With {@link RateLimited#borrow() borrow}, a
     * request passes as soon as one token is there, whatever it costs.
     *
     * <p>State: one instant, and for {@code INTERVAL} the tokens taken. Source: the token bucket
     * with pre-consumption of "Realization of Distributed Current Limiter by Redis+Lua".
     */
    TOKEN_BUCKET(WINDOW, BURST, REFILL, BORROW, COST, COUNT_ON),

    /**
     * The generic cell rate algorithm: one request every {@code T} on average, up to {@code B}
     * back to back. Admits at most {@code B + L - 1} in any window.
     *
     * <p>State: one instant. Source: ITU-T I.371, virtual scheduling.
     */
    GCRA(WINDOW, BURST, COST, COUNT_ON),

    /**
     * A gate: two admitted units are at least {@code T} apart, with no burst; {@link #GCRA} with
     * {@code B = 1}. Admits at most {@code L} in any window.
     */
    UNIFORM(WINDOW, COST, COUNT_ON),

    /**
     * A queue that is served at an even rate: each unit gets a slot, slots are {@code T} apart,
     * and a request runs at or after its slot. A request that would wait longer than
     * {@code maxWait} is rejected. It is a shaper: it delays requests that other algorithms
     * reject.
     *
     * <p>State: one instant, that of the next free slot. Source: the leaky bucket with waiting
     * of "Rate limiting for distributed systems with Redis and Lua".
     */
    LEAKY_BUCKET(WINDOW, MAX_WAIT, COST),

    /**
     * How many requests may be in flight at once. Each holds a lease that it gives back, or that
     * expires. {@code L} is the number of leases, {@code W} how long a lease lasts without
     * renewal. When a lease comes back is not known, so the {@code retryAfter} of one second is
     * a hint.
     *
     * <p>State: a sorted set of leases with their expiry.
     */
    CONCURRENCY(),

    /**
     * Counts nothing: it is open until a caller {@linkplain RateLimiter#closeGate closes} it for
     * a while, and admits everything or nothing. It is asked beside the limit of a partner that
     * may say that it has had enough: see {@link Policy#gate}. {@code L} is 1, {@code W} the
     * longest that one closing lasts. Neither annotations nor configuration declare one.
     *
     * <p>State: one instant, until which it is closed; none while it is open.
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
     * {@return whether a member has a meaning here}
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
