package dev.limiter.jaxrs;

import java.util.Map;

/**
 * Provides the quota of each partition of a limit, such as that of a customer's contract. A CDI
 * bean of this type, named {@code @Named("contracts")}, is used by
 * <code>quota = "{bean:contracts}"</code> of {@code @RateLimited}.
 *
 * <pre>{@code
 * @ApplicationScoped @Named("contracts")
 * public class Contracts implements QuotaSource {
 *     public Quota of(Partition partition) {
 *         String user = partition.value("user"); // null if the key is {user|ip}, without a user
 *         return "acme".equals(user) ? Quota.of(250) : null; // null: that of the annotation
 *     }
 * }
 * }</pre>
 *
 * <p>The limiter keeps each answer for {@code limiter.quota.cache}, by default 10 s from the
 * beginning of the call, and at least for a pause from its arrival: the cache time, at most 1 s.
 * After the longer of the two, a change is in force.
 *
 * <ul>
 * <li>If many requests of one partition come together, the bean is called once.
 * <li>It is called on a thread of the limiter. Injected resources, such as a {@code DataSource},
 *     work; request-scoped beans, the user and the request's transaction are not there.
 * <li>{@code limiter.quota.threads} calls run at once, by default 8: if a call takes 20 ms, the
 *     bean answers 400 times a second. A call that would end too late for its request is not
 *     begun.
 * <li>A request waits at most 250 ms for an answer. If it is late, wrong or an exception, the
 *     partition keeps its last known quota, or else has that of the annotation. The request does
 *     not fail, and {@code limiter.quota.failures} counts it.
 * <li>Set time-outs: a call that never returns keeps its thread, and its partition keeps the quota
 *     from before the call.
 * </ul>
 */
@FunctionalInterface
public interface QuotaSource {

    /**
     * {@return the quota of a partition; null for that of the annotation}
     *
     * @param partition what the limit counts
     */
    Quota of(Partition partition);

    /**
     * One partition of one limit. It contains nothing else of a request, because all requests of
     * the partition share the answer.
     *
     * @param policy the name of the limit
     * @param values the values of the key by placeholder, without braces and without
     *     {@code ~fold}: {@code "user"} or {@code "header:X-Api-Key"}; a value is cut at 1,024
     *     characters
     */
    record Partition(String policy, Map<String, String> values) {
        /**
         * Copies the values.
         *
         * @param policy the name of the limit
         * @param values the values of the key by placeholder
         */
        public Partition {
            values = Map.copyOf(values);
        }

        /**
         * {@return the value of a placeholder; null if the partition lacks it} A request without a
         * value of its key is counted on its address, {@code "ip"}.
         *
         * @param placeholder without braces, such as {@code user}
         */
        public String value(String placeholder) {
            return values.get(placeholder);
        }

        /** Leaves out the values, which may be personal. */
        @Override
        public String toString() {
            return "Partition[policy=" + policy + ", values of " + values.keySet() + ']';
        }
    }

    /**
     * Limit and burst of a partition. If they break a rule of the limit's algorithm, they are not
     * used.
     *
     * @param limit units per window, at least 1; 0 if unlimited
     * @param burst units that may pass back to back; 0 for the burst of the annotation
     * @param unlimited whether the limit does not count the partition
     */
    record Quota(long limit, long burst, boolean unlimited) {
        private static final Quota UNLIMITED = new Quota(0, 0, true);

        /**
         * Refuses a limit for an unlimited partition.
         *
         * @param limit units per window; 0 if unlimited
         * @param burst units that may pass back to back; 0 for the burst of the annotation
         * @param unlimited whether the limit does not count the partition
         */
        public Quota {
            if (unlimited && (limit != 0 || burst != 0)) {
                throw new IllegalArgumentException(
                        "an unlimited quota must have neither limit nor burst, has " + limit + " and " + burst);
            }
        }

        /**
         * {@return a limit with the burst of the annotation}
         *
         * @param limit units per window, at least 1
         */
        public static Quota of(long limit) {
            return new Quota(limit, 0, false);
        }

        /**
         * {@return a limit and a burst, for {@code GCRA} and {@code TOKEN_BUCKET}}
         *
         * @param limit units per window, at least 1
         * @param burst units that may pass back to back; 0 for the burst of the annotation
         */
        public static Quota of(long limit, long burst) {
            return new Quota(limit, burst, false);
        }

        /** {@return the quota of a partition that the limit does not count} */
        public static Quota ofUnlimited() {
            return UNLIMITED;
        }
    }
}
