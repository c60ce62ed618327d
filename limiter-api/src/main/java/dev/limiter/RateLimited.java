package dev.limiter;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits how often a resource method may be called, or a resource class, an application or a
 * servlet as a whole.
 *
 * <pre>{@code
 * @POST @Path("{show}")
 * @RateLimited(name = "buyer", key = "{user}", algorithm = UNIFORM, limit = 1, window = "10s")
 * @RateLimited(name = "show", key = "{path:show}", algorithm = SLIDING_LOG, limit = 100, window = "10s")
 * public Ticket buy(@PathParam("show") String show) { ... }
 * }</pre>
 *
 * <p>You can put it on a resource method, a resource class, an interface of them, the
 * {@code Application}, an {@code HttpServlet}, or an annotation of your own. Limits of
 * application, class and method add up; {@link RateLimitExempt} makes exceptions. All limits of
 * one {@link #stage} are decided together: either all admit the request, or none is charged and
 * the client gets a 429. A wrong declaration fails the deployment, with a message that names the
 * place, the value and the rule.
 *
 * <p>Start with {@link #name}, {@link #key}, {@link #algorithm}, {@link #limit} and
 * {@link #window}. Some algorithms have {@link #burst}, {@link #refill}, {@link #borrow} or
 * {@link #maxWait}. If quotas differ by caller, use {@link #tier} with {@link #tiers}, or
 * {@link #quota}. The rest has defaults.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Repeatable(RateLimited.List.class)
public @interface RateLimited {

    /**
     * {@return the policy's name in headers, logs, metrics and settings; by default
     * {@code Resource.method}} Two places with the same name and the same members share one limit;
     * with different members they are an error. It has at most 100 characters of printable ASCII,
     * without quote or backslash. If an element carries several limits, each needs a name.
     */
    String name() default "";

    /**
     * {@return what this limit counts separately: text with placeholders, such as
     * <code>"{user|ip}"</code>} Each distinct value is a partition with a quota of its own. To
     * count all callers together, write {@code "'all'"}.
     *
     * <p>Placeholders: <code>{user}</code>, <code>{ip}</code>, <code>{endpoint}</code>,
     * <code>{verb}</code>, <code>{path:show}</code>, <code>{query:q}</code>,
     * <code>{header:X-Api-Key}</code>, <code>{cookie:c}</code>, <code>{form:username}</code> (of
     * an urlencoded form of at most 64 KiB), <code>{attribute:x}</code>,
     * <code>{claim:tenant}</code> of a MicroProfile JWT, <code>{bean:name}</code> of a CDI bean
     * that is a {@code KeyResolver}, and <code>#{...}</code> in Jakarta Expression Language. On the
     * method of a bean, which the module {@code limiter-cdi} limits, also <code>{param:to}</code>.
     *
     * <ul>
     * <li>{@code ~fold} after a name makes different spellings of one identity one key:
     *     <code>{form:username~fold}</code>.
     * <li>{@code |} tries the next alternative if the one before is missing or empty. The last may
     *     be a literal: <code>{header:X-Api-Key|'anonymous'}</code>.
     * <li>If all alternatives are missing, the request is counted on its client address.
     * </ul>
     */
    String key();

    /**
     * {@return how requests are counted: any {@link Algorithm} but {@code GATE}} There is no
     * default.
     */
    Algorithm algorithm();

    /**
     * {@return units per {@link #window}, or requests in flight for {@code CONCURRENCY}: at least
     * 1, below 2<sup>31</sup>}
     */
    long limit();

    /**
     * {@return the span of {@link #limit}, from 1 µs to 366 days: {@code "500ms"}, {@code "10s"},
     * {@code "1m30s"}, {@code "PT1M"}} Required, except for {@code CONCURRENCY}, which has none.
     *
     * <p>A {@code FIXED_WINDOW} may have a period of the calendar instead, such as {@code "1 day"}
     * or {@code "1 month Europe/Paris from 15"}: see
     * {@link dev.limiter.calendar.CalendarPeriod#parse}, and {@code docs/annotation.md} for time
     * zones and billing days of each caller.
     */
    String window() default "";

    /**
     * {@return how many units may pass back to back; 0 means {@link #limit}} Only for
     * {@code TOKEN_BUCKET} and {@code GCRA}.
     */
    long burst() default 0;

    /**
     * {@return whether tokens come back one by one, or together at the end of each window} Only
     * for {@code TOKEN_BUCKET}.
     */
    Refill refill() default Refill.SMOOTH;

    /**
     * {@return whether a request passes as soon as one token is there} If it costs more, the
     * bucket goes below zero, and the next requests wait until it is above again. Only for
     * {@code TOKEN_BUCKET}.
     */
    boolean borrow() default false;

    /**
     * {@return the longest time that a request may be held for its slot, from {@code "0s"} to 366
     * days} A request that would have to wait longer is rejected. Required for
     * {@code LEAKY_BUCKET}, and only allowed there.
     */
    String maxWait() default "";

    /**
     * {@return the caller's tier as an expression, such as <code>"{claim:plan}"</code>; empty for
     * none} A caller without a tier, or with one that {@link #tiers} does not list, has the
     * numbers of this annotation. The tier cannot come from a header, query, cookie, form or path,
     * because the caller could choose it.
     */
    String tier() default "";

    /** {@return limit and burst of each tier} */
    Tier[] tiers() default {};

    /**
     * {@return the CDI bean that knows the quota of each partition, as one placeholder such as
     * <code>"{bean:contracts}"</code>; empty for none} The bean is a
     * {@code dev.limiter.jaxrs.QuotaSource}. Where it has no quota, or fails, {@link #limit} and
     * {@link #burst} apply. You cannot combine it with {@link #tier}.
     */
    String quota() default "";

    /**
     * {@return the units that one request takes: a whole number, or a placeholder with a whole
     * number as its last alternative, <code>{query:size|'20'}</code>} Always 1 for
     * {@code CONCURRENCY} and {@code UNIFORM}.
     *
     * <ul>
     * <li>A value of the request below 1 counts as 1.
     * <li>A value that cannot be read, or is more than the limit can hold, counts as what the
     *     limit can hold. A {@code SOFT} limit counts values up to 2<sup>31</sup> − 1 exactly; one
     *     that is larger or cannot be read counts as the limit.
     * <li>With {@code "0"} the filter charges nothing, and the method takes the units by
     *     {@code RateLimits.reserve}. Not for {@code LEAKY_BUCKET}, {@code CONCURRENCY} and
     *     {@code UNIFORM}.
     * </ul>
     */
    String cost() default "1";

    /**
     * {@return the responses that count: {@code "401,403"}, {@code "5xx"}, or one negation,
     * {@code "!5xx"}; if it is empty, all count} The units are taken before the method runs, and
     * given back if the response does not count. So requests in flight hold units. Not for
     * {@code CONCURRENCY} and {@code LEAKY_BUCKET}.
     *
     * <ul>
     * <li>An exception without a mapper is a 500. A client that goes away counts.
     * <li>A response that cannot be written counts if its own status counts, or that of the
     *     response sent in its place.
     * <li>An error always counts if {@code Accept} names a range of types, such as
     *     <code>image/&#42;</code>, because it may replace another response.
     * </ul>
     */
    String countOn() default "";

    /**
     * {@return when the limit is decided} {@link Stage#BEFORE_MATCHING} is for the
     * {@code Application} only.
     */
    Stage stage() default Stage.AFTER_AUTHENTICATION;

    /** {@return how a request is decided when the store fails} */
    OnStoreFailure onStoreFailure() default OnStoreFailure.CONFIGURED;

    /**
     * {@return what happens to a request for which there is no room: it is rejected, only reported
     * ({@code SHADOW}), or passes and is counted ({@code SOFT}, for {@code FIXED_WINDOW} only)}
     */
    Enforcement enforcement() default Enforcement.ENFORCED;

    /** The container of repeated limits, which the compiler writes. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
    @interface List {
        /** {@return the repeated limits, in the order in which they are written} */
        RateLimited[] value();
    }
}
