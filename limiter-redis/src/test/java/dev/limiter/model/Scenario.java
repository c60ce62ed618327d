package dev.limiter.model;

import static dev.limiter.Algorithm.CONCURRENCY;
import static dev.limiter.Algorithm.LEAKY_BUCKET;

import dev.limiter.Algorithm;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.Refill;
import dev.limiter.model.Caller.Asks;
import dev.limiter.model.Caller.Peeks;
import dev.limiter.model.Step.Acquire;
import dev.limiter.model.Step.AskTogether;
import dev.limiter.model.Step.Charge;
import dev.limiter.model.Step.Peek;
import dev.limiter.model.Step.Refund;
import dev.limiter.model.Step.Reset;
import dev.limiter.model.Step.Settle;
import dev.limiter.testkit.property.Dice;
import java.util.ArrayList;
import java.util.List;

/**
 * The policies and keys of a history. They are few, so that its steps meet each other.
 *
 * @param families the first is of the algorithm under test; the others keep it company in groups
 */
record Scenario(List<PolicyVariants> families, ClockMotion tempo) {
    private static final List<PartitionKey> KEYS =
            List.of(PartitionKey.of("user", "alice"), PartitionKey.of("user", "bob"));
    private static final int LEASES = 12;

    static Scenario draw(Kind kind, Dice dice) {
        List<PolicyVariants> families = new ArrayList<>();
        families.add(PolicyVariants.draw("tested", kind, dice));
        for (int i = 1; i < 3; i++) {
            Algorithm other = dice.oneOf(Algorithm.values());
            boolean interval = other == Algorithm.TOKEN_BUCKET && dice.chance(50);
            Kind company = new Kind(other, interval ? Refill.INTERVAL : Refill.SMOOTH);
            families.add(PolicyVariants.draw("company" + i, company, dice));
        }
        return new Scenario(families, dice.oneOf(ClockMotion.values()));
    }

    Step step(Dice dice) {
        Policy tested = families.get(0).draw(dice);
        Pause pause = tempo.pause(tested, dice);
        long kind = dice.between(1, 100);
        if (kind <= 10) {
            return new Peek(pause, group(dice));
        }
        if (kind <= 18) {
            return charge(pause, dice);
        }
        if (kind <= 32) {
            return new Refund(pause, dice.oneOf(0, 0, 0, 1, 1, 2, 3, 10));
        }
        if (kind <= 35) {
            return new Reset(pause, tested, key(dice));
        }
        if (kind <= 47) {
            return new Settle(pause, dice.oneOf(0, 0, 0, 1, 1, 2, 3, 10), dice.oneOf(0, 0, 0, 1, 2), used(dice));
        }
        if (kind <= 65) {
            return new AskTogether(pause, callers(dice));
        }
        return new Acquire(pause, groups(dice));
    }

    /** Callers, many of which ask for the same. */
    private List<Caller> callers(Dice dice) {
        List<Caller> kinds = new ArrayList<>();
        for (long count = dice.between(1, 3); count > 0; count--) {
            kinds.add(caller(dice));
        }
        List<Caller> callers = new ArrayList<>();
        for (long count = dice.oneOf(2L, dice.between(1, 8), dice.between(1, 40)); count > 0; count--) {
            callers.add(dice.chance(85) ? dice.oneOf(kinds) : caller(dice));
        }
        return List.copyOf(callers);
    }

    private Caller caller(Dice dice) {
        if (dice.chance(60)) {
            return new Asks(List.of(new CheckGroup(List.of(check(families.get(0).draw(dice), key(dice), dice)))));
        }
        return dice.chance(15) ? new Peeks(group(dice)) : new Asks(groups(dice));
    }

    /** Leases cannot be charged. */
    private Step charge(Pause pause, Dice dice) {
        Policy policy = (dice.chance(80) ? families.get(0) : dice.oneOf(families)).draw(dice);
        if (policy.algorithm() == CONCURRENCY) {
            return new Acquire(pause, groups(dice));
        }
        long capacity = policy.capacity();
        long units = dice.oneOf(
                1L,
                dice.between(1, 10),
                dice.between(1, 2_000),
                dice.between(1, capacity),
                capacity,
                dice.between(1, 3 * capacity),
                2 * capacity + 1,
                (long) Integer.MAX_VALUE);
        return new Charge(pause, policy, key(dice), Math.min(units, Integer.MAX_VALUE));
    }

    private static int used(Dice dice) {
        return dice.oneOf(0, 100, (int) dice.between(1, 99), (int) dice.between(101, 300));
    }

    private List<CheckGroup> groups(Dice dice) {
        List<CheckGroup> groups = new ArrayList<>();
        long count = dice.chance(75) ? 1 : dice.between(2, 4);
        while (groups.size() < count) {
            groups.add(group(dice));
        }
        return List.copyOf(groups);
    }

    private CheckGroup group(Dice dice) {
        int size = dice.oneOf(1, 1, 1, 2, 2, 3);
        PartitionKey key = key(dice);
        List<Check> checks = new ArrayList<>();
        boolean held = false;
        for (PolicyVariants family : families.subList(0, size)) {
            Policy drawn = family.draw(dice);
            boolean waits = drawn.algorithm() == LEAKY_BUCKET && drawn.rejects();
            // A request can wait for one slot only.
            Policy policy = waits && held ? drawn.asShadow() : drawn;
            held |= waits;
            checks.add(check(policy, dice.chance(85) ? key : key(dice), dice));
        }
        return new CheckGroup(checks);
    }

    private static Check check(Policy policy, PartitionKey key, Dice dice) {
        if (policy.algorithm() == CONCURRENCY) {
            return Check.ofLease(policy, key, "lease" + dice.between(1, LEASES));
        }
        long patience =
                dice.oneOf(policy.maxWaitMicros(), policy.maxWaitMicros(), dice.between(0, policy.maxWaitMicros()));
        return new Check(policy, key, cost(policy.maxCost(), dice), "", dice.chance(5) ? 0 : patience);
    }

    private static long cost(long most, Dice dice) {
        long cost = dice.oneOf(
                1L, 1L, 1L, 1L, dice.between(1, 3), dice.between(1, most), most / 2, most / 2 + 1, most - 1, most);
        return Math.max(1, Math.min(cost, most));
    }

    private static PartitionKey key(Dice dice) {
        return dice.oneOf(KEYS.get(0), KEYS.get(0), KEYS.get(0), KEYS.get(1));
    }
}
