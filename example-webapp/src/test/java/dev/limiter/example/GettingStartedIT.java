package dev.limiter.example;

import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.guide.Guide;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of {@code docs/getting-started.md}, in their order, on the WAR that the build has packaged of exactly its files, in a Tomcat
 * as one downloads it. Two addresses differ: Tomcat's port and Redis'.
 */
class GettingStartedIT {
    private static final Path PROJECT = Guide.PROJECT.resolve("example-first-war");

    private final List<String> commands = Guide.blocksOf("docs/getting-started.md").stream()
            .filter(block -> block.kind().equals("sh"))
            .map(Guide.Block::text)
            .toList();

    @TempDir
    private Path directory;

    @Test
    void aWarFromNothingIsLimitedAndThenSharesItsLimits() throws Exception {
        assertThat(commands).hasSize(6);
        assertThat(commands.get(0)).as("this the build has done").isEqualTo("mvn package\n");
        Path home = TomcatServer.home();
        int port = TomcatServer.configure(home);
        String animals = "http://localhost:" + port + "/zoo/api/animals";
        boolean curl = isInstalled("curl");
        try (TomcatServer tomcat = TomcatServer.start(commands.get(1), PROJECT, home, directory.resolve("first.log"))) {
            tomcat.awaitAnswer(animals);
            assumeTrue(curl, "curl is not installed");
            String statuses = run(commands.get(2).replace("localhost:8080", "localhost:" + port));
            assertThat(statuses.strip()).isEqualTo("200 200 200 200 200 200 200 200 200 200 429");
            String refused = run(commands.get(3).replace("localhost:8080", "localhost:" + port));
            assertThat(refused)
                    .contains("HTTP/1.1 429", "RateLimit-Policy: \"animals\";q=10;w=600", "Retry-After: ")
                    .contains("\"violated-policies\":[\"animals\"]");
            assertThat(tomcat.log())
                    .contains("Rate limits in force on zoo.AnimalResource")
                    .contains("limiter.redis.uri is not set: the limits of \"/zoo\" are held in memory");
        }
        try (RedisServer redis = RedisServer.start();
                TomcatServer tomcat = TomcatServer.start(
                        commands.get(4).replace("redis://localhost:6379", redis.uri()),
                        PROJECT,
                        home,
                        directory.resolve("second.log"))) {
            tomcat.awaitAnswer(animals);
            assertThat(get(animals).statusCode()).isEqualTo(200);
            assertThat(redis.command("DBSIZE")).as("one address").hasToString("1");
            if (isInstalled("redis-cli")) {
                assertThat(run(commands.get(5).replace("redis://localhost:6379", redis.uri())))
                        .matches("rl:/zoo:[\\w-]{11}:\\{[\\w-]{22}}\n");
            }
        }
    }

    private static boolean isInstalled(String program) throws Exception {
        boolean installed = new ProcessBuilder("sh", "-c", "command -v " + program + " >/dev/null")
                        .start()
                        .waitFor()
                == 0;
        if (!installed) {
            System.out.println("SKIPPED: " + program
                    + " is not installed; its commands in docs/getting-started.md were not tried");
        }
        return installed;
    }

    private static String run(String command) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-c", command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as("%s", command).isZero();
        return output;
    }

    /** What earlier runs may have left. */
    static {
        try {
            Files.deleteIfExists(TomcatServer.home().resolve("webapps/zoo.war"));
        } catch (IOException stays) {
            throw new ExceptionInInitializerError(stays);
        }
    }
}
