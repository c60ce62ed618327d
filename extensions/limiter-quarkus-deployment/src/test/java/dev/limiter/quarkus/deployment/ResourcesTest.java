package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Application;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResourcesTest {
    @Path("overloads")
    private static final class Overloads {
        @GET
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        public void first() {}

        @GET
        public void first(int other) {}

        @GET
        public void second() {}

        @GET
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        public void second(int other) {}
    }

    @Path("free")
    private static final class Free {
        @GET
        public void third() {}
    }

    @Test
    void onlyMethodsThatNoLimitCountsAreFree() {
        Set<Class<?>> roots = Set.of(Overloads.class, Free.class);
        assertThat(new ResourcesBuildItem(Application.class, roots, roots, false, false).free())
                .containsExactly(Free.class.getName() + "#third");
    }
}
