package dev.limiter.jaxrs;

import dev.limiter.Algorithm;
import dev.limiter.Answer;
import dev.limiter.Decision;
import dev.limiter.Group;
import dev.limiter.Patience;
import dev.limiter.RateLimiter;
import dev.limiter.StoreUnavailableException;
import dev.limiter.spi.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * Holds a request until its slot. Jakarta REST cannot suspend in a request filter, so a thread is held; not more of them than
 * the server can spare: whoever comes when as many are waiting gives its slot back and is rejected. A virtual thread costs the
 * server next to nothing while it waits, and is never turned away.
 */
final class Delay {
    private final Semaphore places;
    private final Patience patience;
    private final BooleanSupplier waitsForFree;
    private final StoreFailureLog failures;

    /**
     * @param maxWaiting requests that may hold a thread at once; at least 0
     * @param waitsForFree whether the present thread may wait without being counted
     */
    Delay(int maxWaiting, Patience patience, BooleanSupplier waitsForFree, StoreFailureLog failures) {
        this.places = new Semaphore(maxWaiting);
        this.patience = patience;
        this.waitsForFree = waitsForFree;
        this.failures = failures;
    }

    static Delay configured(Settings settings, StoreFailureLog failures) {
        int maxWaiting = settings.integer("limiter.delay.max-waiting", 50, 0, 100_000);
        return new Delay(maxWaiting, Patience.ofThreads(), VirtualThreads::isCurrent, failures);
    }

    /**
     * Returns when the request may run, or must not.
     *
     * @param decision that of the group
     * @return the same if it may run; else a rejection that answers all demands of the group
     * @throws StoreUnavailableException if the thread was interrupted, as servers do when they stop
     */
    Decision untilItsSlot(Decision decision, Group group, RateLimiter limiter) {
        if (!(decision instanceof Decision.Admitted admission)
                || admission.runAfter().isZero()) {
            return decision;
        }
        if (waitsForFree.getAsBoolean()) {
            return waited(admission, limiter);
        }
        if (!places.tryAcquire()) {
            return crowdedOut(admission, group, limiter);
        }
        try {
            return waited(admission, limiter);
        } finally {
            places.release();
        }
    }

    private Decision waited(Decision.Admitted admission, RateLimiter limiter) {
        try {
            return patience.atItsSlot(limiter, admission);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailableException("interrupted while waiting for a slot", interrupted);
        }
    }

    /** The slot would have been there, but no thread to wait for it: the same as a rejection until the slot. */
    private Decision crowdedOut(Decision.Admitted admission, Group group, RateLimiter limiter) {
        List<Answer> answers = new ArrayList<>();
        for (Answer answer : afterwards(admission, group, limiter)) {
            boolean held = answer.policy().algorithm() == Algorithm.LEAKY_BUCKET
                    && !answer.policy().shadow();
            answers.add(held ? rejectedUntil(admission.runAfter().toNanos() / 1_000, answer) : answer);
        }
        return new Decision.Rejected(answers, admission.atMicros());
    }

    /** What the policies say when everything is given back. A store that fails now makes no failure of a rejection. */
    private List<Answer> afterwards(Decision.Admitted admission, Group group, RateLimiter limiter) {
        try {
            limiter.refund(admission);
            return limiter.peek(group);
        } catch (StoreUnavailableException unavailable) {
            failures.log(unavailable, "what a request took for which there was no thread to wait may stay spent");
            return admission.answers();
        }
    }

    private static Answer rejectedUntil(long slotMicros, Answer answer) {
        return new Answer(
                answer.policy(),
                false,
                answer.remaining(),
                0,
                slotMicros,
                answer.nextAfterMicros(),
                answer.resetAfterMicros(),
                answer.fallback());
    }
}
