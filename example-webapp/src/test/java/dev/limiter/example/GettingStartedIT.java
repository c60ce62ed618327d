package dev.limiter.example;

import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.guide.Guide;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of {@code docs/getting-started.md} and those for Tomcat in {@code docs/stacks.md},
 * in their order, on the WARs that the build has packaged of exactly their files, in a Tomcat as
 * it is downloaded, but for the applications that come with it. Two addresses differ, Tomcat's
 * port and Redis', and a decision may take as long as it takes on a loaded machine. The second
 * page starts Tomcat as the first one ends, so one start serves both.
 */
class GettingStartedIT {
    private static final Path PROJECT = Guide.PROJECT.resolve("testing/example-first-war");
    private static final Path SERVICE = Guide.PROJECT.resolve("testing/example-service-war");

    private final List<String> commands = commands("docs/getting-started.md");
    private final List<String> service = commands("docs/stacks.md").subList(0, 6); // those of Helidon follow

    @TempDir
    private Path directory;

    /**
     * Also deploys a WAR with a wrong declaration, which Tomcat refuses, with the reason in the
     * console.
     */
    @Test
    void aWarFromNothingIsLimitedAndThenSharesItsLimits() throws Exception {
        assertThat(commands).hasSize(6);
        assertThat(commands.get(0)).as("this the build has done").isEqualTo("mvn package\n");
        Path home = TomcatServer.home();
        int port = TomcatServer.configure(home);
        String animals = "http://localhost:" + port + "/zoo/api/animals";
        boolean curl = isInstalled("curl");
        deployWrong(home);
        try (TomcatServer tomcat = TomcatServer.start(commands.get(1), PROJECT, home, directory.resolve("first.log"))) {
            tomcat.awaitAnswer(animals);
            assumeTrue(curl, "curl is not installed");
            String statuses = run(commands.get(2), port);
            assertThat(statuses.strip()).isEqualTo("200 200 200 200 200 200 200 200 200 200 429");
            String refused = run(commands.get(3), port);
            assertThat(refused)
                    .contains("HTTP/1.1 429", "RateLimit-Policy: \"animals\";q=10;w=600", "Retry-After: ")
                    .contains("\"violated-policies\":[\"animals\"]");
            assertThat(tomcat.log())
                    .contains("Rate limits in force on zoo.AnimalResource")
                    .contains("limiter.redis.uri is not set: the limits of \"/zoo\" are held in memory")
                    .contains(
                            "Limits cannot be put in force: @RateLimited.key on Parameter.get: no path parameter \"show\" in"
                                    + " \"wrong\"");
            assertThat(get(animals.replace("/zoo/", "/wrong/")).statusCode())
                    .as("it is not there")
                    .isEqualTo(404);
        } finally {
            undeploy("wrong", home);
        }
        assertThat(service.get(0)).as("this the build has done").isEqualTo("mvn package\n");
        assertThat(service.get(1)).as("one start serves both pages").endsWith(commands.get(4));
        try (RedisServer redis = RedisServer.start();
                TomcatServer tomcat = TomcatServer.start(
                        service.get(1).replace("redis://localhost:6379", redis.uri() + " -Dlimiter.redis.deadline=20s"),
                        SERVICE,
                        home,
                        directory.resolve("second.log"))) {
            tomcat.awaitAnswer(animals);
            assertThat(get(animals).statusCode()).isEqualTo(200);
            assertThat(redis.command("DBSIZE")).as("one address").hasToString("1");
            if (isInstalled("redis-cli")) {
                assertThat(run(commands.get(5).replace("redis://localhost:6379", redis.uri())))
                        .matches("rl:/zoo:[\\w-]{11}:\\{[\\w-]{22}}\n");
            }
            tomcat.awaitAnswer("http://localhost:" + port + "/tickets/api/metrics");
            aServiceDoesWhatItsPageSays(port, tomcat, redis);
        }
    }

    /**
     * CDI injects into the resource and into a bean, the proxy is believed, and configuration
     * has the last word.
     */
    private void aServiceDoesWhatItsPageSays(int port, TomcatServer tomcat, RedisServer redis) throws Exception {
        assertThat(run(service.get(2), port).lines())
                .hasSize(4)
                .startsWith(
                        "a ticket for circus, a mail, 2 left",
                        "a ticket for circus, a mail, 1 left",
                        "a ticket for circus, no mail, 0 left");
        String refused = run(service.get(3), port);
        assertThat(refused).contains("HTTP/1.1 429", "Content-Type: application/json");
        assertThat(number("\\{\"error\":\"too many requests\",\"retryAfterSeconds\":(\\d+)}", refused))
                .isBetween(1L, 600L)
                .isEqualTo(number("Retry-After: (\\d+)", refused));
        assertThat(run(service.get(4), port)).isEqualTo("a ticket for circus, no mail, 2 left\n");
        assertThat(run(service.get(5), port).lines())
                .contains(
                        "limiter_decisions_total{outcome=\"admitted\",policy=\"buyer\"} 4.0",
                        "limiter_decisions_total{outcome=\"rejected\",policy=\"buyer\"} 2.0");
        assertThat(tomcat.log())
                .contains("Rate limits in force on tickets.TicketResource")
                .contains("annotation, configuration: limit=3");
        redis.close();
        assertThat(run(service.get(4).replace("curl -s", "curl -s -i"), port))
                .as("of a client whose rejection no instance remembers")
                .contains("HTTP/1.1 503", "Retry-After: 1", "{\"error\":\"no decision\",\"retryAfterSeconds\":1}");
    }

    private static long number(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as("%s in %s", pattern, text).isTrue();
        return Long.parseLong(found.group(1));
    }

    private static List<String> commands(String page) {
        return Guide.blocksOf(page).stream()
                .filter(block -> block.kind().equals("sh"))
                .map(Guide.Block::text)
                .toList();
    }

    private static String run(String command, int port) throws IOException, InterruptedException {
        return run(command.replace("localhost:8080", "localhost:" + port));
    }

    /** The same WAR with one more resource. */
    private static void deployWrong(Path home) {
        WebArchive wrong = ShrinkWrap.create(ZipImporter.class, "wrong.war")
                .importFrom(PROJECT.resolve("target/zoo.war").toFile())
                .as(WebArchive.class);
        for (String each : List.of("Wrong", "Wrong$Parameter")) {
            String file = "dev/limiter/example/wars/" + each + ".class";
            wrong.addAsWebInfResource(new File(System.getProperty("test.classes"), file), "classes/" + file);
        }
        wrong.as(ZipExporter.class).exportTo(home.resolve("webapps/wrong.war").toFile(), true);
    }

    /** Takes away the WAR and what Tomcat has made of it. */
    private static void undeploy(String name, Path home) throws IOException {
        Path webapps = home.resolve("webapps");
        Files.deleteIfExists(webapps.resolve(name + ".war"));
        try (Stream<Path> files = Files.walk(Files.createDirectories(webapps.resolve(name)))) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }

    private static boolean isInstalled(String program) throws Exception {
        boolean installed = new ProcessBuilder("sh", "-c", "command -v " + program + " >/dev/null")
                        .start()
                        .waitFor()
                == 0;
        if (!installed) {
            System.out.println("SKIPPED: " + program + " is not installed; its commands in the guide were not tried");
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

    /** Removes files that earlier runs may have left. */
    static {
        try {
            Files.deleteIfExists(TomcatServer.home().resolve("webapps/zoo.war"));
            Files.deleteIfExists(TomcatServer.home().resolve("webapps/tickets.war"));
        } catch (IOException stays) {
            throw new ExceptionInInitializerError(stays);
        }
    }
}
