package dev.limiter;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits how often a resource method, all the methods of a resource class together, all of an
 * application, or a servlet may be called.
 *
 * <pre>{@code
 * @POST @Path("{show}")
 * @RateLimited(name = "buyer", key = "{user}", algorithm = UNIFORM, limit = 1, window = "10s")
 * @RateLimited(name = "show", key = "{path:show}", algorithm = SLIDING_LOG, limit = 100, window = "10s")
 * public Ticket buy(@PathParam("show") String show) { ... }
 * }</pre>
 *
 * <p>It stands on a resource method, a resource class, an interface of them, the
 * {@code Application}, an {@code HttpServlet}, or on an annotation of the application that then
 * stands for all the limits it carries. Limits of application, class and method add up;
 * {@link RateLimitExempt} takes out. All limits of one {@link #stage} are decided together: all
 * admit, or nothing is charged and the client is answered 429. A wrong declaration fails the
 * deployment with a message that names the annotation, the member, the place, the value and the
 * rule.
 *
 * <p>Always: {@link #name}, {@link #key}, {@link #algorithm}, {@link #limit}, {@link #window}.
 * For some algorithms: {@link #burst}, {@link #refill}, {@link #borrow}, {@link #maxWait}. For
 * quotas that differ by caller: {@link #tier}, {@link #tiers}, {@link #quota}. The rest:
 * {@link #cost}, {@link #countOn}, {@link #stage}, {@link #onStoreFailure}, {@link #enforcement}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Repeatable(RateLimited.List.class)
public @interface RateLimited {

    /**
     * {@return the policy's name in response headers, logs and configuration; by default
     * {@code Resource.method}} The same name with the same members in two places is one shared
     * bucket; with different members it is an error. Printable ASCII without quote or backslash,
     * at most 100 characters. Required where an element carries more than one limit.
     */
    String name() default "";

    /**
     * {@return what this limit counts: text with placeholders, such as <code>"{user|ip}"</code>}
     * Each distinct value is a partition with a quota of its own. A single partition for all
     * callers is written {@code "'all'"}.
     *
     * <p>Placeholders: <code>{user}</code>, <code>{ip}</code>, <code>{endpoint}</code>,
     * <code>{verb}</code>, <code>{path:show}</code>, <code>{query:q}</code>,
     * <code>{header:X-Api-Key}</code>, <code>{cookie:c}</code>, <code>{form:username}</code> (of
     * an urlencoded form of at most 64 KiB), <code>{attribute:x}</code>,
     * <code>{claim:tenant}</code> of a MicroProfile JWT, <code>{bean:name}</code> of a CDI bean
     * that is a {@code KeyResolver}, and <code>#{...}</code> in Jakarta Expression Language.
     * {@code ~fold} after a name makes spellings of one identity one key:
     * <code>{form:username~fold}</code>. {@code |} tries the next alternative when the one
     * before is missing or empty; the last may be a literal:
     * <code>{header:X-Api-Key|'anonymous'}</code>. When all are missing, the request is counted
     * on its client address.
     */
    String key();

    /**
     * {@return what is promised: see {@link Algorithm}; any but {@code GATE}} There is no
     * default.
     */
    Algorithm algorithm();

    /**
     * {@return units per {@link #window}, for {@code CONCURRENCY} requests in flight: at least
     * 1, below 2<sup>31</sup>}
     */
    long limit();

    /**
     * {@return the span of {@link #limit}, from 1 µs to 366 days: {@code "500ms"},
     * {@code "10s"}, {@code "1m30s"}, {@code "PT1M"}; for {@code FIXED_WINDOW} also a period of
     * the calendar} Required, except for {@code CONCURRENCY}, which has none.
     *
     * <p>A period is in UTC or a time zone, and may have an anchor, from which it begins:
     * {@code "1 day"}, {@code "1 month Europe/Paris from 15"}; see
     * {@link dev.limiter.calendar.CalendarPeriod#parse}. For weeks the anchor is 1 (Monday) to 7,
     * for months 1 to 31 (a shorter month begins on its last day), for quarters and years
     * {@code MM-dd}, for all of these also a date. Zone and anchor may be what is known of the
     * caller, <code>"1 month {claim:zone|'UTC'} from {claim:billing_day|'1'}"</code>. They may
     * not come from what the caller writes: it could move its own period. All callers of a
     * partition must have the same anchor and zone, since the first request of a period decides
     * where it ends. However a caller's anchor or zone moves, each period lasts at least as long
     * as the shortest of its unit: a month 28 days less 3 hours. A caller without a usable anchor
     * has the periods of no anchor, and one without a usable zone has those of UTC.
     */
    String window() default "";

    /**
     * {@return how many may pass back to back; 0 means {@link #limit}} Only for
     * {@code TOKEN_BUCKET} and {@code GCRA}.
     */
    long burst() default 0;

    /**
     * {@return whether tokens drip in or come back together at the end of each window} Only for
     * {@code TOKEN_BUCKET}.
     */
    Refill refill() default Refill.SMOOTH;

    /**
     * {@return whether a request passes as soon as one token is there, whatever it costs; the
     * bucket goes below zero, and the next requests wait until it is above again} Only for
     * {@code TOKEN_BUCKET}.
     */
    boolean borrow() default false;

    /**
     * {@return the longest a request may be held for its slot, from {@code "0s"} to 366 days; a
     * request that would wait longer is rejected} Required for {@code LEAKY_BUCKET}, and only
     * there.
     */
    String maxWait() default "";

    /**
     * Names the caller's tier, such as <code>"{claim:plan}"</code>; without a tier, or with one
     * that {@link #tiers} does not have, the members above hold. Not from a header, a query, a
     * cookie, a form or a path: the caller could choose it.
     *
     * @return an expression; empty for none
     */
    String tier() default "";

    /** {@return limit and burst of each tier} */
    Tier[] tiers() default {};

    /**
     * Names the CDI bean that has the quota of each partition, such as
     * <code>"{bean:contracts}"</code>, of the type {@code dev.limiter.jaxrs.QuotaSource}.
     * {@link #limit} and {@link #burst} hold where the bean has none, or fails. Not beside
     * {@link #tier}.
     *
     * @return one placeholder, <code>{bean:name}</code>; empty for none
     */
    String quota() default "";

    /**
     * {@return units that one request takes: a whole number, or a placeholder that ends in one,
     * <code>{query:size|'20'}</code>} A value below 1 counts as 1. A value that cannot be read,
     * or is more than the limit can hold, counts as what the limit can hold. A {@code SOFT} limit
     * counts values up to 2<sup>31</sup> − 1 exactly; one that is more, or cannot be read, counts
     * as the limit. Always 1 for {@code CONCURRENCY} and {@code UNIFORM}.
     *
     * <p>{@code "0"}: the filter charges nothing, and the method reserves the units by
     * {@code RateLimits.reserve}. Not for {@code LEAKY_BUCKET}, {@code CONCURRENCY} and
     * {@code UNIFORM}.
     */
    String cost() default "1";

    /**
     * {@return which responses count: {@code "401,403"}, {@code "5xx"}, or one negation,
     * {@code "!5xx"}; every response if it is empty} The units are reserved before the method
     * runs and given back when the response is none of these, so requests in flight hold units.
     * An exception that nothing maps is a 500; a client that goes away counts. A response that
     * cannot be written counts by its own status, and by that of the response in its place. An
     * error counts if {@code Accept} names a range of types, such as <code>image/&#42;</code>:
     * it may stand in the place of another response. Not for {@code CONCURRENCY} and
     * {@code LEAKY_BUCKET}.
     */
    String countOn() default "";

    /**
     * {@return when it is decided} {@link Stage#BEFORE_MATCHING} is for the {@code Application}
     * only.
     */
    Stage stage() default Stage.AFTER_AUTHENTICATION;

    /** {@return what happens when the store fails} */
    OnStoreFailure onStoreFailure() default OnStoreFailure.CONFIGURED;

    /**
     * {@return what becomes of a request for which there is no room: it is rejected, passes and
     * is counted ({@code SOFT}, for {@code FIXED_WINDOW} only), or only reported
     * ({@code SHADOW})}
     */
    Enforcement enforcement() default Enforcement.ENFORCED;

    /** The container of repeated limits; written by the compiler. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
    @interface List {
        /** {@return the repeated limits, in the order in which they were written} */
        RateLimited[] value();
    }
}
