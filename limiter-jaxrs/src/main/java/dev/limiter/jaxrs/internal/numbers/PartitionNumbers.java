package dev.limiter.jaxrs.internal.numbers;

import dev.limiter.InvalidPolicyException;
import dev.limiter.PartitionKey;
import dev.limiter.jaxrs.LimitNumbers;
import dev.limiter.jaxrs.internal.key.KeyValueSource;
import dev.limiter.jaxrs.internal.policy.EffectivePolicy;
import dev.limiter.jaxrs.internal.signals.NumbersFailure;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The numbers of one partition. The first request that needs an answer asks the bean; requests
 * that come meanwhile wait for the same answer. None waits longer than the patience after the
 * question: then what was known before holds, and the answer is used when it comes.
 */
final class PartitionNumbers {
    private final PolicyNumbers policy;
    private final PartitionKey key;
    private final Questions questions;
    private volatile KnownNumbers known;
    private Asked asked;
    private volatile boolean used;

    /** A question under way. */
    private static final class Asked {
        final CountDownLatch over = new CountDownLatch(1);
        final long begunNanos;
        boolean slow;

        Asked(long begunNanos) {
            this.begunNanos = begunNanos;
        }
    }

    PartitionNumbers(PolicyNumbers policy, PartitionKey key) {
        this.policy = policy;
        this.key = key;
        this.questions = policy.questions();
        this.known = new KnownNumbers(null, questions.now());
    }

    /** Notes a request after the first one. */
    void use() {
        if (!used) { // most requests need no write, which other processors would have to see
            used = true;
        }
    }

    /** Whether a request came after the first one, and since the last call of this method. */
    boolean takeUsed() {
        boolean since = used;
        used = false;
        return since;
    }

    /** The numbers in force; null if the partition is unlimited. */
    EffectivePolicy now() {
        KnownNumbers last = known;
        long now = questions.now();
        return (last.holdsAt(now) ? last : asked(now)).in(policy.policy());
    }

    private KnownNumbers asked(long now) {
        Asked question = question(now);
        if (question != null) {
            await(question, question.begunNanos + questions.patienceNanos() - now);
        }
        return known;
    }

    /** The question under way, or a new one; null if what is known holds by now. */
    private synchronized Asked question(long now) {
        if (asked == null && !known.holdsAt(now)) {
            ask(now);
        }
        return asked;
    }

    private void ask(long now) {
        Asked question = new Asked(now);
        try {
            LimitNumbers bean = policy.bean();
            asked = question;
            questions.threads().execute(() -> answer(question, bean));
        } catch (RejectedExecutionException busy) {
            failed(NumbersFailure.BUSY, null, now);
        } catch (RuntimeException lookup) {
            failed(NumbersFailure.THROWN, lookup, now);
        }
    }

    /** Asks the bean, on a thread of the limiter's. */
    private void answer(Asked question, LimitNumbers bean) {
        try {
            LimitNumbers.Numbers numbers = bean.of(new LimitNumbers.Partition(name(), values()));
            long arrived = questions.now();
            long until = question.begunNanos + questions.cacheNanos();
            long soonest = arrived + questions.pauseNanos();
            KnownNumbers answer = new KnownNumbers(numbers, until - soonest > 0 ? until : soonest);
            answer.check(policy.policy());
            learned(answer);
        } catch (InvalidPolicyException nonsense) {
            failed(NumbersFailure.INVALID, nonsense, questions.now());
        } catch (Throwable thrown) { // also an error, such as a class that is missing
            failed(NumbersFailure.THROWN, thrown, questions.now());
        } finally {
            question.over.countDown();
        }
    }

    private synchronized void learned(KnownNumbers answer) {
        known = answer;
        asked = null;
    }

    /** Keeps what was known before for a short time. */
    private void failed(NumbersFailure failure, Throwable why, long now) {
        synchronized (this) {
            known = known.until(now + questions.pauseNanos());
            asked = null;
        }
        questions.failures().failed(name(), failure, why);
    }

    private void await(Asked question, long nanos) {
        boolean over = false;
        try {
            over = question.over.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return;
        }
        if (!over && isFirstLate(question)) {
            questions.failures().failed(name(), NumbersFailure.SLOW, null);
        }
    }

    private synchronized boolean isFirstLate(Asked question) {
        boolean first = !question.slow;
        question.slow = true;
        return first;
    }

    /** The values by placeholder, without {@code ~fold} and without literals of the key. */
    private Map<String, String> values() {
        Map<String, String> values = new HashMap<>();
        key.values().forEach((name, value) -> values.putIfAbsent(KeyValueSource.unfolded(name), value));
        values.remove("literal");
        return values;
    }

    private String name() {
        return policy.policy().name();
    }
}
