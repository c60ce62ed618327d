package dev.limiter.servers;

import static dev.limiter.servers.Http.get;
import static dev.limiter.servers.Http.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import org.junit.jupiter.api.Test;

/**
 * The operator's view: events of rejections, the state of a caller and its key in Redis, and
 * health if the server has it.
 */
interface Operated extends Topic {

    @Test
    default void rejectionsAreObservedAndACallerIsFoundInRedis() {
        for (int left = 1; left >= 0; left--) {
            assertThat(limited("alice")).isEqualTo(200);
            String[] state = to(server()).get("operated/state/alice").asString().split(" ");
            assertThat(SharedRedis.keys()).contains(state[0]);
            assertThat(state[0]).startsWith("rl:/operated:").doesNotContain("alice");
            assertThat(state[1]).isEqualTo(Integer.toString(left));
        }
        assertThat(to(server()).get("operated/rejected").asString()).doesNotContain("tight");
        assertThat(limited("alice")).as("whatever an observer throws").isEqualTo(429);
        assertThat(to(server()).get("operated/rejected").asString()).endsWith("tight");
        String bob = to(server()).get("operated/state/bob").asString();
        assertThat(bob).endsWith(" 2");
        assertThat(SharedRedis.keys()).as("to look is not to write").doesNotContain(bob.split(" ")[0]);
    }

    @Test
    default void aJobReachesTheLimitsOnAThreadWithoutARequest() {
        assertThat(limited("dave")).isEqualTo(200);
        assertThat(to(server()).get("operated/job/dave").asString())
                .startsWith("1 there is no request here")
                .contains("inject DeployedLimits into a job");
        assertThat(limited("dave")).isEqualTo(200);
        assertThat(to(server()).get("operated/job/dave").asString()).startsWith("2 ");
    }

    @Test
    default void theLimiterIsReadyWhereTheServerAsks() {
        assertThat(limited("carol")).isEqualTo(200);
        Response health = get(URI.create(server().toString()).resolve("/health/ready"));
        assumeTrue(health.statusCode() == 200, "this server has no MicroProfile Health, or shows it elsewhere");
        assertThat(health.json())
                .extracting("checks", LIST)
                .filteredOn("name", "rate-limiter")
                .extracting("status", "data.store")
                .containsExactly(tuple("UP", "reachable"));
    }

    private int limited(String caller) {
        return to(server()).get("operated/limited/" + caller).statusCode();
    }
}
