package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.enterprise.context.ApplicationScoped;

/** A service whose methods have limits. */
@ApplicationScoped
public class LimitedMail {

    @RateLimited(
            name = "mail",
            key = "{user|'nobody'}/{param:to|'none'}",
            algorithm = Algorithm.SLIDING_LOG,
            limit = 2,
            window = "1h")
    public String send(String to) {
        return "sent to " + to;
    }

    @RateLimited(name = "starts", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 100, window = "1h")
    public void start() {
        // only counts
    }

    @RateLimited(name = "both", key = "'all'", algorithm = Algorithm.SLIDING_LOG, limit = 3, window = "1h")
    public void share() {
        // only counts
    }
}
