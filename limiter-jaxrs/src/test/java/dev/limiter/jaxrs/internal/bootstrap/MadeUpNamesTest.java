package dev.limiter.jaxrs.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.local.internal.memory.PartitionEntry;
import dev.limiter.local.internal.memory.PartitionTable;
import dev.limiter.testkit.heap.LiveObjects;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Callers that make up names, beside one that has spent its day. */
class MadeUpNamesTest {
    @Path("/")
    public static class Resource {
        @GET
        @Path("brief")
        @RateLimited(name = "brief", key = "{header:Name}", algorithm = Algorithm.GCRA, limit = 10, window = "5ms")
        public String brief() {
            return "in";
        }

        @GET
        @Path("daily")
        @RateLimited(name = "daily", key = "{header:Name}", algorithm = Algorithm.GCRA, limit = 1, window = "1d")
        public String daily() {
            return "in";
        }
    }

    @Test
    void whoeverCameAMomentAgoTakesNoMemory() {
        try (RestServer server = new RestServer(new MapSettings(), true, new Resource())) {
            long before = LiveObjects.count(PartitionEntry.class);
            get(server, "brief", "eldest");
            get(server, "daily", "alice");
            for (int i = 0; i < 3 * PartitionTable.SWEPT_ABOVE; i++) {
                get(server, "brief", "made up " + i);
            }
            assertThat(LiveObjects.count(PartitionEntry.class) - before).isBetween(1L, 2L * PartitionTable.SWEPT_ABOVE);
            assertThat(get(server, "daily", "alice")).isEqualTo(429);
        }
    }

    private static int get(RestServer server, String path, String name) {
        return server.ask("GET", "/" + path, Map.of("Name", name)).status();
    }
}
