package dev.limiter.operations.internal;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.Decision;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.jaxrs.internal.bootstrap.OperatedApplication.Candidate;
import dev.limiter.spi.ForwardingRateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Counts whom the limiter rejects, asks the gates of bans, and decides candidates in the same call:
 * they see the same instant, and have states of their own.
 */
final class OperatedRateLimiter extends ForwardingRateLimiter {
    private final Rejections rejections;
    private final Candidates candidates;
    private final Bans bans;
    private final Forgiven forgiven;
    private final Function<Check, Candidate> candidateOf;

    /** @param candidateOf the candidate of a check; null if there is none */
    OperatedRateLimiter(
            RateLimiter limiter,
            Rejections rejections,
            Candidates candidates,
            Bans bans,
            Forgiven forgiven,
            Function<Check, Candidate> candidateOf) {
        super(limiter);
        this.rejections = rejections;
        this.candidates = candidates;
        this.bans = bans;
        this.forgiven = forgiven;
        this.candidateOf = candidateOf;
    }

    @Override
    public Decision acquire(CheckGroup group) {
        forgiven.meet(group);
        return counted(group, Bans.isIn(group) ? acquireGated(group) : acquire(group, group));
    }

    private Decision acquireGated(CheckGroup group) {
        Decision closed = bans.stillClosed(group);
        return closed != null ? closed : bans.decided(group, acquire(group, bans.gated(group)));
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
        boolean hasBan = Bans.isIn(group);
        Decision closed = hasBan ? bans.stillClosed(group) : null;
        if (closed != null) {
            return counted(group, closed);
        }
        Decision decision = hasBan
                ? bans.decided(group, limiter.acquire(bans.gated(group), atMost))
                : limiter.acquire(group, atMost);
        for (Check check : group.checks()) {
            Candidate candidate = candidateOf.apply(check);
            if (candidate != null) {
                candidates.count(candidate, check.key(), limiter.acquire(beside(check, candidate)));
            }
        }
        return counted(group, decision);
    }

    /** One by one if some have bans or candidates, but for leases, which are renewed by this. */
    @Override
    public List<Decision> acquireEach(List<CheckGroup> groups) {
        if (groups.stream().noneMatch(this::isOperated)) {
            return limiter.acquireEach(groups);
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

    private boolean isOperated(CheckGroup group) {
        return group.checks().stream().noneMatch(check -> check.policy().rules().leases())
                && (Bans.isIn(group) || group.checks().stream().anyMatch(check -> candidateOf.apply(check) != null));
    }

    /** @param asked the group, perhaps with gates */
    private Decision acquire(CheckGroup group, CheckGroup asked) {
        List<CheckGroup> all = null;
        List<Candidate> beside = null;
        for (Check check : group.checks()) {
            Candidate candidate = candidateOf.apply(check);
            if (candidate != null) {
                all = all == null ? new ArrayList<>(List.of(asked)) : all;
                beside = beside == null ? new ArrayList<>() : beside;
                all.add(beside(check, candidate));
                beside.add(candidate);
            }
        }
        return all == null ? limiter.acquire(asked) : acquire(all, beside);
    }

    private static CheckGroup beside(Check check, Candidate candidate) {
        long cost = Math.min(check.cost(), candidate.policy().maxCost());
        return CheckGroup.of(new Check(candidate.policy(), check.key(), cost));
    }

    /** @throws StoreUnavailableException for the group in force; a candidate is open then */
    private Decision acquire(List<CheckGroup> groups, List<Candidate> beside) {
        List<Decision> decisions = limiter.acquireEach(groups);
        for (int i = 1; i < decisions.size(); i++) {
            candidates.count(beside.get(i - 1), groups.get(i).checks().get(0).key(), decisions.get(i));
        }
        return decisions.get(0);
    }
}
