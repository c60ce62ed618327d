package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The limits of the charge table: units of each request, units of failures only, and requests in
 * flight.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@RateLimited(name = "units", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 100, window = "1h")
@RateLimited(
        name = "failures",
        key = "'all'",
        algorithm = Algorithm.SLIDING_LOG,
        limit = 100,
        window = "1h",
        countOn = "5xx")
@RateLimited(name = "flight", key = "'all'", algorithm = Algorithm.CONCURRENCY, limit = 100)
public @interface Counted {}
