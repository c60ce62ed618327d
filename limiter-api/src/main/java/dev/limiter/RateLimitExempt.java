package dev.limiter;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Takes a resource method out of limits of its class or of the application, or all methods of a
 * class out of limits of the application. Limits on the same element stay in force, so to replace
 * a class limit on one method, exempt the method and declare another limit. Limits that are
 * decided before matching know no method, and count it all the same.
 *
 * <p>Without a name it also says that an element has no limit on purpose: a method, a class, a
 * servlet, an {@code Application}, or a locator whose class is not known at deployment. With
 * {@code limiter.require-limits} each needs a limit or this annotation.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
public @interface RateLimitExempt {

    /**
     * {@return the names of the policies that do not apply here; none means all} A name that
     * neither the class nor the application has is an error.
     */
    String[] value() default {};
}
