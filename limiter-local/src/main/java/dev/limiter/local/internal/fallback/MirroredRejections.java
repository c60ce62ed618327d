package dev.limiter.local.internal.fallback;

import dev.limiter.Check;
import dev.limiter.CheckResult;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Recent rejections by the store. The mirror has recorded them, so that a rejected caller that
 * asks again takes no lock; those of limits that are not {@code LOCAL} it only knows from here.
 * The table has no locks. Where two partitions share a place, a rejection is recorded once more,
 * which changes nothing.
 */
final class MirroredRejections {
    private static final int PLACES = 1 << 10;
    private static final long HELD_MICROS = 1_000_000;

    private final AtomicReferenceArray<Heard> places = new AtomicReferenceArray<>(PLACES);

    private record Heard(Check check, long remaining, long untilMicros) {
        boolean covers(Check other, long micros) {
            long left = untilMicros - micros; // more than a second if the clock has stepped back
            return left > 0
                    && left <= HELD_MICROS
                    && check.policy() == other.policy()
                    && check.key().equals(other.key());
        }
    }

    /**
     * Whether the mirror has to record the rejection. From now on, for a second at most, it
     * counts as recorded.
     *
     * @param result a rejection by the store
     * @param micros the instant of the decision on the store's clock
     */
    boolean isNew(Check check, CheckResult result, long micros) {
        int place = place(check.policy(), check.key());
        Heard heard = places.get(place);
        boolean isSpent = result.remaining() == 0;
        if (isSpent && heard != null && heard.remaining() == 0 && heard.covers(check, micros)) {
            return false;
        }
        long untilMicros = micros + Math.min(HELD_MICROS, result.nextAfterMicros());
        places.set(place, new Heard(check, result.remaining(), untilMicros));
        return true;
    }

    /**
     * Whether the store has rejected such a check lately.
     *
     * @param micros now, on the store's clock
     */
    boolean isRejected(Check check, long micros) {
        Heard heard = places.get(place(check.policy(), check.key()));
        return heard != null && heard.covers(check, micros) && check.cost() > heard.remaining();
    }

    /** The mirror has got units back, so the next rejection is news to it. */
    void forget(Policy policy, PartitionKey key) {
        places.set(place(policy, key), null);
    }

    private static int place(Policy policy, PartitionKey key) {
        return ((int) key.stableHash() ^ policy.hashCode()) & PLACES - 1;
    }
}
