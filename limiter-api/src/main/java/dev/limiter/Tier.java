package dev.limiter;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Another limit and burst, for callers of one tier: {@code @Tier(name = "gold", limit = 6000)}.
 * The partition stays the same. A caller that changes tiers in the middle of a window keeps its
 * usage. The new limit counts from the next request on.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface Tier {

    /**
     * {@return what {@link RateLimited#tier()} yields for these callers} Printable ASCII without
     * blank, dot, quote or backslash.
     */
    String name();

    /** {@return units per window, instead of {@link RateLimited#limit()}; 0 keeps that} */
    long limit() default 0;

    /**
     * {@return how many may pass back to back, instead of {@link RateLimited#burst()}; 0 keeps
     * that}
     */
    long burst() default 0;

    /**
     * {@return whether this limit does not count these callers at all; then there is no other
     * member}
     */
    boolean unlimited() default false;
}
