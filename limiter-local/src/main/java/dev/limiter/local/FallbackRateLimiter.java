package dev.limiter.local;

import dev.limiter.ChargeResult;
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
import dev.limiter.local.internal.memory.MemoryStore;
import dev.limiter.local.internal.memory.SteadyClock;
import dev.limiter.spi.InvalidSettingException;
import dev.limiter.spi.Settings;
import dev.limiter.spi.Signals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Asks a store, and answers itself when the store fails, as each policy's {@link OnStoreFailure} says: of the policies of a group that
 * enforce, {@code CLOSED} has the last word, then {@code LOCAL} decides, and {@code OPEN} passes. It answers for a store that
 * failed, never for a limit that was reached.
 *
 * <p>For {@code LOCAL} this process keeps books of its own, in which it also writes what the store has admitted to it. So a store
 * that fails hands out no fresh quota. The store's answers tell how much is left: what other processes took is written, too. So a
 * process admits no more of a partition than the store had left when it last answered this process.
 *
 * <p>A store that recovers would hand out a fresh quota, since it does not know what was admitted without it: for one window, and until
 * a full quota has come back, after the last such admission of a partition both must admit. Other partitions are the store's alone, also
 * of the same policy. Otherwise the books are written, not asked: two clocks differ, and a store that is well has the only say.
 *
 * <p>Each process admits up to the limit by its own books, so all of them up to nodes × limit; where it is known how many there are,
 * each keeps its part of the numbers while the store fails. When both must admit, the books are asked with the whole numbers. The books
 * are bounded as those of {@link LocalRateLimiter} are: a partition beyond their bound begins with a full quota, and if it was admitted
 * without the store, the store alone decides when it is back, so that one more quota can pass.
 *
 * <p>Spent in the store, then the store fails: 5 per 10 s, 5 admitted by the store at 0 s, which fails at 1 s. The sixth is
 * rejected at 1 s and admitted at 10 s.
 */
public final class FallbackRateLimiter implements RateLimiter {
    private static final int MAX_NODES = 100_000;

    private final RateLimiter store;
    private final LocalMirror books;
    private final FallbackLog log;

    /**
     * Beside a store.
     *
     * @param store throws {@link StoreUnavailableException} when it fails, and for nothing else
     * @param configured what {@code CONFIGURED} means
     * @param expectedNodes among how many processes the numbers are divided when the store fails; 1 if each is to have all
     * @param signals is told how many partitions the books hold
     * @throws IllegalArgumentException if {@code configured} is {@code CONFIGURED}, or {@code expectedNodes} below 1
     */
    public FallbackRateLimiter(RateLimiter store, OnStoreFailure configured, int expectedNodes, Signals signals) {
        this(store, configured, expectedNodes, signals, new MemoryStore(new SteadyClock()));
    }

    /**
     * With {@code limiter.on-store-failure}, {@code LOCAL} where it is not set, and {@code limiter.expected-nodes}, else 1.
     *
     * @param store makes the store, once it is known that the settings can be used
     * @param settings what is configured
     * @param signals is told how the store fares
     * @return the limiter
     * @throws InvalidSettingException if one of them cannot be used
     */
    public static FallbackRateLimiter configured(Supplier<RateLimiter> store, Settings settings, Signals signals) {
        OnStoreFailure configured = onStoreFailure(settings);
        int expectedNodes = expectedNodes(settings);
        return new FallbackRateLimiter(store.get(), configured, expectedNodes, signals);
    }

    /**
     * Whether {@link #configured} can use the settings.
     *
     * @param settings what is configured
     * @throws InvalidSettingException if one of them cannot be used
     */
    public static void check(Settings settings) {
        onStoreFailure(settings);
        expectedNodes(settings);
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

    private static int expectedNodes(Settings settings) {
        return settings.integer("limiter.expected-nodes", 1, 1, MAX_NODES);
    }

    FallbackRateLimiter(
            RateLimiter store, OnStoreFailure configured, int expectedNodes, Signals signals, MemoryStore memory) {
        if (configured == OnStoreFailure.CONFIGURED) {
            throw new IllegalArgumentException("configured must be LOCAL, CLOSED or OPEN, was CONFIGURED");
        }
        if (expectedNodes < 1) {
            throw new IllegalArgumentException("expectedNodes must be at least 1, was " + expectedNodes);
        }
        this.store = store;
        this.books = new LocalMirror(memory, new InstanceQuotas(configured, expectedNodes));
        this.log = new FallbackLog(expectedNodes, () -> TimeUnit.MICROSECONDS.toNanos(memory.nowMicros()));
        signals.fallbackPartitions(memory::size);
    }

    @Override
    public Decision acquire(CheckGroup group) {
        MemberDecision reserved = books.reserve(group);
        if (!mayAsk(reserved)) {
            return refused(group, reserved, true);
        }
        long began = books.nowMicros();
        Decision decision;
        try {
            decision = store.acquire(group);
        } catch (StoreUnavailableException failure) {
            if (isUnavailable(group, reserved, failure, true)) {
                throw failure;
            }
            return instead(group, reserved, failure, true);
        }
        return settled(group, reserved, decision, began, true);
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
     * Decides what shares a round trip.
     *
     * @param all receives one decision for each group; empty for an undecided group that is {@code CLOSED}
     * @throws StoreUnavailableException if there is such a group
     */
    private void acquireTogether(List<CheckGroup> groups, List<Optional<Decision>> all) {
        MemberDecision[] reserved = new MemberDecision[groups.size()];
        List<CheckGroup> asked = new ArrayList<>(groups.size());
        for (int i = 0; i < reserved.length; i++) {
            reserved[i] = books.reserve(groups.get(i));
            if (mayAsk(reserved[i])) {
                asked.add(groups.get(i));
            }
        }
        long began = books.nowMicros();
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
                all.add(Optional.of(settled(group, reserved[i], answer.get(), began, counts)));
            } else if (isUnavailable(group, reserved[i], failure, counts)) {
                all.add(Optional.empty());
                closed = failure;
            } else {
                all.add(Optional.of(instead(group, reserved[i], failure, counts)));
            }
        }
        if (closed != null) {
            throw closed;
        }
    }

    private static boolean mayAsk(MemberDecision reserved) {
        return reserved == null || reserved.decision().admitted();
    }

    /** Asking for several leases in one call is how they are renewed, and no decision that is counted anywhere. */
    private static boolean isRenewal(CheckGroup group) {
        return group.demands().stream()
                .allMatch(demand -> demand.policy().rules().leases());
    }

    /** The books reject before the store is asked. */
    private Decision refused(CheckGroup group, MemberDecision reserved, boolean counts) {
        Decision decision = books.refused(group, reserved);
        if (counts) {
            log.counts(decision);
        }
        return decision;
    }

    /**
     * The store's decision stands; what it admitted is written in the books, what it did not is taken out of them. A rejection tells
     * them what others have spent, and until when gates are closed.
     */
    private Decision settled(CheckGroup group, MemberDecision reserved, Decision decision, long began, boolean counts) {
        if (!decision.fallback()) {
            log.storeAnswers();
        } else if (counts) {
            log.counts(decision);
        }
        if (decision instanceof Decision.Admitted admission) {
            return books.write(group, reserved, admission, began);
        }
        if (reserved != null) {
            books.takeBack(group, reserved);
        }
        books.writeRejected(group, decision, began);
        return decision;
    }

    /** The store has failed, and nothing that enforces is {@code CLOSED}. */
    private Decision instead(
            CheckGroup group, MemberDecision reserved, StoreUnavailableException failure, boolean counts) {
        Decision decision = books.instead(group, reserved);
        if (counts) {
            log.counts(decision);
        }
        boolean isOpen = decision instanceof Decision.Admitted admission
                && admission.receipt().copy() == null;
        log.away(isOpen ? OnStoreFailure.OPEN : OnStoreFailure.LOCAL, failure);
        return decision;
    }

    /**
     * Whether a group that the store has not decided is {@code CLOSED}.
     *
     * @param reserved what was reserved for it, which then is taken back; null if nothing was
     */
    private boolean isUnavailable(
            CheckGroup group, MemberDecision reserved, StoreUnavailableException failure, boolean counts) {
        if (!books.isClosed(group)) {
            return false;
        }
        if (reserved != null) {
            books.takeBack(group, reserved);
        }
        if (counts) {
            log.counts(group);
        }
        log.away(OnStoreFailure.CLOSED, failure);
        return true;
    }

    @Override
    public List<CheckResult> peek(CheckGroup group) {
        List<CheckResult> answers;
        try {
            answers = store.peek(group);
        } catch (StoreUnavailableException failure) {
            if (isUnavailable(group, null, failure, false)) {
                throw failure;
            }
            return books.peek(group);
        }
        log.storeAnswers();
        return answers;
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
            return chargeInstead(policy, key, units, failure);
        }
        log.storeAnswers();
        books.write(policy, key, charge);
        return charge;
    }

    private ChargeResult chargeInstead(Policy policy, PartitionKey key, long units, StoreUnavailableException failure) {
        OnStoreFailure instead = books.onStoreFailure(policy);
        log.away(instead, failure);
        return switch (instead) {
            case CLOSED -> throw failure;
            case OPEN -> ChargeResult.untold(policy, units);
            case LOCAL, CONFIGURED -> books.charge(policy, key, units);
        };
    }

    /** What the store has it gives back, and the books their copy, also when the store fails. */
    @Override
    public boolean refund(Decision.Admitted admission) {
        boolean given = false;
        try {
            given = store.refund(admission);
        } finally {
            // Afterwards: else the books would take what the store still counts for a unit of another node.
            given |= books.refund(admission.receipt());
        }
        return given;
    }

    @Override
    public void reset(Policy policy, PartitionKey key) {
        books.reset(policy, key);
        store.reset(policy, key);
    }

    @Override
    public String storeKey(Policy policy, PartitionKey key) {
        return store.storeKey(policy, key);
    }

    /** The parts of the store: a queue in this process would be another queue than that of the store. */
    @Override
    public <T> Optional<T> unwrap(Class<T> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : store.unwrap(type);
    }

    @Override
    public void close() {
        try {
            store.close();
        } finally {
            books.close();
        }
    }
}
