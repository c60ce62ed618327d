package dev.limiter.jaxrs.internal.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.Algorithm;
import dev.limiter.RateLimited;
import dev.limiter.jaxrs.MapSettings;
import dev.limiter.testkit.ChildJvm;
import dev.limiter.testkit.RedisServer;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** An application without the module for operators: which classes it loads, and what it runs. */
class ModuleAbsentTest {
    /** Types of the limiter that are there for operators alone. */
    private static final Pattern FOR_OPERATORS = Pattern.compile(
            "dev\\.limiter\\..*(Operat|ChangedSettings|Usage|\\.Ban|InstanceRecord|CachedRejections).*");

    private static final String STATUS = "status ";
    private static final String THREAD = "thread ";

    /** In a JVM of its own: two requests that Redis decides, and one that it need not decide. */
    @Path("/")
    public static final class Scenario {
        @GET
        @RateLimited(name = "few", key = "{ip}", algorithm = Algorithm.GCRA, limit = 1, window = "1d")
        public String few() {
            return "in";
        }

        public static void main(String[] arguments) {
            MapSettings settings = new MapSettings()
                    .with("limiter.redis.uri", arguments[0])
                    .with("limiter.redis.deadline", "10s") // a new JVM on a busy machine is slow
                    .with("limiter.application", "absent");
            try (RestServer server = new RestServer(settings, true, new Scenario())) {
                for (int i = 0; i < 3; i++) {
                    System.out.println(STATUS + server.get("/").status());
                }
                Thread.getAllStackTraces().keySet().forEach(thread -> System.out.println(THREAD + thread.getName()));
            }
        }
    }

    @Test
    void onlyNamesForItAreLoadedAndNothingRuns() throws IOException {
        List<String> output;
        try (RedisServer redis = RedisServer.start()) {
            output = output(redis.uri());
        }
        assertThat(told(output, STATUS)).containsExactly("200", "429", "429");
        assertThat(told(output, THREAD))
                .filteredOn(name -> name.startsWith("limiter"))
                .allMatch("limiter-watchdog"::equals);
        assertThat(output.stream()
                        .map(line -> line.split(" |\\$\\$", 2)[0])
                        .filter(FOR_OPERATORS.asMatchPredicate())
                        .distinct())
                .as("types to which others refer by name, and an empty set of changes")
                .containsExactlyInAnyOrder(
                        "dev.limiter.internal.algorithm.Ban",
                        "dev.limiter.internal.store.CachedRejections",
                        "dev.limiter.internal.store.InstanceRecord",
                        "dev.limiter.jaxrs.internal.bootstrap.Operations",
                        "dev.limiter.jaxrs.internal.bootstrap.Operations$Provider",
                        "dev.limiter.jaxrs.internal.policy.OperatorChanges");
    }

    private static List<String> told(List<String> output, String what) {
        return output.stream()
                .filter(line -> line.startsWith(what))
                .map(line -> line.substring(what.length()))
                .toList();
    }

    private static List<String> output(String redis) throws IOException {
        Process process = new ProcessBuilder(
                        ChildJvm.command("-Xlog:class+load:stdout:none", Scenario.class.getName(), redis))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            return lines.lines().toList();
        } finally {
            process.destroyForcibly();
        }
    }
}
