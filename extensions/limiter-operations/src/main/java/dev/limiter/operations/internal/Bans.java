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
import dev.limiter.internal.store.CachedRejections;
import dev.limiter.internal.store.InstanceRecord;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Layer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Closes partitions that go on asking. A limit with a ban is asked together with a gate, which is
 * closed during the ban. Rejections are counted in a window of their own. The one that reaches the
 * number of the ban closes the gate. While it is closed, the gate is asked alone, and its
 * rejections are cached.
 *
 * <p>Rejections that the cache answers are counted here, and charged together: with the next call
 * of the store for this partition, or when they reach the number of the ban.
 */
final class Bans extends Layer implements InstanceRecord {
    private static final int MOST_KNOWN = 10_000;
    private static final int LONGEST_KEY = 256;

    private final InstanceRecord record;
    private final Map<Policy, Beside> known = new ConcurrentHashMap<>();

    /** What this instance knows of a partition that was rejected. */
    private static final class Rejected {
        /** Rejections until the ban, as the store last said; 0 for a banned partition. */
        private volatile long left = 1;

        private long window = -1;
        private long uncharged;

        /**
         * How many rejections are to be charged now.
         *
         * @param counted what is charged
         * @param asked whether the store has decided, and no cached rejection
         */
        synchronized long due(Check counted, CheckResult result, long atMicros, boolean asked) {
            long now = Math.floorDiv(
                    atMicros - counted.phaseMicros(), counted.policy().windowMicros());
            if (window != now) {
                window = now;
                left = counted.policy().limit();
                uncharged = 0;
            }
            uncharged += result.admitted() ? 0 : 1;
            long due = asked || uncharged >= left ? uncharged : 0;
            uncharged -= due;
            return due;
        }
    }

    /** What stands beside a limit with a ban. */
    private record Beside(Policy gate, Policy rejections, Map<PartitionKey, Rejected> rejected) {
        static Beside of(Policy policy) {
            return new Beside(policy.gate(), Bans.rejections(policy), new ConcurrentHashMap<>());
        }

        /** Of a partition with a long key nothing is kept, and nothing is cached. */
        Rejected of(PartitionKey key) {
            if (key.text().length() > LONGEST_KEY) {
                return new Rejected();
            }
            if (rejected.size() >= MOST_KNOWN) {
                rejected.clear(); // most have not come back; the others ask the store once
            }
            return rejected.computeIfAbsent(key, none -> new Rejected());
        }
    }

    Bans(RateLimiter next) {
        super(next);
        this.record = next.unwrap(InstanceRecord.class).orElse((policy, key) -> {});
    }

    private static Ban of(Policy policy) {
        return policy.members().get(PolicyMember.BAN);
    }

    /** The gate and the rejections of a limit; null without a ban. */
    private Beside beside(Policy policy) {
        if (known.size() > MOST_KNOWN) {
            known.clear(); // those of earlier numbers go, and those in use come back
        }
        return policy.rejects() && of(policy) != null ? known.computeIfAbsent(policy, Beside::of) : null;
    }

    private static Policy rejections(Policy policy) {
        return Policy.of(
                policy.name() + ".rejections",
                Algorithm.FIXED_WINDOW,
                of(policy).rejections(),
                policy.window());
    }

    /** The gates of a group follow its checks, in their order; the same group if it has no ban. */
    CheckGroup gated(CheckGroup group) {
        List<Check> checks = group.checks();
        for (Check check : group.checks()) {
            Beside beside = beside(check.policy());
            if (beside != null) {
                checks = checks == group.checks() ? new ArrayList<>(checks) : checks;
                checks.add(Check.of(beside.gate(), check.key()));
            }
        }
        return checks == group.checks() ? group : new CheckGroup(checks, group.refundable());
    }

    @Override
    public <A> A answer(Ask<A> ask) {
        if (ask instanceof Ask.Acquire acquire) {
            return ask.is(acquire(acquire));
        }
        if (ask instanceof Ask.AcquireEach each && each.groups().stream().anyMatch(group -> gated(group) != group)) {
            return ask.is(GroupDecisions.oneByOne(each.groups(), group -> acquire(new Ask.Acquire(group, null))));
        }
        return ask instanceof Ask.Peek peek ? ask.is(peeked(peek.group())) : next.answer(ask);
    }

    /** The decision on a group; its limits with a ban are asked together with their gates. */
    private Decision acquire(Ask.Acquire ask) {
        CheckGroup group = ask.group();
        CheckGroup gated = gated(group);
        if (gated == group) {
            return next.answer(ask);
        }
        boolean cached = next.unwrap(CachedRejections.class)
                .map(each -> each.answers(gated))
                .orElse(false);
        Decision closed = stillClosed(group);
        return closed == null ? decided(group, next.answer(new Ask.Acquire(gated, ask.budget())), !cached) : closed;
    }

    /**
     * A rejection of a partition that is known to be banned; null if none is. The other checks are
     * not asked: they say that nothing of theirs is used.
     */
    private Decision stillClosed(CheckGroup group) {
        for (int i = 0; i < group.checks().size(); i++) {
            Check check = group.checks().get(i);
            Beside beside = beside(check.policy());
            Rejected last = beside == null ? null : beside.rejected().get(check.key());
            if (last != null && last.left == 0) {
                Decision ofGate = next.acquire(CheckGroup.of(Check.of(beside.gate(), check.key())));
                if (ofGate instanceof Decision.Rejected rejected) {
                    List<CheckResult> results = new ArrayList<>();
                    group.checks().forEach(other -> results.add(CheckResult.notChecked(other.policy())));
                    results.set(i, closed(check.policy(), rejected.results().get(0)));
                    return new Decision.Rejected(results, rejected.atMicros());
                }
                beside.rejected().remove(check.key());
            }
        }
        return null;
    }

    /** What is left of a group; of a banned partition, what {@link #stillClosed} would say. */
    private List<CheckResult> peeked(CheckGroup group) {
        return withoutGates(group, next.peek(gated(group)));
    }

    /** The decision on a group without its gates. Counts what its limits rejected. */
    private Decision decided(CheckGroup group, Decision ofGated, boolean asked) {
        List<CheckResult> results = withoutGates(group, ofGated.results());
        boolean banned = !ofGated.results().subList(0, results.size()).equals(results);
        for (int i = 0; i < results.size() && !banned; i++) {
            count(group.checks().get(i), results.get(i), ofGated.atMicros(), asked);
        }
        return ofGated instanceof Decision.Admitted admitted
                ? new Decision.Admitted(results, admitted.atMicros(), admitted.receipt())
                : new Decision.Rejected(results, ofGated.atMicros());
    }

    /** The results of a group; that of a banned partition is what its gate says. */
    private List<CheckResult> withoutGates(CheckGroup group, List<CheckResult> ofGated) {
        List<CheckResult> results =
                new ArrayList<>(ofGated.subList(0, group.checks().size()));
        int gate = results.size();
        for (int i = 0; i < group.checks().size(); i++) {
            Check check = group.checks().get(i);
            Beside beside = beside(check.policy());
            if (beside != null) {
                CheckResult ofGate = ofGated.get(gate++);
                if (!ofGate.admitted()) {
                    beside.of(check.key()).left = 0;
                    results.set(i, closed(check.policy(), ofGate));
                }
            }
        }
        return results;
    }

    private static CheckResult closed(Policy policy, CheckResult ofGate) {
        long micros = ofGate.retryAfterMicros();
        return new CheckResult(policy, false, 0, policy.capacity(), 0, micros, micros, micros, ofGate.fallback());
    }

    private void count(Check check, CheckResult result, long atMicros, boolean asked) {
        Beside beside = beside(check.policy());
        if (beside == null
                || result.fallback()
                || result.admitted() && !beside.rejected().containsKey(check.key())) {
            return;
        }
        Check counted = Check.of(beside.rejections(), check.key());
        long due = beside.of(check.key()).due(counted, result, atMicros, asked);
        if (due == 0) {
            return;
        }
        try {
            ChargeResult charged = next.charge(beside.rejections(), check.key(), due);
            // In memory, an instance of several bans after its part of the rejections.
            if (charged.fallback()) {
                return;
            }
            beside.of(check.key()).left = charged.remaining();
            if (charged.remaining() == 0) {
                next.closeGate(check.policy(), check.key(), of(check.policy()).span());
                next.reset(beside.rejections(), check.key());
            }
        } catch (StoreUnavailableException away) {
            // The rejections stand, and are not counted.
        }
    }

    /** Opens a partition, and forgets its rejections, also while the limit rejects nothing. */
    void forgive(Policy policy, PartitionKey key) {
        if (of(policy) != null) {
            next.reset(policy.gate(), key);
            next.reset(rejections(policy), key);
            known.getOrDefault(policy, Beside.of(policy)).rejected().remove(key);
        }
    }

    /** Forgets what only this instance knows. */
    @Override
    public void forget(Policy policy, PartitionKey key) {
        record.forget(policy, key);
        if (of(policy) != null) {
            record.forget(policy.gate(), key);
            known.getOrDefault(policy, Beside.of(policy)).rejected().remove(key);
        }
    }
}
