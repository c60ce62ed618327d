package dev.limiter.redis.internal.limiter;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A rejection by the store, and until when it is known that the store would say the same. The policy has
 * nothing left. So the store cannot have admitted a request since, whatever its cost. The answer is still true. Its waits are
 * shorter by the time that has passed.
 *
 * <p>GCRA, 5 per 10 s, spent: rejected, {@code nextAfter} and {@code retryAfter} 2 s. One second later the same request is
 * rejected with both 1 s, and from 1.998 s on the store is asked.
 */
public final class CachedRejection {

    /** Two clocks that both measure time differ by less: a clock that is of use drifts by a tenth of that. */
    private static final int DRIFT_DIVISOR = 1_000;

    /** After this time the limiter hears of a reset, a raised limit or a refund elsewhere, also by hand in Redis. */
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Check demand;
    private final CheckResult answer;
    private final long atMicros;
    private final long arrivedNanos;
    private final long forgottenNanos;

    /**
     * @param demand the only one of its group
     * @param askedNanos when the store was asked, on a clock that does not step
     * @param arrivedNanos when its answer was there; the decision lies between
     */
    public CachedRejection(Check demand, Decision.Rejected rejected, long askedNanos, long arrivedNanos) {
        this.demand = demand;
        this.answer = rejected.answers().get(0);
        this.atMicros = rejected.atMicros();
        this.arrivedNanos = arrivedNanos;
        this.forgottenNanos = askedNanos + validNanos(answer);
    }

    /** The store has one unit more after {@code nextAfter}, and not before; never later than the request fits. */
    private static long validNanos(CheckResult answer) {
        long micros = Math.min(answer.nextAfterMicros(), TimeUnit.NANOSECONDS.toMicros(2 * LONGEST_NANOS));
        long nanos = TimeUnit.MICROSECONDS.toNanos(micros);
        return Math.min(nanos - nanos / DRIFT_DIVISOR, LONGEST_NANOS);
    }

    /** Whether a rejection says anything of later requests: leases end, and slots are given back, at any time. */
    public static boolean isPossible(Decision.Rejected rejected) {
        CheckResult answer = rejected.answers().get(0);
        return answer.remaining() == 0
                && !answer.fallback()
                && answer.policy().rules().rejectionEndsByClock();
    }

    /** Whether it was the same that was asked: another cost waits for another time, and other numbers may have room. */
    public boolean answers(Check other) {
        return demand.cost() == other.cost()
                && isOf(other.key())
                && (demand.policy() == other.policy() || demand.policy().equals(other.policy()));
    }

    /** Whether it speaks of a partition, whatever numbers it is asked with. */
    public boolean concerns(Policy policy, PartitionKey key) {
        return isOf(key) && demand.policy().name().equals(policy.name());
    }

    private boolean isOf(PartitionKey key) {
        return demand.key() == key || demand.key().equals(key);
    }

    public boolean holdsAt(long nanos) {
        return nanos - forgottenNanos < 0;
    }

    /** What the store would say now; the waits are measured from when its answer was there, so that none is too short. */
    public Decision.Rejected decision(long nanos) {
        long passed = Math.max(0, nanos - arrivedNanos) / 1_000;
        CheckResult now = new CheckResult(
                answer.policy(),
                false,
                0,
                answer.retryAfterMicros() - passed,
                answer.nextAfterMicros() - passed,
                answer.resetAfterMicros() - passed);
        return new Decision.Rejected(List.of(now), atMicros + passed);
    }
}
