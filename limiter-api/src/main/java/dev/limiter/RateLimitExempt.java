package dev.limiter;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Takes a resource method out of limits that its class or the application declares, or all
 * methods of a class out of those of the application. Limits on the same element stay in force.
 * To replace a class limit on one method, exempt the method and declare another limit. Limits
 * that are decided before matching know no method, and count it all the same.
 *
 * <p>Without a name it also says that there is no limit on purpose, where there is nothing to be
 * exempt from: on a method, a class, a servlet, an {@code Application}, or a locator whose class
 * is not known at deployment. {@code limiter.require-limits} asks for it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
public @interface RateLimitExempt {

    /**
     * {@return names of the policies that do not apply here; none means all} A name that neither
     * the class nor the application has is an error.
     */
    String[] value() default {};
}
