package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.Stage;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Limits on every request, on callers that may guess passwords, and on every user. */
@ApplicationPath("/")
@RateLimited(
        name = "flood",
        key = "{ip}",
        algorithm = Algorithm.SLIDING_LOG,
        limit = 20,
        window = "1h",
        stage = Stage.BEFORE_MATCHING)
@RateLimited(
        name = "verbs",
        key = "{verb}",
        algorithm = Algorithm.SLIDING_LOG,
        limit = 100,
        window = "1h",
        stage = Stage.BEFORE_MATCHING)
@RateLimited(
        name = "guess",
        key = "{ip}",
        algorithm = Algorithm.SLIDING_LOG,
        limit = 10,
        window = "1h",
        stage = Stage.BEFORE_AUTHENTICATION)
@RateLimited(name = "each", key = "{user}", algorithm = Algorithm.SLIDING_LOG, limit = 5, window = "1h")
public class GuardedApplication extends Application {}
