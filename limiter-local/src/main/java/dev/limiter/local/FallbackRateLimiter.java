package dev.limiter.local;

import dev.limiter.ChargeResult;
import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.OnStoreFailure;
import dev.limiter.PartitionKey;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.local.internal.fallback.FallbackLog;
import dev.limiter.local.internal.fallback.InstanceQuotas;
import dev.limiter.local.internal.fallback.LocalMirror;
import dev.limiter.local.internal.fallback.MemberDecision;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.local.internal.memory.SteadyClock;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Receipt;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Asks a store, and decides by each policy's {@link OnStoreFailure} when the store fails. Among
 * the enforcing policies of a group, {@code CLOSED} wins over {@code LOCAL}, and {@code LOCAL}
 * over {@code OPEN}. It decides only when the store fails, never when a limit was reached.
 *
 * <p>For {@code LOCAL} this process keeps a local mirror: its record of what it admitted and of
 * what the store admitted to it. So a store that fails gives no fresh quota. The store's results
 * tell how much is left, so the mirror also records what other processes took. A process admits
 * no more of a partition than the store had left when it last answered this process. The mirror
 * goes by the store's clock, as its decisions show it, so that their windows end together.
 *
 * <p>A store that recovers would give a fresh quota, since it does not know what was admitted
 * without it. So after the last such admission of a partition, both must admit: for one window,
 * and until a full quota has come back, or until the period of the calendar ends. All other
 * partitions are decided by the store alone, also those of the same policy. For these the mirror
 * is written, not asked: two clocks differ, and only the store decides while it answers.
 *
 * <p>Each process admits up to the limit by its own mirror, so all of them admit up to processes
 * × limit. If the number of processes is known, each keeps its part of the numbers while the
 * store fails. When both must admit, the mirror is asked with the whole numbers. The mirror is
 * bounded as {@link LocalRateLimiter} is. A partition beyond the bound begins with a full quota.
 * If it was admitted without the store, the store alone decides when it is back, so one further
 * quota can pass.
 *
 * <p>Spent in the store, then the store fails: 5 per 10 s, 5 admitted by the store at 0 s, which
 * fails at 1 s. The sixth is rejected at 1 s and admitted at 10 s.
 */
public final class FallbackRateLimiter implements RateLimiter {
    private static final int MAX_INSTANCES = 100_000;

    private final RateLimiter store;
    private final LocalMirror mirror;
    private final FallbackLog log;

    /**
     * A fallback beside a store.
     *
     * @param store throws {@link StoreUnavailableException} when it fails, and for nothing else
     * @param configured what {@code CONFIGURED} means
     * @param expectedInstances the number of processes among which the numbers are divided when the
     *     store fails; 1 if each keeps all
     * @param signals receives the number of partitions in the mirror
     * @throws IllegalArgumentException if {@code configured} is {@code CONFIGURED}, or
     *     {@code expectedInstances} below 1
     */
    public FallbackRateLimiter(RateLimiter store, OnStoreFailure configured, int expectedInstances, Signals signals) {
        this(store, configured, expectedInstances, signals, new FollowingStore(new SteadyClock()));
    }

    /**
     * A fallback by {@code limiter.on-store-failure}, {@code LOCAL} unless set, and
     * {@code limiter.expected-instances}, 1 unless set.
     *
     * @param store makes the store, after the settings have been checked
     * @param settings what is configured
     * @param signals receives events of the store
     * @return the limiter
     * @throws InvalidSettingException if one of them cannot be used
     */
    public static FallbackRateLimiter configured(Supplier<RateLimiter> store, Settings settings, Signals signals) {
        OnStoreFailure configured = onStoreFailure(settings);
        int expectedInstances = expectedInstances(settings);
        return new FallbackRateLimiter(store.get(), configured, expectedInstances, signals);
    }

    /**
     * Whether {@link #configured} can use the settings.
     *
     * @param settings what is configured
     * @throws InvalidSettingException if one of them cannot be used
     */
    public static void check(Settings settings) {
        onStoreFailure(settings);
        expectedInstances(settings);
    }

    private static OnStoreFailure onStoreFailure(Settings settings) {
        String name = "limiter.on-store-failure";
        String text = settings.value(name).orElse(OnStoreFailure.LOCAL.name()).strip();
        for (OnStoreFailure each : OnStoreFailure.values()) {
            if (each != OnStoreFailure.CONFIGURED && each.name().equalsIgnoreCase(text)) {
                return each;
            }
        }
        throw new InvalidSettingException(name, "\"" + text + "\" is none of LOCAL, CLOSED, OPEN");
    }

    private static int expectedInstances(Settings settings) {
        return settings.integer("limiter.expected-instances", 1, 1, MAX_INSTANCES);
    }

    FallbackRateLimiter(
            RateLimiter store,
            OnStoreFailure configured,
            int expectedInstances,
            Signals signals,
            FollowingStore memory) {
        if (configured == OnStoreFailure.CONFIGURED) {
            throw new IllegalArgumentException("configured must be LOCAL, CLOSED or OPEN, was CONFIGURED");
        }
        if (expectedInstances < 1) {
            throw new IllegalArgumentException("expectedInstances must be at least 1, was " + expectedInstances);
        }
        this.store = store;
        this.mirror = new LocalMirror(memory, new InstanceQuotas(configured, expectedInstances));
        this.log = new FallbackLog(expectedInstances, () -> TimeUnit.MICROSECONDS.toNanos(memory.ownMicros()));
        signals.fallbackPartitions(memory::size);
    }

    @Override
    public Decision acquire(CheckGroup group) {
        MemberDecision reserved = mirror.reserve(group);
        if (!mayAsk(reserved)) {
            return refused(group, reserved, true);
        }
        long began = mirror.ownMicros();
        Decision decision;
        try {
            decision = store.acquire(group);
        } catch (StoreUnavailableException failure) {
            if (isUnavailable(group, reserved, failure, true)) {
                throw failure;
            }
            return decideAlone(group, reserved, failure, true);
        }
        return recorded(group, reserved, decision, began, true);
    }

    @Override
    public List<Decision> acquireEach(List<CheckGroup> groups) {
        List<Optional<Decision>> all = new ArrayList<>(groups.size());
        StoreUnavailableException failure = null;
        for (int from = 0; from < groups.size(); from += MAX_GROUPS) {
            try {
                acquireTogether(groups.subList(from, Math.min(groups.size(), from + MAX_GROUPS)), all);
            } catch (StoreUnavailableException unavailable) {
                failure = unavailable;
            }
        }
        if (failure != null) {
            throw failure.withDecisions(all);
        }
        return all.stream().map(Optional::orElseThrow).toList();
    }

    /**
     * Decides the groups of one round trip.
     *
     * @param all receives one decision for each group; empty for an undecided group that is
     *     {@code CLOSED}
     * @throws StoreUnavailableException if there is such a group
     */
    private void acquireTogether(List<CheckGroup> groups, List<Optional<Decision>> all) {
        MemberDecision[] reserved = new MemberDecision[groups.size()];
        List<CheckGroup> asked = new ArrayList<>(groups.size());
        for (int i = 0; i < reserved.length; i++) {
            reserved[i] = mirror.reserve(groups.get(i));
            if (mayAsk(reserved[i])) {
                asked.add(groups.get(i));
            }
        }
        long began = mirror.ownMicros();
        List<Decision> answered = List.of();
        StoreUnavailableException failure = null;
        try {
            answered = asked.isEmpty() ? answered : store.acquireEach(asked);
        } catch (StoreUnavailableException unavailable) {
            failure = unavailable;
        }
        StoreUnavailableException closed = null;
        int next = 0;
        for (int i = 0; i < reserved.length; i++) {
            CheckGroup group = groups.get(i);
            boolean counts = !isRenewal(group);
            if (!mayAsk(reserved[i])) {
                all.add(Optional.of(refused(group, reserved[i], counts)));
                continue;
            }
            Optional<Decision> answer = failure == null ? Optional.of(answered.get(next)) : failure.decision(next);
            next++;
            if (answer.isPresent()) {
                all.add(Optional.of(recorded(group, reserved[i], answer.get(), began, counts)));
            } else if (isUnavailable(group, reserved[i], failure, counts)) {
                all.add(Optional.empty());
                closed = failure;
            } else {
                all.add(Optional.of(decideAlone(group, reserved[i], failure, counts)));
            }
        }
        if (closed != null) {
            throw closed;
        }
    }

    private static boolean mayAsk(MemberDecision reserved) {
        return reserved == null || reserved.decision().admitted();
    }

    /**
     * Whether the group renews leases. A call with several leases renews them, and is not
     * counted as a decision.
     */
    private static boolean isRenewal(CheckGroup group) {
        return group.checks().stream().allMatch(check -> check.policy().rules().leases());
    }

    /** The mirror's rejection, before the store is asked. */
    private Decision refused(CheckGroup group, MemberDecision reserved, boolean counts) {
        Decision decision = mirror.refused(group, reserved);
        if (counts) {
            log.counts(decision);
        }
        return decision;
    }

    /**
     * The store's decision. The mirror records what the store admitted, and takes back what it
     * did not. A rejection shows what others have spent, and until when gates are closed.
     */
    private Decision recorded(
            CheckGroup group, MemberDecision reserved, Decision decision, long began, boolean counts) {
        if (!decision.fallback()) {
            log.storeAnswers();
        } else if (counts) {
            log.counts(decision);
        }
        if (decision instanceof Decision.Admitted admission) {
            MemberDecision both = reserved == null ? mirror.reserveAdmitted(group) : reserved;
            if (mayAsk(both)) {
                return mirror.record(group, both, admission, began);
            }
            giveBack(admission);
            return refused(group, both, counts);
        }
        if (reserved != null) {
            mirror.takeBack(group, reserved);
        }
        mirror.recordRejection(group, decision, began);
        return decision;
    }

    /** Gives back in the store what the mirror has not admitted. */
    private void giveBack(Decision.Admitted admission) {
        try {
            store.refund(admission);
        } catch (StoreUnavailableException failure) {
            log.away(OnStoreFailure.LOCAL, failure); // the units stay charged in the store
        }
    }

    /** The decision when the store has failed and no enforcing policy is {@code CLOSED}. */
    private Decision decideAlone(
            CheckGroup group, MemberDecision reserved, StoreUnavailableException failure, boolean counts) {
        Decision decision = mirror.decideAlone(group, reserved);
        if (counts) {
            log.counts(decision);
        }
        boolean isOpen = decision instanceof Decision.Admitted admission
                && admission.receipt().copy() == null;
        log.away(isOpen ? OnStoreFailure.OPEN : OnStoreFailure.LOCAL, failure);
        return decision;
    }

    /**
     * Whether a group that the store has not decided is {@code CLOSED}. If so, the reservation
     * is taken back.
     *
     * @param reserved the mirror's reservation for the group; null if there is none
     */
    private boolean isUnavailable(
            CheckGroup group, MemberDecision reserved, StoreUnavailableException failure, boolean counts) {
        if (!mirror.isClosed(group)) {
            return false;
        }
        if (reserved != null) {
            mirror.takeBack(group, reserved);
        }
        if (counts) {
            log.counts(group);
        }
        log.away(OnStoreFailure.CLOSED, failure);
        return true;
    }

    @Override
    public List<CheckResult> peek(CheckGroup group) {
        List<CheckResult> results;
        try {
            results = store.peek(group);
        } catch (StoreUnavailableException failure) {
            if (isUnavailable(group, null, failure, false)) {
                throw failure;
            }
            return mirror.peek(group);
        }
        log.storeAnswers();
        return results;
    }

    @Override
    public ChargeResult charge(Policy policy, PartitionKey key, long units) {
        ChargeResult.requireChargeable(policy, units);
        if (units == 0) {
            return ChargeResult.ofNothing(peek(policy, key));
        }
        ChargeResult charge;
        try {
            charge = store.charge(policy, key, units);
        } catch (StoreUnavailableException failure) {
            return chargeAlone(policy, key, units, failure);
        }
        log.storeAnswers();
        mirror.record(policy, key, charge);
        return charge;
    }

    private ChargeResult chargeAlone(Policy policy, PartitionKey key, long units, StoreUnavailableException failure) {
        OnStoreFailure instead = mirror.onStoreFailure(policy);
        log.away(instead, failure);
        return switch (instead) {
            case CLOSED -> throw failure;
            case OPEN -> ChargeResult.notCharged(policy, units);
            case LOCAL, CONFIGURED -> mirror.charge(policy, key, units);
        };
    }

    /**
     * Gives back in the store and in the mirror, in the latter also when the store fails. Then
     * the units stay charged in the store.
     */
    @Override
    public boolean refund(Receipt receipt) {
        boolean given = false;
        StoreUnavailableException failure = null;
        try {
            given = store.refund(receipt);
        } catch (StoreUnavailableException unavailable) {
            failure = unavailable;
        }
        // After the store: otherwise the mirror would take a unit that the store still counts
        // for one of another process.
        given |= mirror.refund(receipt);
        if (failure != null) {
            OnStoreFailure instead = mirror.onStoreFailure(receipt.checks());
            log.away(instead, failure);
            if (instead == OnStoreFailure.CLOSED) {
                throw failure;
            }
        }
        return given;
    }

    /** As {@link #refund(Receipt)}; if the store fails, the mirror answers. */
    @Override
    public CheckResult refundThenPeek(Receipt receipt, Policy policy, PartitionKey key) {
        CheckResult result;
        try {
            result = store.refundThenPeek(receipt, policy, key);
        } catch (StoreUnavailableException failure) {
            mirror.refund(receipt);
            OnStoreFailure instead = mirror.onStoreFailure(policy);
            log.away(instead, failure);
            if (instead == OnStoreFailure.CLOSED) {
                throw failure;
            }
            return mirror.peek(CheckGroup.of(Check.of(policy, key))).get(0);
        }
        log.storeAnswers();
        mirror.refund(receipt); // after the store, as above
        return result;
    }

    @Override
    public void reset(Policy policy, PartitionKey key) {
        mirror.reset(policy, key);
        store.reset(policy, key);
    }

    @Override
    public String storeKey(Policy policy, PartitionKey key) {
        return store.storeKey(policy, key);
    }

    /**
     * Returns parts of the store only: a queue in this process would be another queue than that
     * of the store.
     */
    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : store.unwrap(type);
    }

    @Override
    public void close() {
        try {
            store.close();
        } finally {
            mirror.close();
        }
    }
}
