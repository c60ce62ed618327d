package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Counts uploads unless the server fails, and those in flight. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@RateLimited(
        name = "uploads",
        key = "'all'",
        algorithm = Algorithm.SLIDING_LOG,
        limit = 100,
        window = "1h",
        countOn = "!5xx")
@RateLimited(name = "uploading", key = "'all'", algorithm = Algorithm.CONCURRENCY, limit = 100)
public @interface Uploaded {}
