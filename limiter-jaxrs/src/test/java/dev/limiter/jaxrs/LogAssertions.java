package dev.limiter.jaxrs;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The expected messages of the deployment for a declaration of the corpus, line by line. On a
 * class they are those of all its methods together.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface LogAssertions {
    String[] value();
}
