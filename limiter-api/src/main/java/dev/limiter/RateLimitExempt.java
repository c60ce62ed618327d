package dev.limiter;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Takes a resource method out of limits that its class or the application declares, or all methods of a class out of those of
 * the application. Limits on the same element stay in force, so a class limit is replaced on one method by exempting it and
 * declaring another. What is decided before matching knows no method, and counts it all the same.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
public @interface RateLimitExempt {

    /**
     * {@return names of the policies that do not apply here; none means all} A name that neither has is an error.
     */
    String[] value() default {};
}
