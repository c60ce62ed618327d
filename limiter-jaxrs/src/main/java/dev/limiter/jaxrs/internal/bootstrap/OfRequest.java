package dev.limiter.jaxrs.internal.bootstrap;

import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.inject.Qualifier;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** The limits that a request has, as a bean that exists only while there is a request. */
@Qualifier
@Retention(RetentionPolicy.RUNTIME)
@interface OfRequest {
    Literal LITERAL = new Literal();

    /** The annotation as a value. */
    final class Literal extends AnnotationLiteral<OfRequest> implements OfRequest {
        private static final long serialVersionUID = 1L;
    }
}
