package dev.limiter.local.internal.fallback;

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
import dev.limiter.internal.store.InstanceRecord;
import dev.limiter.local.LocalRateLimiter;
import dev.limiter.local.internal.memory.FollowingStore;
import dev.limiter.local.internal.memory.SteadyClock;
import dev.limiter.spi.Ask;
import dev.limiter.spi.GroupDecisions;
import dev.limiter.spi.Layer;
import dev.limiter.spi.Signals;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Asks a store, and decides by each policy's {@link OnStoreFailure} when the store fails. Among
 * the enforcing policies of a group, {@code CLOSED} wins over {@code LOCAL}, and {@code LOCAL}
 * over {@code OPEN}. It decides only when the store fails, never when a limit was reached.
 *
 * <p>For {@code LOCAL} this process keeps a local mirror: its record of what it admitted, of what
 * the store admitted to it, and of what the store's results show of other processes. So a store
 * that fails gives no fresh quota. A process admits no more of a partition than the store had
 * left when it last answered this process. The mirror goes by the store's clock.
 *
 * <p>A store that recovers does not know what was admitted without it. So after the last such
 * admission of a partition, both must admit: for one window, and until a full quota has come
 * back, or until the period of the calendar ends. All other partitions are decided by the store
 * alone, also those of the same policy.
 *
 * <p>Each process admits up to the limit by its own mirror, so all of them admit up to processes
 * × limit. If the number of processes is known, each keeps its part of the limit while the
 * store fails. The mirror is bounded as {@link LocalRateLimiter} is. A partition beyond the bound
 * begins with a full quota, and after an outage the store alone decides on it.
 *
 * <p>Spent in the store, then the store fails: 5 per 10 s, 5 admitted by the store at 0 s, which
 * fails at 1 s. The sixth is rejected at 1 s and admitted at 10 s.
 *
 * <p>The usage of a period is the store's alone: this process does not know what others have
 * counted. So are the parts of the store: a queue in this process would be another one.
 */
public final class FallbackRateLimiter extends Layer implements InstanceRecord {
    private final LocalMirror mirror;
    private final FallbackLog log;

    /**
     * A fallback beside a store.
     *
     * @param store throws {@link StoreUnavailableException} when it fails, and for nothing else
     * @param configured what {@code CONFIGURED} means
     * @param expectedInstances the number of processes among which a limit is divided when the
     *     store fails; 1 if each keeps all
     * @param signals receives the number of partitions in the mirror
     * @throws IllegalArgumentException if {@code configured} is {@code CONFIGURED}, or
     *     {@code expectedInstances} below 1
     */
    public FallbackRateLimiter(RateLimiter store, OnStoreFailure configured, int expectedInstances, Signals signals) {
        this(store, configured, expectedInstances, signals, new FollowingStore(new SteadyClock()));
    }

    public FallbackRateLimiter(
            RateLimiter store,
            OnStoreFailure configured,
            int expectedInstances,
            Signals signals,
            FollowingStore memory) {
        super(store);
        if (configured == OnStoreFailure.CONFIGURED) {
            throw new IllegalArgumentException("configured must be LOCAL, CLOSED or OPEN, was CONFIGURED");
        }
        if (expectedInstances < 1) {
            throw new IllegalArgumentException("expectedInstances must be at least 1, was " + expectedInstances);
        }
        this.mirror = new LocalMirror(memory, new InstanceQuotas(configured, expectedInstances));
        this.log = new FallbackLog(expectedInstances, () -> TimeUnit.MICROSECONDS.toNanos(memory.ownMicros()));
        signals.fallbackPartitions(memory::size);
    }

    @Override
    public <A> A answer(Ask<A> ask) {
        if (ask instanceof Ask.Acquire acquire) {
            Reservation reserved = new Reservation(mirror, acquire.group()).reserve();
            long began = mirror.store.ownMicros();
            Decision answer;
            try {
                answer = reserved.rejects() ? null : next.answer(acquire);
            } catch (StoreUnavailableException failure) {
                return ask.is(decided(reserved, null, failure, began, true));
            }
            return ask.is(decided(reserved, answer, null, began, true));
        }
        if (ask instanceof Ask.AcquireEach each) {
            return ask.is(decideEach(each.groups()));
        }
        if (ask instanceof Ask.Peek peek) {
            return ask.is(peek(peek));
        }
        if (ask instanceof Ask.Charge charge) {
            return ask.is(charge(charge));
        }
        if (ask instanceof Ask.GiveBack back) {
            return ask.is(giveBack(back));
        }
        if (ask instanceof Ask.Reset reset) {
            return ask.is(reset(reset));
        }
        return next.answer(ask);
    }

    /** Decides groups, each by the store's answer to it if there is one. */
    private GroupDecisions decideEach(List<CheckGroup> groups) {
        List<Reservation> reservations = groups.stream()
                .map(group -> new Reservation(mirror, group).reserve())
                .toList();
        List<CheckGroup> asked = reservations.stream()
                .filter(reserved -> !reserved.rejects())
                .map(Reservation::group)
                .toList();
        long began = mirror.store.ownMicros();
        GroupDecisions answers = next.answer(new Ask.AcquireEach(asked));
        Iterator<Reservation> all = reservations.iterator();
        Iterator<Optional<Decision>> made = answers.made().iterator();
        return GroupDecisions.oneByOne(groups, group -> {
            Reservation reserved = all.next();
            Decision answer = reserved.rejects() ? null : made.next().orElse(null);
            return decided(reserved, answer, answers.failure(), began, !Ask.AcquireEach.isRenewal(group));
        });
    }

    /**
     * The decision on a group: that of the store, unless the mirror rejects or the store failed.
     *
     * @param answer the store's; null if it was not asked or gave none
     * @param failure why it gave none
     * @param began when it was asked
     * @param counts whether the log counts what is decided without the store
     * @throws StoreUnavailableException the failure, if the group is {@code CLOSED}
     */
    private Decision decided(
            Reservation reserved, Decision answer, StoreUnavailableException failure, long began, boolean counts) {
        boolean alone = answer == null && !reserved.rejects();
        if (alone && mirror.isClosed(reserved.group())) {
            reserved.takeBack();
            if (counts) {
                log.counts(reserved.group());
            }
            goesOn(OnStoreFailure.CLOSED, failure);
        }
        Decision decision = answer != null
                ? recorded(reserved, answer, began)
                : alone ? reserved.decidedAlone() : reserved.rejection();
        if (counts && decision.fallback()) {
            log.counts(decision);
        }
        if (alone) {
            goesOn(reserved.isOpen() ? OnStoreFailure.OPEN : OnStoreFailure.LOCAL, failure);
        }
        return decision;
    }

    /**
     * The store's decision, as the mirror records it. If both must admit and the mirror does not,
     * the store gets its units back.
     */
    private Decision recorded(Reservation reserved, Decision answer, long began) {
        if (!answer.fallback()) {
            log.storeAnswers();
        }
        if (answer instanceof Decision.Admitted admission) {
            reserved.reserveAdmitted();
            if (reserved.rejects()) {
                try {
                    next.refund(admission.receipt());
                } catch (StoreUnavailableException failure) {
                    goesOn(OnStoreFailure.LOCAL, failure); // the units stay charged in the store
                }
                return reserved.rejection();
            }
        }
        return reserved.recorded(answer, began);
    }

    /**
     * Logs what this process does without the store.
     *
     * @throws StoreUnavailableException the failure, if that is nothing
     */
    private OnStoreFailure goesOn(OnStoreFailure by, StoreUnavailableException failure) {
        log.away(by, failure);
        if (by == OnStoreFailure.CLOSED) {
            throw failure;
        }
        return by;
    }

    private List<CheckResult> peek(Ask.Peek ask) {
        List<CheckResult> results;
        try {
            results = next.answer(ask);
        } catch (StoreUnavailableException failure) {
            if (mirror.isClosed(ask.group())) {
                goesOn(OnStoreFailure.CLOSED, failure);
            }
            return mirror.peek(ask.group());
        }
        log.storeAnswers();
        return results;
    }

    private ChargeResult charge(Ask.Charge ask) {
        Policy policy = ask.check().policy();
        PartitionKey key = ask.check().key();
        ChargeResult charge;
        try {
            charge = next.answer(ask);
        } catch (StoreUnavailableException failure) {
            return goesOn(mirror.onStoreFailure(policy), failure) == OnStoreFailure.OPEN
                    ? ChargeResult.notCharged(policy, ask.units())
                    : mirror.charge(policy, key, ask.units());
        }
        log.storeAnswers();
        mirror.record(policy, key, charge);
        return charge;
    }

    /**
     * Gives back in the store and in the mirror, in the latter also when the store fails. Then
     * the units stay charged in the store.
     */
    private Ask.GiveBack.Given giveBack(Ask.GiveBack ask) {
        Ask.GiveBack.Given given = new Ask.GiveBack.Given(false, null);
        StoreUnavailableException failure = null;
        try {
            given = next.answer(ask);
        } catch (StoreUnavailableException unavailable) {
            failure = unavailable;
        }
        // After the store: otherwise the mirror would take a unit that the store still counts
        // for one of another process.
        boolean any = mirror.refund(ask.receipt()) || given.any();
        Check then = ask.thenPeek();
        if (failure != null) {
            goesOn(mirror.onStoreFailure(then == null ? ask.checks() : List.of(then)), failure);
            return new Ask.GiveBack.Given(
                    any, then == null ? null : mirror.peek(CheckGroup.of(then)).get(0));
        }
        if (then != null) {
            log.storeAnswers();
        }
        return new Ask.GiveBack.Given(any, given.left());
    }

    private Void reset(Ask.Reset ask) {
        try {
            return next.answer(ask);
        } finally {
            forget(ask.check().policy(), ask.check().key()); // last: a rejection would show it spent units
        }
    }

    @Override
    public void forget(Policy policy, PartitionKey key) {
        mirror.reset(policy, key);
    }

    @Override
    public void close() {
        try {
            next.close();
        } finally {
            mirror.store.close();
        }
    }
}
