package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.Refill;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** 10,000 tokens that the method reserves; an error that settles nothing gives them back. */
@Retention(RetentionPolicy.RUNTIME)
@RateLimited(
        name = "tokens",
        key = "'all'",
        algorithm = Algorithm.TOKEN_BUCKET,
        refill = Refill.INTERVAL,
        limit = 10_000,
        window = "1h",
        cost = "0",
        countOn = "!5xx")
@interface Estimated {}
