package dev.limiter.cdi.internal;

import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the tools that {@link ToolInterceptor} sees; {@link BeanLimitsExtension} sets it. It is public,
 * because beans may have another class loader.
 */
@InterceptorBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface ToolCalls {}
