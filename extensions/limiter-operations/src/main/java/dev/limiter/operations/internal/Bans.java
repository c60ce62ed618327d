package dev.limiter.operations.internal;

import dev.limiter.Algorithm;
import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.internal.algorithm.Ban;
import dev.limiter.internal.algorithm.PolicyMember;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Closes partitions that go on asking. A limit with a ban is asked together with a gate, which is
 * closed during the ban. Rejections are counted in a window of their own. The one that reaches the
 * number of the ban closes the gate. While it is closed, the gate is asked alone, and its
 * rejections are cached.
 */
final class Bans {
    private static final int MOST_KNOWN = 10_000;
    private static final int LONGEST_KEY = 256;

    private final RateLimiter limiter;
    private final Map<Policy, Beside> known = new ConcurrentHashMap<>();

    /**
     * What stands beside a limit with a ban.
     *
     * @param closed partitions that were banned when this instance last asked
     */
    record Beside(Policy gate, Policy rejections, Set<PartitionKey> closed) {
        /** A long key is asked of the store each time. */
        private void remember(PartitionKey key) {
            if (key.text().length() > LONGEST_KEY) {
                return;
            }
            if (closed.size() >= MOST_KNOWN) {
                closed.clear(); // most have not come back; the others ask the store once
            }
            closed.add(key);
        }
    }

    Bans(RateLimiter limiter) {
        this.limiter = limiter;
    }

    private static Ban of(Policy policy) {
        return policy.members().get(PolicyMember.BAN);
    }

    private static boolean isEnforced(Policy policy) {
        return policy.rejects() && of(policy) != null;
    }

    static boolean isIn(CheckGroup group) {
        for (Check check : group.checks()) {
            if (isEnforced(check.policy())) {
                return true;
            }
        }
        return false;
    }

    /** The gate and the rejections of a limit; null without a ban. */
    private Beside beside(Policy policy) {
        if (!isEnforced(policy)) {
            return null;
        }
        Beside there = known.get(policy);
        if (there == null) {
            there = new Beside(policy.gate(), rejections(policy), ConcurrentHashMap.newKeySet());
            if (known.size() >= MOST_KNOWN) {
                known.clear(); // those of earlier numbers go, and those in use come back
            }
            known.put(policy, there);
        }
        return there;
    }

    private static Policy rejections(Policy policy) {
        return Policy.of(
                policy.name() + ".rejections",
                Algorithm.FIXED_WINDOW,
                of(policy).rejections(),
                policy.window());
    }

    /** What is asked for a group: the gates follow its checks, in their order. */
    CheckGroup gated(CheckGroup group) {
        List<Check> checks = new ArrayList<>(group.checks());
        for (Check check : group.checks()) {
            Beside beside = beside(check.policy());
            if (beside != null) {
                checks.add(Check.of(beside.gate(), check.key()));
            }
        }
        return new CheckGroup(checks, group.refundable());
    }

    /** A rejection of a partition that is known to be banned; null if none is. */
    Decision stillClosed(CheckGroup group) {
        for (int i = 0; i < group.checks().size(); i++) {
            Check check = group.checks().get(i);
            Beside beside = beside(check.policy());
            if (beside != null && beside.closed().contains(check.key())) {
                Decision ofGate = limiter.acquire(CheckGroup.of(Check.of(beside.gate(), check.key())));
                if (ofGate instanceof Decision.Rejected rejected) {
                    CheckResult result =
                            closed(check.policy(), rejected.results().get(0));
                    return new Decision.Rejected(besideOthers(group, i, result), rejected.atMicros());
                }
                beside.closed().remove(check.key());
            }
        }
        return null;
    }

    /** The others were not asked: they say that nothing of theirs is used. */
    private static List<CheckResult> besideOthers(CheckGroup group, int rejected, CheckResult result) {
        List<CheckResult> results = new ArrayList<>();
        for (int i = 0; i < group.checks().size(); i++) {
            results.add(
                    i == rejected
                            ? result
                            : CheckResult.notChecked(group.checks().get(i).policy()));
        }
        return results;
    }

    /** What is left of a group; of a banned partition, what {@link #stillClosed} would say. */
    List<CheckResult> peek(CheckGroup group) {
        return withoutGates(group, limiter.peek(gated(group)));
    }

    /** The decision on a group without its gates. Counts what its limits rejected. */
    Decision decided(CheckGroup group, Decision ofGated) {
        List<CheckResult> results = withoutGates(group, ofGated.results());
        boolean banned = false;
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) != ofGated.results().get(i)) {
                banned = true;
                Check check = group.checks().get(i);
                beside(check.policy()).remember(check.key());
            }
        }
        if (ofGated instanceof Decision.Admitted admitted) {
            return new Decision.Admitted(results, admitted.atMicros(), admitted.receipt());
        }
        for (int i = 0; i < results.size() && !banned; i++) {
            count(group.checks().get(i), results.get(i));
        }
        return new Decision.Rejected(results, ((Decision.Rejected) ofGated).atMicros());
    }

    /** The results of a group; that of a banned partition is what its gate says. */
    private List<CheckResult> withoutGates(CheckGroup group, List<CheckResult> ofGated) {
        List<CheckResult> results =
                new ArrayList<>(ofGated.subList(0, group.checks().size()));
        int gate = results.size();
        for (int i = 0; i < group.checks().size(); i++) {
            Policy policy = group.checks().get(i).policy();
            if (beside(policy) != null) {
                CheckResult ofGate = ofGated.get(gate++);
                if (!ofGate.admitted()) {
                    results.set(i, closed(policy, ofGate));
                }
            }
        }
        return results;
    }

    private static CheckResult closed(Policy policy, CheckResult ofGate) {
        long micros = ofGate.retryAfterMicros();
        return new CheckResult(policy, false, 0, policy.capacity(), 0, micros, micros, micros, ofGate.fallback());
    }

    private void count(Check check, CheckResult result) {
        Beside beside = beside(check.policy());
        if (beside == null || result.admitted() || result.fallback()) {
            return;
        }
        try {
            ChargeResult charged = limiter.charge(beside.rejections(), check.key(), 1);
            // In memory, an instance of several bans after its part of the rejections.
            if (charged.remaining() == 0 && !charged.fallback()) {
                limiter.closeGate(
                        check.policy(), check.key(), of(check.policy()).span());
                limiter.reset(beside.rejections(), check.key());
                beside.remember(check.key());
            }
        } catch (StoreUnavailableException away) {
            // The rejection stands, and is not counted.
        }
    }

    /** Opens a partition, and forgets its rejections, also while the limit rejects nothing. */
    void forgive(Check check) {
        if (of(check.policy()) != null) {
            limiter.reset(check.policy().gate(), check.key());
            limiter.reset(rejections(check.policy()), check.key());
        }
    }
}
