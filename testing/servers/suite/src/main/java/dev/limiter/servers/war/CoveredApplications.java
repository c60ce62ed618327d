package dev.limiter.servers.war;

import dev.limiter.Algorithm;
import dev.limiter.RateLimitExempt;
import dev.limiter.RateLimited;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** Two applications of one WAR, which list classes in different ways. */
public final class CoveredApplications {
    private CoveredApplications() {}

    /** Has a limit for all its methods. */
    @ApplicationPath("first")
    @RateLimited(name = "first", key = "{ip}", algorithm = Algorithm.GCRA, limit = 100, window = "1s")
    public static class First extends Application {
        @Override
        public Set<Class<?>> getClasses() {
            return Set.of(Covered.Two.class, EndpointsResource.class, KeysResource.class);
        }
    }

    /** Has none on purpose, and lists an object. */
    @ApplicationPath("second")
    @RateLimitExempt
    public static class Second extends Application {
        @Override
        @SuppressWarnings("deprecation") // applications do so
        public Set<Object> getSingletons() {
            return Set.of(new Covered.Two(), new Covered.Locators(), new KeysResource());
        }
    }

    /** Lists a class without a limit. */
    @ApplicationPath("listing")
    public static class Listing extends Application {
        @Override
        public Set<Class<?>> getClasses() {
            return Set.of(Covered.Two.class);
        }
    }
}
