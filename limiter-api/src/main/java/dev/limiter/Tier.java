package dev.limiter;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Another limit and burst for callers of one tier: {@code @Tier(name = "gold", limit = 6000)}. The
 * partition stays the same. So a caller that changes its tier within a window keeps its usage, and
 * the new limit counts from the next request on.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface Tier {

    /**
     * {@return the value of {@link RateLimited#tier()} for these callers} Printable ASCII without
     * blank, dot, quote or backslash.
     */
    String name();

    /** {@return units per window; 0 leaves {@link RateLimited#limit()} as it is} */
    long limit() default 0;

    /**
     * {@return how many units may pass back to back; 0 leaves {@link RateLimited#burst()} as it
     * is}
     */
    long burst() default 0;

    /** {@return whether this limit does not count these callers} Set no other member then. */
    boolean unlimited() default false;
}
