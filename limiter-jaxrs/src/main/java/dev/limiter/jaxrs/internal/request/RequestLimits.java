package dev.limiter.jaxrs.internal.request;

import dev.limiter.ChargeResult;
import dev.limiter.Decision;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.internal.store.Settlement;
import dev.limiter.jaxrs.DeployedLimits;
import dev.limiter.jaxrs.LimitedRequest;
import dev.limiter.jaxrs.RateLimits;
import dev.limiter.jaxrs.internal.platform.Suggestions;
import dev.limiter.jaxrs.internal.policy.Limit;
import dev.limiter.jaxrs.internal.response.PublishedResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The limits of a request for its method, and what the method has acquired, reserved, charged and
 * settled. The lock of all that is noted here is the state of the request.
 */
public final class RequestLimits implements RateLimits {
    private final RequestState state;

    private final MethodCharges charges = new MethodCharges();
    /**
     * The limits that do not count this caller, or no caller at present, or that do not count a
     * key for which the method has asked.
     */
    private List<Limit> skipped = List.of();
    /** The limits whose units the method reserves, in the order of their declaration. */
    private volatile List<BoundLimit> reservedByMethod = List.of();

    RequestLimits(RequestState state) {
        this.state = state;
    }

    @Override
    public List<Decision> decisions() {
        synchronized (state) {
            return state.decisions.stream().map(RequestDecision::decision).toList();
        }
    }

    @Override
    public RateLimits ofThisRequest() {
        return this;
    }

    @Override
    public Policy policy(String name) {
        return deployed().policy(name);
    }

    @Override
    public DeployedLimits deployed() {
        return state.services.deployed();
    }

    @Override
    public long remaining(String policy) {
        Policy spared = skipped(policy);
        return spared == null ? chargeOfNothing(asked(policy)).remaining() : spared.capacity();
    }

    @Override
    public long used(String policy) {
        return skipped(policy) == null ? chargeOfNothing(asked(policy)).used() : 0;
    }

    @Override
    public boolean isExceeded(String policy) {
        return skipped(policy) == null && chargeOfNothing(asked(policy)).overage() > 0;
    }

    @Override
    public ChargeResult charge(String policy, long units) {
        Policy spared = skipped(policy);
        if (spared != null) {
            ChargeResult.requireChargeable(spared, units);
            return new ChargeResult(spared, 0, units, spared.capacity(), 0, 0);
        }
        BoundLimit asked = asked(policy);
        ChargeResult.requireChargeable(asked.policy(), units);
        if (units == 0) {
            return chargeOfNothing(asked);
        }
        return charged(asked, limiter().charge(asked.policy(), asked.key(), units));
    }

    @Override
    public void acquire(String policy, PartitionKey key) {
        Limit limit = Limit.of(state.services.policies().namedNow(policy));
        if (key == null) {
            throw new IllegalArgumentException("the key for policy \"" + policy + "\" is null");
        }
        BoundLimit bound = state.services.policies().enabled() ? BoundLimit.of(limit, key, state.caller()) : null;
        if (bound == null) {
            skip(limit);
        } else {
            acquire(List.of(bound));
        }
    }

    @Override
    public void reserve(Map<String, Long> units) {
        new TreeMap<>(units).forEach((name, estimate) -> {
            if (estimate == null || estimate < 0) {
                throw new IllegalArgumentException(
                        "units on policy \"" + name + "\" must be at least 0, were " + estimate);
            }
            if (skipped(name) == null) {
                requireReserved(name);
            }
        });
        List<BoundLimit> asked = new ArrayList<>(units.size());
        for (BoundLimit limit : reservedByMethod) {
            long estimate = units.getOrDefault(limit.name(), 0L);
            if (estimate > 0 && skipped(limit.name()) == null) {
                asked.add(limit.withUnits(estimate));
            }
        }
        if (!asked.isEmpty()) {
            acquire(asked);
        }
    }

    private void acquire(List<BoundLimit> asked) {
        if (state.services.evaluator().acquire(state, asked) != null) {
            throw state.exceeded();
        }
    }

    /** Units that were not used are given back from the last admission on. */
    @Override
    public ChargeResult settle(String policy, long used) {
        Policy spared = skipped(policy);
        if (spared != null) {
            Settlement.requireSettleable(spared, used);
            return new ChargeResult(spared, 0, 0, spared.capacity(), 0, 0);
        }
        BoundLimit limit = requireReserved(policy);
        Policy inForce = limit.inForce();
        Settlement.requireSettleable(inForce, used);
        List<Decision.Admitted> open = takeUnsettled(policy);
        ChargeResult charge = null;
        if (open != null && open.isEmpty()) {
            charge = used == 0
                    ? ChargeResult.ofNothing(limiter().peek(inForce, limit.key()))
                    : limiter().charge(inForce, limit.key(), used);
        } else if (open != null) {
            Settlement settlement = Settlement.of(open, inForce, used);
            charge = settlement.isExact() ? null : limiter().settle(settlement);
        }
        return charge == null ? chargeOfNothing(limit) : charged(limit, charge);
    }

    @Override
    public boolean forgive(String policy) {
        return skipped(policy) != null || new Forgiveness(this, charges, state).of(policy);
    }

    /** The request as its filters last saw it; null if they have not, or it has ended. */
    public LimitedRequest caller() {
        return state.caller();
    }

    RateLimiter limiter() {
        return state.services.limiter().get();
    }

    /** Notes a limit that does not count the request, or not a key of the method. */
    void skip(Limit limit) {
        synchronized (state) {
            if (!skipped.contains(limit)) {
                skipped = new ArrayList<>(skipped);
                skipped.add(limit);
            }
        }
    }

    /**
     * The policy of a limit that counts neither this request nor any key that its method has
     * asked for; null if there is none of this name. A limit that does not count a key still
     * counts the request, and the other keys.
     */
    public Policy skipped(String policy) {
        synchronized (state) {
            Limit ofKey = null;
            for (Limit limit : skipped) {
                if (limit.name().equals(policy)) {
                    if (!limit.isForKeyOfCode()) {
                        return limit.policy().version().policy();
                    }
                    ofKey = limit;
                }
            }
            boolean counts = ofKey == null || reservedByMethod(policy) != null || hasDecided(policy);
            return counts ? null : ofKey.policy().version().policy();
        }
    }

    /** Notes a limit whose units the method reserves. A forwarded request may note it twice. */
    void leaveToMethod(BoundLimit limit) {
        synchronized (state) {
            List<BoundLimit> all = new ArrayList<>(reservedByMethod);
            all.removeIf(each -> each.name().equals(limit.name()));
            all.add(limit);
            reservedByMethod = all;
        }
    }

    /** The limits whose units the method reserves. */
    List<BoundLimit> reservedByMethod() {
        return reservedByMethod;
    }

    /** The limit whose units the method reserves; null if there is none of this name. */
    private BoundLimit reservedByMethod(String policy) {
        for (BoundLimit each : reservedByMethod) {
            if (each.name().equals(policy)) {
                return each;
            }
        }
        return null;
    }

    /**
     * The limit whose units the method reserves.
     *
     * @throws IllegalArgumentException if there is none of this name, with what to write
     */
    private BoundLimit requireReserved(String policy) {
        BoundLimit limit = reservedByMethod(policy);
        if (limit != null) {
            return limit;
        }
        if (hasDecided(policy)) {
            throw new IllegalArgumentException("the filter charges policy \"" + policy
                    + "\"; declare it with cost = \"0\" to reserve and settle its units, or call charge(\"" + policy
                    + "\", units)");
        }
        throw new IllegalArgumentException("no policy \"" + policy
                + "\" with cost = \"0\" applies to this request; "
                + Suggestions.suggest(
                        policy, reservedByMethod.stream().map(BoundLimit::name).toList()));
    }

    /** Whether a policy counts the request, or is left to its method. */
    public boolean knows(String policy) {
        return skipped(policy) != null || reservedByMethod(policy) != null || hasDecided(policy);
    }

    private boolean hasDecided(String policy) {
        synchronized (state) {
            return state.decisions.stream().anyMatch(each -> each.of(policy) != null);
        }
    }

    /** Tells of limits of which the method has reserved, charged and settled nothing. */
    void tellUnreserved(LimitedRequest request) {
        for (BoundLimit limit : reservedByMethod) {
            boolean used = charges.has(limit.name()) || hasDecided(limit.name());
            state.services.unreserved().ended(limit, request.endpoint(), used);
        }
    }

    /** Whether the method has settled a policy since a decision. */
    boolean isSettled(String policy, int decision) {
        return charges.isFinal(policy, decision);
    }

    /** As {@link MethodCharges#takeUnsettled}. */
    List<Decision.Admitted> takeUnsettled(String policy) {
        return charges.takeUnsettled(policy, state);
    }

    /** The results after the last charges of policies that have decided nothing since. */
    void publishTo(Map<String, PublishedResult> published) {
        charges.publishTo(published, state.decisions);
    }

    /** Notes a charge after the decision, so that the response shows the present rest. */
    ChargeResult charged(BoundLimit partition, ChargeResult charge) {
        synchronized (state) {
            charges.add(partition, state.decisions.size(), charge);
        }
        return charge;
    }

    /**
     * The limit of a policy that the method may ask, or that was asked last.
     *
     * @throws IllegalArgumentException if there is none, with the nearest one that was asked
     */
    private BoundLimit asked(String policy) {
        BoundLimit ofMethod = reservedByMethod(policy);
        if (ofMethod != null) {
            return ofMethod;
        }
        synchronized (state) {
            for (int i = state.decisions.size() - 1; i >= 0; i--) {
                BoundLimit asked = state.decisions.get(i).of(policy);
                if (asked != null) {
                    return asked;
                }
            }
            List<String> known = state.decisions.stream()
                    .flatMap(each -> each.asked().stream())
                    .map(BoundLimit::name)
                    .toList();
            throw new IllegalArgumentException(
                    "policy \"" + policy + "\" has not counted this request; " + Suggestions.suggest(policy, known));
        }
    }

    /**
     * A charge of 0 units: the rest of a partition after its last decision, or after the last
     * charge since.
     */
    private ChargeResult chargeOfNothing(BoundLimit asked) {
        ChargeResult known;
        synchronized (state) {
            known = charges.lastKnown(asked, state.decisions);
        }
        return known == null ? ChargeResult.ofNothing(limiter().peek(asked.policy(), asked.key())) : known;
    }
}
