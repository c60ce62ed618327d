package dev.limiter.quarkus.deployment;

import static io.quarkus.maven.dependency.Dependency.of;
import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.RedisServer;
import io.quarkus.builder.Version;
import io.quarkus.test.ProdBuildResults;
import io.quarkus.test.ProdModeTestResults;
import io.quarkus.test.QuarkusProdModeTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two processes of an MCP server, with one Redis. */
class TwoInstancesTest {
    @RegisterExtension
    static final QuarkusProdModeTest APPLICATION = Users.with(new QuarkusProdModeTest()
            .withApplicationRoot(jar -> jar.addClasses(Tools.class, Tools.Forecasts.class, Instance.Main.class))
            .setForcedDependencies(List.of(
                    of("io.quarkus", "quarkus-elytron-security-properties-file", Version.getVersion()),
                    of("io.quarkiverse.mcp", "quarkus-mcp-server-http", System.getProperty("quarkus-mcp.version")),
                    of("dev.limiter", "limiter-cdi", "0.1.0-SNAPSHOT"))));

    @ProdBuildResults
    ProdModeTestResults built;

    @Test
    void fourthCallOfAUserIsAnErrorThatTellsTheModelWhenToComeBack() throws Exception {
        try (RedisServer redis = RedisServer.start();
                Instance one = Instance.start(built.getBuiltArtifactPath(), redis);
                Instance other = Instance.start(built.getBuiltArtifactPath(), redis)) {
            Model ann = Model.of(one.root(), "ann");
            Model annElsewhere = Model.of(other.root(), "ann");
            assertThat(ann.call("weather")).contains("\"isError\":false");
            assertThat(annElsewhere.call("weather")).contains("\"isError\":false");
            assertThat(ann.call("weather")).contains("\"isError\":false");
            assertThat(annElsewhere.call("weather"))
                    .contains("\"isError\":true")
                    .containsPattern("Do not call it again for \\d+ seconds;");
            assertThat(ann.call("weather")).contains("\"isError\":true");
            assertThat(Model.of(other.root(), "bob").call("weather")).contains("\"isError\":false");
        }
    }
}
