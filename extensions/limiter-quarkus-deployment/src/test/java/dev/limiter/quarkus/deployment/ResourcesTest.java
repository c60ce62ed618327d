package dev.limiter.quarkus.deployment;

import static dev.limiter.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimited;
import jakarta.ws.rs.core.Application;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResourcesTest {
    private static final class Overloads {
        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        public void first() {}

        public void first(int other) {}

        public void second() {}

        @RateLimited(key = "{ip}", algorithm = FIXED_WINDOW, limit = 1, window = "1d")
        public void second(int other) {}
    }

    private static final class Free {
        public void third() {}
    }

    @Test
    void onlyMethodsThatNoLimitCountsAreFree() {
        Set<Class<?>> roots = Set.of(Overloads.class, Free.class);
        assertThat(new ResourcesBuildItem(Application.class, roots, roots, false).free())
                .contains(Free.class.getName() + "#third")
                .noneMatch(method -> method.contains("first") || method.contains("second"));
    }
}
