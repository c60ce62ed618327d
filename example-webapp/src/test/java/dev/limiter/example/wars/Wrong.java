package dev.limiter.example.wars;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Resources that must not be deployed. */
public final class Wrong {
    private Wrong() {}

    /** No duration. */
    @Path("wrong")
    public static class Window {
        @GET
        @RateLimited(key = "{user}", algorithm = Algorithm.GCRA, limit = 5, window = "1 minute")
        public String get() {
            return "";
        }
    }

    /** No limit at all. */
    @Path("wrong")
    public static class Limit {
        @GET
        @RateLimited(key = "{user}", algorithm = Algorithm.GCRA, limit = 0, window = "10s")
        public String get() {
            return "";
        }
    }

    /** No such placeholder. */
    @Path("wrong")
    public static class Placeholder {
        @GET
        @RateLimited(key = "{usr}", algorithm = Algorithm.GCRA, limit = 5, window = "10s")
        public String get() {
            return "";
        }
    }

    /** Braces forgotten. */
    @Path("wrong")
    public static class Braces {
        @GET
        @RateLimited(key = "user", algorithm = Algorithm.GCRA, limit = 5, window = "10s")
        public String get() {
            return "";
        }
    }

    /** The path has no such parameter, which only its whole path can tell. */
    @Path("wrong")
    public static class Parameter {
        @GET
        @RateLimited(key = "{path:show}", algorithm = Algorithm.GCRA, limit = 5, window = "10s")
        public String get() {
            return "";
        }
    }

    /** Two limits without names. */
    @Path("wrong")
    public static class Unnamed {
        @GET
        @RateLimited(key = "{user}", algorithm = Algorithm.GCRA, limit = 5, window = "10s")
        @RateLimited(key = "{ip}", algorithm = Algorithm.GCRA, limit = 5, window = "10s")
        public String get() {
            return "";
        }
    }

    /** One name, two sets of members. */
    @Path("wrong")
    public static class OneName {
        @GET
        @RateLimited(name = "api", key = "{user}", algorithm = Algorithm.GCRA, limit = 5, window = "10s")
        public String get() {
            return "";
        }

        @GET
        @Path("other")
        @RateLimited(name = "api", key = "{user}", algorithm = Algorithm.GCRA, limit = 6, window = "10s")
        public String other() {
            return "";
        }
    }
}
