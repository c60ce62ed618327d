package dev.limiter.model;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.calendar.Usage;
import dev.limiter.model.State.Charged;
import dev.limiter.model.State.Refunded;
import dev.limiter.model.Token.Taken;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The limiter as its contract defines it, slow and exact. The other limiters have to answer
 * alike. It has no clock: each call has its instant, in µs since 1970, which may lie before that
 * of the previous call. For one thread.
 */
public final class Model {
    private final Map<Partition, State> states = new HashMap<>();

    /** Decides all checks of a group: either every one that enforces is charged, or none. */
    public Outcome acquire(CheckGroup group, long nowMicros) {
        List<Found> found = find(group, nowMicros);
        Token token = settle(found, nowMicros);
        List<CheckResult> results = new ArrayList<>();
        for (Found each : found) {
            State after = states.get(each.partition);
            results.add(result(each, after == each.kept ? each.state : after, nowMicros));
        }
        return new Outcome(token != null, List.copyOf(results), token);
    }

    /**
     * Decides and charges as {@link #acquire} does, and tells no more than whether it was
     * admitted.
     */
    public boolean admits(CheckGroup group, long nowMicros) {
        return settle(find(group, nowMicros), nowMicros) != null;
    }

    /**
     * The results of {@link #acquire} without charging; {@code remaining} is the quota before
     * the charge.
     */
    public List<CheckResult> peek(CheckGroup group, long nowMicros) {
        List<CheckResult> results = new ArrayList<>();
        for (Found each : find(group, nowMicros)) {
            results.add(result(each, each.state, nowMicros));
        }
        return List.copyOf(results);
    }

    /** Charges units that were known only afterwards. */
    public ChargeResult charge(Policy policy, PartitionKey key, long units, long nowMicros) {
        Found found = find(Check.of(policy, key), nowMicros);
        Charged charged = found.state.charged(units, found.check, nowMicros);
        states.put(found.partition, charged.after() == found.state ? found.kept : charged.after());
        Figures figures = new Figures(charged.after(), found.check, nowMicros);
        long remaining = figures.remaining();
        return new ChargeResult(
                policy,
                charged.units(),
                units - charged.units(),
                remaining,
                policy.capacity() - remaining + charged.after().overage(found.check, nowMicros),
                figures.nextAfterMicros(remaining),
                figures.resetAfterMicros(remaining),
                false);
    }

    /**
     * Gives back what an admission took, each check by itself; whether anything was given back.
     */
    public boolean refund(Token token, long nowMicros) {
        boolean any = false;
        for (Taken taken : token.spend()) {
            Check check = taken.check();
            Partition partition = Partition.of(check.policy(), check.key());
            Refunded refunded = state(partition).refunded(check, taken.after(), nowMicros);
            states.put(partition, refunded.after());
            any |= refunded.any();
        }
        return any;
    }

    /**
     * Corrects the charge of a check to the units that were used: charges those beyond the
     * estimate, gives back the last units of the charge, or does nothing the second time.
     */
    public ChargeResult settle(Token token, Check check, long used, long nowMicros) {
        Policy policy = check.policy();
        Taken taken = token.spend(check);
        if (taken != null && used > check.cost()) {
            return charge(policy, check.key(), used - check.cost(), nowMicros);
        }
        if (taken != null && used < check.cost()) {
            Partition partition = Partition.of(policy, check.key());
            Check unused = new Check(policy, check.key(), check.cost() - used);
            states.put(
                    partition,
                    state(partition).refunded(unused, taken.after(), nowMicros).after());
        }
        CheckGroup one = CheckGroup.of(Check.of(policy, check.key()));
        return ChargeResult.ofNothing(peek(one, nowMicros).get(0));
    }

    /** Forgets what a policy counted for a key. */
    public void reset(Policy policy, PartitionKey key) {
        states.remove(Partition.of(policy, key));
    }

    /** What a policy has counted for a key in a period of the calendar. */
    public Usage usage(Policy policy, PartitionKey key, Usage.Period which, long nowMicros) {
        FixedWindow state = (FixedWindow) state(Partition.of(policy, key));
        return state.usage(Check.of(policy, key), which, nowMicros);
    }

    private List<Found> find(CheckGroup group, long nowMicros) {
        List<Found> found = new ArrayList<>();
        for (Check check : group.checks()) {
            found.add(find(check, nowMicros));
        }
        return found;
    }

    private Found find(Check check, long nowMicros) {
        Partition partition = Partition.of(check.policy(), check.key());
        State before = state(partition);
        State repaired = before.repaired(check, nowMicros);
        return new Found(check, partition, repaired, repaired.kept(before, nowMicros), repaired.fits(check, nowMicros));
    }

    private State state(Partition partition) {
        State state = states.get(partition);
        return state == null ? partition.fresh() : state;
    }

    /**
     * Keeps repaired states in any case. Charges the checks if all that enforce fit; returns
     * null if not.
     */
    private Token settle(List<Found> found, long nowMicros) {
        boolean admitted = true;
        for (Found each : found) {
            states.put(each.partition, each.kept);
            admitted &= each.fits || !each.check.policy().rejects();
        }
        if (!admitted) {
            return null;
        }
        List<Taken> taken = new ArrayList<>();
        for (Found each : found) {
            if (each.fits) {
                State after = each.state.taken(each.check, nowMicros);
                states.put(each.partition, after);
                taken.add(new Taken(each.check, after));
            }
        }
        return new Token(taken);
    }

    private static CheckResult result(Found found, State after, long nowMicros) {
        Figures figures = new Figures(after, found.check, nowMicros);
        long remaining = figures.remaining();
        return new CheckResult(
                found.check.policy(),
                found.fits,
                remaining,
                found.check.policy().capacity() - remaining + after.overage(found.check, nowMicros),
                found.fits ? found.state.waitMicros(found.check, nowMicros) : 0,
                found.fits ? 0 : figures.retryAfterMicros(),
                figures.nextAfterMicros(remaining),
                figures.resetAfterMicros(remaining),
                false);
    }

    /**
     * A check with the state that it found, repaired after a step of the clock, before any
     * charge.
     *
     * @param kept what is stored of it without a charge
     */
    private record Found(Check check, Partition partition, State state, State kept, boolean fits) {}
}
