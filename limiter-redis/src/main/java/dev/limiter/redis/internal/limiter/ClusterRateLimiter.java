package dev.limiter.redis.internal.limiter;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.StoreUnavailableException;
import dev.limiter.internal.store.Receipt;
import dev.limiter.redis.internal.topology.Timeouts;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Layer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * Limits in a cluster, where a script can reach one slot only. The partitions of one key share a
 * slot, so most groups are one call. Others are decided slot by slot. When a later slot rejects,
 * the units of the earlier slots are given back. So a limit never admits too much, and for a
 * moment perhaps too little. Leases that were held before are not given back: the work that they
 * count runs on.
 *
 * <p>The slot that has least left for the request is asked first, by what this process last
 * heard. So a caller whose own limit is spent charges no limit that it shares with others. If
 * two slots or more are unknown, all of them but the tightest are peeked at before.
 *
 * <p>A node that is down leaves only those groups undecided that need one of its slots.
 */
final class ClusterRateLimiter extends Layer {
    private static final Receipt NOTHING = new Receipt(List.of(), List.of(), 0);

    /** More names of policies than any application has. */
    private static final int MAX_NAMES = 10_000;

    private final RedisRateLimiter redis;
    private final ToIntFunction<Check> slots;
    private final Timeouts timeouts;
    private final LongSupplier nanos;
    private final LastRemaining remaining = new LastRemaining();

    /** The names of policies that were asked in groups over several slots. */
    private final Set<String> acrossSlots = ConcurrentHashMap.newKeySet();

    /**
     * @param redis decides groups that lie in one slot; with the same clock
     * @param slots the slot where a partition lies
     * @param nanos a clock that does not step, in ns
     */
    ClusterRateLimiter(RedisRateLimiter redis, ToIntFunction<Check> slots, Timeouts timeouts, LongSupplier nanos) {
        super(redis);
        this.redis = redis;
        this.slots = slots;
        this.timeouts = timeouts;
        this.nanos = nanos;
    }

    @Override
    public <A> A answer(Ask<A> ask) {
        if (ask instanceof Ask.Acquire acquire) {
            List<SlotGroup> parts = parts(acquire.group());
            return parts.size() == 1 ? next.answer(ask) : ask.is(acquire(acquire.group(), parts, nanos.getAsLong()));
        }
        if (ask instanceof Ask.AcquireEach each) {
            return ask.is(decideEach(each.groups()));
        }
        if (ask instanceof Ask.Peek peek) {
            List<SlotGroup> parts = parts(peek.group());
            return parts.size() == 1 ? next.answer(ask) : ask.is(peek(peek.group(), parts));
        }
        if (ask instanceof Ask.GiveBack back && back.thenPeek() == null) {
            return ask.is(giveBack(back.receipt()));
        }
        return next.answer(ask); // about a single partition
    }

    /**
     * Whether a rejection by this policy may be over at any moment: this process asks it in
     * groups over several slots, which give back what they took when a later slot rejects.
     */
    boolean givesBack(Policy policy) {
        return acrossSlots.contains(policy.name()) || acrossSlots.size() >= MAX_NAMES;
    }

    private Decision acquire(CheckGroup group, List<SlotGroup> parts, long began) {
        for (Check check : group.checks()) {
            if (!givesBack(check.policy())) {
                acrossSlots.add(check.policy().name());
            }
        }
        order(parts, began);
        List<Decision.Admitted> taken = new ArrayList<>(parts.size());
        CheckResult[] results = new CheckResult[group.checks().size()];
        long at = 0;
        for (SlotGroup part : parts) {
            Decision decision = acquire(part, taken, began);
            part.put(decision.results(), results);
            at = decision.atMicros();
            if (decision instanceof Decision.Admitted admission) {
                taken.add(admission);
            } else {
                giveBack(taken);
                parts.stream().filter(other -> other != part).forEach(other -> other.put(peek(other, began), results));
                return new Decision.Rejected(List.of(results), at);
            }
        }
        List<Receipt> receipts = taken.stream().map(Decision.Admitted::receipt).toList();
        return new Decision.Admitted(List.of(results), at, Receipt.joined(receipts));
    }

    /**
     * Puts the slot that is most likely to reject first. A rejection by the first slot has
     * nothing to give back. Peeks take an eighth of the deadline, and end the one that is under
     * way then.
     */
    private void order(List<SlotGroup> parts, long began) {
        parts.forEach(part -> part.room = remaining.room(part.checks));
        parts.sort(SlotGroup.ORDER);
        boolean isFirst = true;
        for (SlotGroup part : parts) {
            if (part.rejects() && part.room == LastRemaining.UNKNOWN) {
                if (!isFirst && nanos.getAsLong() - began <= timeouts.deadlineMillis() * 125_000L) {
                    peek(part, began);
                    part.room = remaining.room(part.checks);
                }
                isFirst = false;
            }
        }
        parts.sort(SlotGroup.ORDER);
    }

    /**
     * Decides the group of a slot. Shadows that cannot be asked do not reject what the others
     * have admitted.
     */
    private Decision acquire(SlotGroup part, List<Decision.Admitted> taken, long began) {
        try {
            if (isLate(began)) {
                throw new StoreUnavailableException("no time is left to ask another slot of the cluster", null);
            }
            Decision decision = redis.acquire(part.group(), began);
            remaining.saw(part.checks, decision.results());
            return decision;
        } catch (StoreUnavailableException unavailable) {
            remaining.sawNone(part.checks);
            if (part.isShadow() && !taken.isEmpty()) {
                return new Decision.Admitted(
                        part.notChecked(), taken.get(taken.size() - 1).atMicros(), NOTHING);
            }
            giveBack(taken);
            throw unavailable;
        }
    }

    /** Whether the deadline, which holds for all slots of a decision, has passed. */
    private boolean isLate(long began) {
        return !timeouts.leaveTimeForAnotherCall(nanos.getAsLong() - began);
    }

    /**
     * Gives back what was taken. Units of a slot that cannot be reached are lost. Leases that
     * were held before stay.
     */
    private void giveBack(List<Decision.Admitted> taken) {
        for (Decision.Admitted admission : taken) {
            remaining.forget(admission.receipt().checks());
            try {
                redis.refund(admission.receipt().withoutRenewals());
            } catch (StoreUnavailableException unreachable) {
                // The decision under way does not depend on it, and reports its own failure.
            }
        }
    }

    /**
     * Peeks at a slot. If it cannot be reached in time, the results are
     * {@link SlotGroup#notChecked}, and the slot counts as one that rejects.
     */
    private List<CheckResult> peek(SlotGroup part, long began) {
        try {
            if (!isLate(began)) {
                List<CheckResult> seen = redis.peek(part.group(), began);
                remaining.saw(part.checks, seen);
                return seen;
            }
        } catch (StoreUnavailableException unreachable) {
            remaining.sawNone(part.checks);
        }
        return part.notChecked();
    }

    /**
     * Groups of one slot share a call. A group of several slots is decided after all groups
     * before it.
     */
    private GroupDecisions decideEach(List<CheckGroup> groups) {
        Series series = new Series(groups);
        Map<Integer, List<Integer>> waiting = new LinkedHashMap<>();
        for (int i = 0; i < groups.size(); i++) {
            List<SlotGroup> parts = parts(groups.get(i));
            if (parts.size() == 1) {
                waiting.computeIfAbsent(slots.applyAsInt(groups.get(i).checks().get(0)), slot -> new ArrayList<>())
                        .add(i);
            } else {
                waiting.values().forEach(series::acquire);
                waiting.clear();
                series.acquire(i, parts);
            }
        }
        waiting.values().forEach(series::acquire);
        return series.decisions();
    }

    /**
     * The groups of one call. A slot that cannot be reached leaves only its own groups
     * undecided.
     */
    private final class Series {
        private final List<CheckGroup> groups;
        private final List<Optional<Decision>> decisions;
        private StoreUnavailableException failure;

        Series(List<CheckGroup> groups) {
            this.groups = groups;
            this.decisions = new ArrayList<>(Collections.nCopies(groups.size(), Optional.empty()));
        }

        /** Decides groups of one slot. */
        void acquire(List<Integer> together) {
            GroupDecisions some = next.answer(
                    new Ask.AcquireEach(together.stream().map(groups::get).toList()));
            for (int i = 0; i < together.size(); i++) {
                decisions.set(together.get(i), some.made().get(i));
            }
            failure = some.failure() == null ? failure : some.failure();
        }

        /**
         * Decides a group of several slots. If a slot cannot be reached, the leases held in the
         * others are still renewed, while there is time. Later slots come first, since they have
         * not been asked yet.
         */
        void acquire(int i, List<SlotGroup> parts) {
            long began = nanos.getAsLong();
            try {
                decisions.set(i, Optional.of(ClusterRateLimiter.this.acquire(groups.get(i), parts, began)));
            } catch (StoreUnavailableException unavailable) {
                failure = unavailable;
                Collections.reverse(parts);
                parts.forEach(part -> renew(part, began));
            }
        }

        GroupDecisions decisions() {
            return new GroupDecisions(decisions, failure);
        }
    }

    /** Renews the leases of a part that are held, and takes no others. */
    private void renew(SlotGroup part, long began) {
        List<Check> leases = part.leases();
        try {
            if (!leases.isEmpty()
                    && !isLate(began)
                    && redis.acquire(new CheckGroup(leases), began) instanceof Decision.Admitted admission) {
                giveBack(List.of(admission));
            }
        } catch (StoreUnavailableException unreachable) {
            // The group is undecided already, and its other leases are renewed.
        }
    }

    private List<CheckResult> peek(CheckGroup group, List<SlotGroup> parts) {
        CheckResult[] results = new CheckResult[group.checks().size()];
        long began = nanos.getAsLong();
        parts.forEach(part -> part.put(redis.peek(part.group(), began), results));
        return List.of(results);
    }

    /** Gives back in all slots; a slot that cannot be reached does not stop the others. */
    private Ask.GiveBack.Given giveBack(Receipt receipt) {
        Map<Integer, List<Receipt.Item>> items = new LinkedHashMap<>();
        for (Receipt.Item item : receipt.unspent()) {
            items.computeIfAbsent(slots.applyAsInt(item.check()), slot -> new ArrayList<>())
                    .add(item);
        }
        boolean given = false;
        StoreUnavailableException unreachable = null;
        for (List<Receipt.Item> together : items.values()) {
            try {
                given |= redis.refund(receipt.only(together));
            } catch (StoreUnavailableException unavailable) {
                unreachable = unavailable;
            }
        }
        if (unreachable != null) {
            throw unreachable;
        }
        return new Ask.GiveBack.Given(given, null);
    }

    private List<SlotGroup> parts(CheckGroup group) {
        Map<Integer, SlotGroup> parts = new LinkedHashMap<>();
        List<Check> checks = group.checks();
        for (int i = 0; i < checks.size(); i++) {
            parts.computeIfAbsent(slots.applyAsInt(checks.get(i)), slot -> new SlotGroup())
                    .add(checks.get(i), i);
        }
        return new ArrayList<>(parts.values());
    }
}
