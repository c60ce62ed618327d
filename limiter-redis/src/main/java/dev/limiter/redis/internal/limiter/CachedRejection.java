package dev.limiter.redis.internal.limiter;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A rejection by the store, and the instant until which the store would certainly reject again.
 * The policy has nothing left. So the store cannot have admitted a request since, whatever its
 * cost. The result is still true. Its waits are shorter by the time that has passed.
 *
 * <p>GCRA, 5 per 10 s, spent: rejected, {@code nextAfter} and {@code retryAfter} 2 s. One second
 * later the same request is rejected with both 1 s, and from 1.998 s on the store is asked.
 */
public final class CachedRejection {

    /**
     * The two clocks differ by less than this part of the time: good clocks drift by a tenth of
     * it.
     */
    private static final int DRIFT_DIVISOR = 1_000;

    /**
     * After this time the limiter hears of a reset, a raised limit or a refund elsewhere, also
     * by hand in Redis.
     */
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Check check;
    private final CheckResult result;
    private final Policy gate;
    private final long atMicros;
    private final long arrivedNanos;
    private final long forgottenNanos;

    /**
     * @param check the only one of its group, but for its gate
     * @param askedNanos when the store was asked, on a clock that does not step
     * @param arrivedNanos when its reply had arrived; the decision lies between
     */
    public CachedRejection(Check check, Decision.Rejected rejected, long askedNanos, long arrivedNanos) {
        this.check = check;
        this.result = rejected.results().get(0);
        this.gate = rejected.results().size() > 1 ? rejected.results().get(1).policy() : null;
        this.atMicros = rejected.atMicros();
        this.arrivedNanos = arrivedNanos;
        this.forgottenNanos = askedNanos + validNanos(result);
    }

    /** Whether the store was asked with the same gate, or without one as these checks are. */
    boolean isBesideGateOf(List<Check> checks) {
        return Objects.equals(gate, checks.size() > 1 ? checks.get(1).policy() : null);
    }

    /**
     * How long the rejection is certain to hold. The store has a further unit after
     * {@code nextAfter}, and not before; the request fits no earlier.
     */
    private static long validNanos(CheckResult result) {
        long micros = Math.min(result.nextAfterMicros(), TimeUnit.NANOSECONDS.toMicros(2 * LONGEST_NANOS));
        long nanos = TimeUnit.MICROSECONDS.toNanos(micros);
        return Math.min(nanos - nanos / DRIFT_DIVISOR, LONGEST_NANOS);
    }

    /**
     * Whether a rejection can hold for later requests. It cannot if leases may end, or slots be
     * given back, at any time. Nor is it kept beside a gate that is closed, perhaps for longer.
     */
    public static boolean isPossible(Decision.Rejected rejected) {
        CheckResult result = rejected.results().get(0);
        return rejected.results().stream().skip(1).allMatch(CheckResult::admitted)
                && result.remaining() == 0
                && !result.fallback()
                && result.policy().rules().rejectionEndsByClock();
    }

    /**
     * Whether this rejection answers a check. Another cost waits for another time, and another
     * limit may have room.
     */
    public boolean answers(Check other) {
        return check.cost() == other.cost()
                && check.key().equals(other.key())
                && check.policy().equals(other.policy());
    }

    /** Whether it concerns a partition, whatever the limit. */
    public boolean concerns(Policy policy, PartitionKey key) {
        return check.key().equals(key) && check.policy().name().equals(policy.name());
    }

    public boolean holdsAt(long nanos) {
        return nanos - forgottenNanos < 0;
    }

    /**
     * The decision that the store would make now. The waits are measured from the arrival of its
     * reply, so that none is too short.
     */
    public Decision.Rejected decision(long nanos) {
        long passed = Math.max(0, nanos - arrivedNanos) / 1_000;
        CheckResult now = new CheckResult(
                result.policy(),
                false,
                0,
                result.used(),
                0,
                result.retryAfterMicros() - passed,
                result.nextAfterMicros() - passed,
                result.resetAfterMicros() - passed,
                false);
        return new Decision.Rejected(List.of(now), atMicros + passed);
    }
}
