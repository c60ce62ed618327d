package dev.limiter;

import dev.limiter.internal.store.Receipt;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Predicate;

/**
 * Whether a group of checks was admitted. Either every enforcing policy admitted and was charged,
 * or at least one rejected and nothing was charged. A policy {@linkplain Policy#rejects enforces}
 * if it is {@code ENFORCED}.
 */
public sealed interface Decision {

    /**
     * {@return one result for each check, in the order of the group, including soft and shadow
     * policies}
     */
    List<CheckResult> results();

    /**
     * {@return the instant of the decision on the store's clock, in µs since 1970; the same for
     * all policies of the group}
     */
    long atMicros();

    /**
     * {@return whether at least one result does not come from the store: see
     * {@link CheckResult#fallback}}
     */
    default boolean fallback() {
        List<CheckResult> results = results();
        for (int i = 0; i < results.size(); i++) { // without an iterator: each request asks
            if (results.get(i).fallback()) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether the request may pass} */
    default boolean admitted() {
        return this instanceof Admitted;
    }

    /**
     * The request may pass: every enforcing policy admitted and was charged. Of the others, those
     * that admitted were charged too.
     *
     * @param results one for each check; all results of enforcing policies are admitted
     * @param atMicros the instant of the decision on the store's clock, in µs since 1970
     * @param receipt what the store needs to give back what was charged
     */
    record Admitted(List<CheckResult> results, long atMicros, Receipt receipt) implements Decision {

        /**
         * Refuses results that contradict the admission.
         *
         * @param results as in the record
         * @param atMicros as in the record
         * @param receipt as in the record
         * @throws IllegalArgumentException if an enforcing policy did not admit
         */
        public Admitted {
            results = List.copyOf(results);
            if (anyFails(results)) {
                throw new IllegalArgumentException("not every policy that enforces has admitted: " + results);
            }
        }

        /**
         * {@return how long to hold the request before it runs; zero without a
         * {@code LEAKY_BUCKET}}
         */
        public Duration runAfter() {
            long micros = 0;
            for (CheckResult result : results) {
                if (result.policy().rejects()) {
                    micros = Math.max(micros, result.runAfterMicros());
                }
            }
            return Duration.of(micros, ChronoUnit.MICROS);
        }

        /**
         * {@return the part of this admission that concerns some of its policies, to be
         * {@linkplain RateLimiter#refund given back} alone} For example, a lease comes back when
         * the work is done, while the quota stays spent. Each unit comes back once, by the part or
         * by the whole.
         *
         * @param policies selects them
         */
        public Admitted only(Predicate<Policy> policies) {
            List<CheckResult> chosen = results.stream()
                    .filter(result -> policies.test(result.policy()))
                    .toList();
            return new Admitted(chosen, atMicros, receipt.only(policies));
        }
    }

    /**
     * The request may not pass: at least one enforcing policy rejected, and nothing was charged.
     *
     * @param results one for each check; at least one of an enforcing policy that did not admit
     * @param atMicros the instant of the decision on the store's clock, in µs since 1970
     */
    record Rejected(List<CheckResult> results, long atMicros) implements Decision {

        /**
         * Refuses results that contradict the rejection.
         *
         * @param results as in the record
         * @param atMicros as in the record
         * @throws IllegalArgumentException if every enforcing policy admitted
         */
        public Rejected {
            results = List.copyOf(results);
            if (!anyFails(results)) {
                throw new IllegalArgumentException("every policy that enforces has admitted: " + results);
            }
        }

        /**
         * {@return the results of enforcing policies that rejected, at least one, in the order of
         * the group}
         */
        public List<CheckResult> failing() {
            return results.stream().filter(Decision::isFailing).toList();
        }

        /**
         * {@return how long to wait until the same request passes, if no other request comes: the
         * longest wait among the failing policies}
         */
        public Duration retryAfter() {
            long micros = 0;
            for (CheckResult result : results) {
                if (isFailing(result)) {
                    micros = Math.max(micros, result.retryAfterMicros());
                }
            }
            return Duration.of(micros, ChronoUnit.MICROS);
        }

        /**
         * {@return {@link #retryAfter} for {@code Retry-After} and the body of a response: in
         * whole seconds, rounded up, at least 1}
         *
         * <p>A wait of 0.4 s is 1, and 1.2 s is 2. {@link Duration#toSeconds} would give 0 and 1.
         */
        public long retryAfterSeconds() {
            return NotAdmittedException.wholeSeconds(retryAfter());
        }
    }

    private static boolean anyFails(List<CheckResult> results) {
        for (int i = 0; i < results.size(); i++) {
            if (isFailing(results.get(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFailing(CheckResult result) {
        return !result.admitted() && result.policy().rejects();
    }
}
