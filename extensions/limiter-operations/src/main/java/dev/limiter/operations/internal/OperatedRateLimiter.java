package dev.limiter.operations.internal;

import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.spi.ForwardingRateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Counts whom the limiter rejects, asks the gates of bans, and decides candidates in the same call:
 * they see the same instant, and have states of their own.
 */
final class OperatedRateLimiter extends ForwardingRateLimiter {
    private final Rejections rejections;
    private final Candidates candidates;
    private final Bans bans;
    private final Forgiven forgiven;

    OperatedRateLimiter(
            RateLimiter limiter, Rejections rejections, Candidates candidates, Bans bans, Forgiven forgiven) {
        super(limiter);
        this.rejections = rejections;
        this.candidates = candidates;
        this.bans = bans;
        this.forgiven = forgiven;
    }

    @Override
    public Decision acquire(CheckGroup group) {
        forgiven.meet(group);
        return counted(group, bans.acquire(group, asked -> acquire(group, asked)));
    }

    private Decision counted(CheckGroup group, Decision decision) {
        if (decision instanceof Decision.Rejected rejected) {
            rejections.count(group, rejected);
        }
        return decision;
    }

    /** A wait is one request: its end counts, and is when candidates decide it. */
    @Override
    public Decision acquire(CheckGroup group, Duration atMost) throws InterruptedException {
        forgiven.meet(group);
        return counted(group, bans.<InterruptedException>acquire(group, asked -> {
            Decision decision = limiter.acquire(asked, atMost);
            candidates.of(group).forEach(each -> candidates.count(each, limiter.acquire(each.asked())));
            return decision;
        }));
    }

    /** One by one if some have bans or candidates, but for leases, which are renewed by this. */
    @Override
    public List<Decision> acquireEach(List<CheckGroup> groups) {
        if (groups.stream().noneMatch(this::isOperated)) {
            groups.forEach(forgiven::meet);
            List<Decision> together = limiter.acquireEach(groups);
            for (int i = 0; i < together.size(); i++) {
                if (!isRenewal(groups.get(i))) {
                    counted(groups.get(i), together.get(i));
                }
            }
            return together;
        }
        List<Optional<Decision>> made = new ArrayList<>();
        StoreUnavailableException failure = null;
        for (CheckGroup group : groups) {
            try {
                made.add(Optional.of(acquire(group)));
            } catch (StoreUnavailableException unavailable) {
                failure = unavailable;
                made.add(Optional.empty());
            }
        }
        if (failure != null) {
            throw failure.withDecisions(made);
        }
        return made.stream().map(Optional::orElseThrow).toList();
    }

    private static boolean isRenewal(CheckGroup group) {
        return group.checks().stream().allMatch(check -> check.policy().rules().leases());
    }

    private boolean isOperated(CheckGroup group) {
        return !isRenewal(group)
                && (bans.gated(group) != group || !candidates.of(group).isEmpty());
    }

    @Override
    public List<CheckResult> peek(CheckGroup group) {
        forgiven.meet(group);
        return bans.peek(group);
    }

    /** @param asked the group, perhaps with gates */
    private Decision acquire(CheckGroup group, CheckGroup asked) {
        List<Candidates.Beside> beside = candidates.of(group);
        if (beside.isEmpty()) {
            return limiter.acquire(asked);
        }
        List<CheckGroup> all = new ArrayList<>(List.of(asked));
        beside.forEach(each -> all.add(each.asked()));
        List<Decision> decisions = limiter.acquireEach(all); // throws for the group alone: candidates are OPEN
        for (int i = 0; i < beside.size(); i++) {
            candidates.count(beside.get(i), decisions.get(i + 1));
        }
        return decisions.get(0);
    }
}
