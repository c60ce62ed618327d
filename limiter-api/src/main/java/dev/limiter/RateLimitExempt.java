package dev.limiter;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Takes a resource method out of limits that its class declares. Limits on the method itself stay in force, so a class
 * limit is replaced on one method by exempting it and declaring another.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface RateLimitExempt {

    /** Names of the policies that do not apply here; none means all. A name that no limit of the class has is an error. */
    String[] value() default {};
}
