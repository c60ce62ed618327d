package dev.limiter.jaxrs.internal.request;

import dev.limiter.Check;
import dev.limiter.CheckGroup;
import dev.limiter.CheckResult;
import dev.limiter.Decision;
import dev.limiter.Policy;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.internal.store.BlockingAcquire;
import dev.limiter.jaxrs.internal.platform.VirtualThreads;
import dev.limiter.jaxrs.internal.signals.StoreFailureLog;
import dev.limiter.spi.Setting;
import dev.limiter.spi.Settings;
import dev.limiter.spi.WaitBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Holds a request until its slot. Jakarta REST cannot suspend in a request filter, so the wait
 * holds a thread; the number of these threads is bounded. A request that finds no place, or
 * loses it to another partition or policy, gives its slot back and is rejected: see
 * {@link SlotWaitPlaces}. A virtual thread costs the server next to nothing while it waits, and
 * is never refused.
 *
 * @param waitsForFree whether the present thread may wait without being counted
 */
public record SlotWait(SlotWaitPlaces places, Pause pause, BooleanSupplier waitsForFree, StoreFailureLog failures) {
    /** Requests that may hold a thread at once. */
    public static final Setting<Integer> MAX = Setting.integer("limiter.slot-wait.max", 50, 0, 100_000);

    /** Lets time pass. */
    @FunctionalInterface
    interface Pause {
        /** Waits on the clock of threads. */
        Pause OF_THREADS = (span, ended) -> ended.await(span.toNanos(), TimeUnit.NANOSECONDS);

        /**
         * Returns when the span has passed, never earlier, or when the wait was ended.
         *
         * @param ended reaches 0 when the wait has to end
         * @return whether it was ended
         */
        boolean passes(Duration span, CountDownLatch ended) throws InterruptedException;
    }

    public static SlotWait configured(Settings settings, StoreFailureLog failures) {
        return new SlotWait(
                new SlotWaitPlaces(MAX.in(settings)), Pause.OF_THREADS, VirtualThreads::isCurrent, failures);
    }

    /**
     * Returns when the request may run, or must not.
     *
     * @param decision of the group
     * @return the same if the request may run; otherwise a rejection with a result for each
     *     check of the group
     * @throws StoreUnavailableException if the thread was interrupted, as servers do when they
     *     stop
     */
    Decision untilItsSlot(Decision decision, CheckGroup group, RateLimiter limiter) {
        if (!(decision instanceof Decision.Admitted admission)
                || admission.runAfter().isZero()) {
            return decision;
        }
        if (waitsForFree.getAsBoolean()) {
            return waited(admission, group, limiter, new CountDownLatch(1));
        }
        Check held = held(group);
        try (SlotWaitPlaces.Place place = places.take(held.policy().name(), held.key())) {
            return place == null
                    ? rejected(admission, group, limiter)
                    : waited(admission, group, limiter, place.takenAway());
        }
    }

    /** The check that the request waits for; a group has at most one. */
    private static Check held(CheckGroup group) {
        return group.checks().stream()
                .filter(check -> holds(check.policy()))
                .findFirst()
                .orElseThrow();
    }

    private static boolean holds(Policy policy) {
        return policy.rules().delays() && policy.rejects();
    }

    private Decision waited(
            Decision.Admitted admission, CheckGroup group, RateLimiter limiter, CountDownLatch placeTakenAway) {
        boolean[] rejected = {false};
        BlockingAcquire waiting =
                new BlockingAcquire(limiter, () -> 0, span -> rejected[0] = pause.passes(span, placeTakenAway));
        try {
            waiting.atItsSlot(admission, new WaitBudget(Duration.ZERO));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while waiting for a slot", interrupted);
        }
        return rejected[0] ? rejected(admission, group, limiter) : admission;
    }

    /**
     * The rejection of a request that has a slot but no thread to wait for it: as if no slot
     * were free.
     */
    private Decision rejected(Decision.Admitted admission, CheckGroup group, RateLimiter limiter) {
        List<CheckResult> results = new ArrayList<>();
        for (CheckResult result : afterwards(admission, group, limiter)) {
            boolean held = result.admitted() && holds(result.policy());
            results.add(held ? rejectedUntil(Math.max(1, result.runAfterMicros()), result) : result);
        }
        return new Decision.Rejected(results, admission.atMicros());
    }

    /**
     * The results after everything was given back. A failure of the store does not fail the
     * rejection.
     */
    private List<CheckResult> afterwards(Decision.Admitted admission, CheckGroup group, RateLimiter limiter) {
        try {
            limiter.refund(admission);
            return limiter.peek(group);
        } catch (StoreUnavailableException unavailable) {
            failures.log(unavailable, "a request found no thread to wait on, and its units may stay spent");
            return admission.results();
        }
    }

    private static CheckResult rejectedUntil(long slotMicros, CheckResult result) {
        return new CheckResult(
                result.policy(),
                false,
                result.remaining(),
                result.used(),
                0,
                slotMicros,
                result.nextAfterMicros(),
                result.resetAfterMicros(),
                result.fallback());
    }
}
