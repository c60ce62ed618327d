package dev.limiter.redis.internal.limiter;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.algorithm.Gate;
import dev.limiter.internal.store.CachedRejections;
import dev.limiter.spi.Ask;
import dev.limiter.spi.Layer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Answers for the store with rejections that are certain to hold: the partition is spent, and it
 * is known until when. A rejected caller that goes on asking costs the store a single call, not
 * a call for each request. This limiter never admits. It rejects what the store would admit only
 * after a refund, a reset or a raised limit elsewhere. Then it is late by 10 s at most.
 *
 * <p>It caches rejections of groups that have a single check, perhaps with its gate, and are not
 * {@linkplain CheckGroup#refundable refundable}, on algorithms whose units come back by the
 * clock alone. All other groups are always asked. So are policies that this process asks over
 * several slots of a cluster, {@link #acquireEach}, which renews leases, and {@link #peek}, which
 * serves operators. Refunds, resets and charges through this
 * limiter take effect at once. When a breaker opens or closes, or the store's clock steps, the
 * cache is cleared.
 */
final class RejectionCachingRateLimiter extends Layer implements CachedRejections {
    private final RejectionCache rejections;

    /** Knows whose rejections may be over at any moment; null for a store without slots. */
    private final ClusterRateLimiter cluster;

    private final LongSupplier nanos;

    /**
     * @param limiter asks the store, and decides while it is away
     * @param rejections cleared when replies of the store may not be true any more
     * @param nanos a clock that does not step, in ns
     */
    RejectionCachingRateLimiter(RateLimiter limiter, RejectionCache rejections, LongSupplier nanos) {
        super(limiter);
        this.rejections = rejections;
        this.cluster = limiter.unwrap(ClusterRateLimiter.class).orElse(null);
        this.nanos = nanos;
    }

    @Override
    public <A> A answer(Ask<A> ask) {
        if (!(ask instanceof Ask.Acquire acquire)) {
            return ask.isRead() ? next.answer(ask) : doubted(ask);
        }
        CheckGroup group = acquire.group();
        Check check = group.checks().get(0);
        int row = RejectionCache.row(check.policy(), check.key());
        long askedNanos = nanos.getAsLong();
        boolean caches = caches(group);
        CachedRejection rejection = known(group, row, askedNanos);
        if (rejection != null) {
            return ask.is(besideOpenGates(group, rejection.decision(askedNanos)));
        }
        int place = rejections.slotFor(row, check, askedNanos);
        Object seen = rejections.at(place);
        int seenVersion = rejections.version(row);
        boolean remembers = false;
        try {
            A decision = next.answer(ask);
            if (caches
                    && decision instanceof Decision.Rejected rejected
                    && check.key().text().length() <= RejectionCache.LONGEST_KEY
                    && CachedRejection.isPossible(rejected)) {
                rejections.remember(
                        place, seen, seenVersion, new CachedRejection(check, rejected, askedNanos, nanos.getAsLong()));
                remembers = true;
            }
            return decision;
        } finally {
            if (!remembers) {
                invalidate(ask.checks()); // also when it fails: some may have been charged
            }
        }
    }

    /** The rejection that answers a group; null if none does. */
    private CachedRejection known(CheckGroup group, int row, long atNanos) {
        List<Check> checks = group.checks();
        CachedRejection found = caches(group) ? rejections.find(row, checks.get(0), atNanos) : null;
        return found != null && found.isBesideGateOf(checks) ? found : null;
    }

    /** Whether a group asks a single limit whose rejections are certain to hold. */
    private boolean caches(CheckGroup group) {
        List<Check> checks = group.checks();
        return !group.refundable()
                && (checks.size() == 1
                        || checks.size() == 2
                                && isGate(checks.get(1).policy())
                                && checks.get(1).key().equals(checks.get(0).key()))
                && (cluster == null || !cluster.givesBack(checks.get(0).policy()));
    }

    private static boolean isGate(Policy policy) {
        return policy.algorithm() == Algorithm.GATE;
    }

    /** A gate was open when the store rejected; a group is rejected whether it still is or not. */
    private static Decision.Rejected besideOpenGates(CheckGroup group, Decision.Rejected rejected) {
        if (group.checks().size() == 1) {
            return rejected;
        }
        List<CheckResult> results = new ArrayList<>(rejected.results());
        for (Check gate : group.checks().subList(1, group.checks().size())) {
            results.add(new Gate.Snapshot(true, 0).result(gate, false));
        }
        return new Decision.Rejected(results, rejected.atMicros());
    }

    /** The answer; then, also when it fails, what is known of its checks may have changed. */
    private <A> A doubted(Ask<A> ask) {
        try {
            return next.answer(ask);
        } finally {
            if (ask instanceof Ask.Charge charge && isGate(charge.check().policy())) {
                rejections.clear(); // it may stand beside any limit, and is seldom closed
            }
            invalidate(ask.checks());
        }
    }

    private void invalidate(List<Check> checks) {
        for (int i = 0; i < checks.size(); i++) { // without an iterator: each admission comes here
            rejections.invalidate(checks.get(i).policy(), checks.get(i).key());
        }
    }

    @Override
    public boolean answers(CheckGroup group) {
        Check check = group.checks().get(0);
        return known(group, RejectionCache.row(check.policy(), check.key()), nanos.getAsLong()) != null;
    }

    @Override
    public void forgetAll() {
        rejections.clear();
    }

    @Override
    public void close() {
        super.close();
        rejections.clear();
    }
}
