package dev.limiter.servers.war;

import static dev.limiter.Algorithm.GCRA;

import dev.limiter.RateLimited;
import jakarta.enterprise.context.ApplicationScoped;

/** A limit that cannot hold. */
@ApplicationScoped
public class WrongBean {
    @RateLimited(key = "{ip}", algorithm = GCRA, limit = 1, window = "1h")
    public void never() {
        // refused
    }
}
