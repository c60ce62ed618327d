package dev.limiter.example;

import static dev.limiter.example.Http.remaining;
import static io.restassured.RestAssured.delete;
import static io.restassured.RestAssured.get;
import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of the README, compiled as they stand there, deployed, and asked. */
class ReadmeIT {

    @TempDir
    private Path directory;

    @Test
    void theFirstExampleCompilesAndDoesWhatItSays() throws Exception {
        assertThat(block("TicketResource").lines()).hasSizeLessThanOrEqualTo(12);
        try (OwnJetty jetty = new OwnJetty(directory)) {
            WebAppContext application = jetty.deploy(readme("TicketResource", ""));
            String tickets = jetty.url(application) + "tickets/";
            Response first = post(tickets + "circus");
            assertThat(first.asString()).isEqualTo("a ticket for circus");
            assertThat(remaining(first, "show")).isEqualTo(99);
            Response second = post(tickets + "circus");
            assertThat(second.statusCode()).isEqualTo(429);
            assertThat(remaining(second, "show")).isEqualTo(99);
        }
    }

    @Test
    void theLongExampleCompilesAndDoesWhatItSays() throws Exception {
        String owner = """
                limiter.policy.owner.key='all'
                limiter.policy.owner.algorithm=GCRA
                limiter.policy.owner.limit=1
                limiter.policy.owner.window=1h
                """;
        try (OwnJetty jetty = new OwnJetty(directory)) {
            String rows = jetty.url(jetty.deploy(readme("RowResource", owner))) + "rows";
            String first = get(rows + "?owner=zoo").asString();
            assertThat(first).matches("\\[as many, as there are], \\d+ left");
            assertThat(Integer.parseInt(first.replaceAll("\\D+", "")))
                    .as("20 and two rows are spent, and what came back meanwhile")
                    .isBetween(978, 999);
            Response second = get(rows + "?owner=zoo&size=100");
            assertThat(second.statusCode()).isEqualTo(429);
            assertThat(second.jsonPath().getList("violated-policies")).containsExactly("owner");
            assertThat(remaining(second, "rows"))
                    .as("two rows and a hundred later, and what came back meanwhile")
                    .isBetween(878, 999);
            for (int i = 0; i < 10; i++) {
                Response welcome = given().formParam("username", "Alice").post(rows + "/login");
                assertThat(welcome.asString()).isEqualTo("welcome, Alice");
                assertThat(welcome.header("RateLimit-Policy")).isEqualTo("\"guesses\";q=5;w=600");
            }
        }
    }

    @Test
    void theExampleForOperatorsCompilesAndDoesWhatItSays() throws Exception {
        String named = """
                limiter.policy.buyer.key={user|ip}
                limiter.policy.buyer.algorithm=SLIDING_LOG
                limiter.policy.buyer.limit=7
                limiter.policy.buyer.window=1h
                """;
        try (OwnJetty jetty = new OwnJetty(directory)) {
            String alice = jetty.url(jetty.deploy(readme("CallerResource", named))) + "callers/buyer/alice";
            assertThat(get(alice).asString()).matches("rl:/callerresource:[\\w-]{11}:\\{[\\w-]{22}} has 7 left");
            assertThat(delete(alice).statusCode()).isEqualTo(204);
        }
    }

    /** A WAR with the class of the README, compiled as it stands there. */
    private WebArchive readme(String type, String settings) throws IOException {
        SharedRedis.configure();
        SharedRedis.empty();
        compile(type, block(type));
        return Wars.with(settings, type.toLowerCase(Locale.ROOT), "DeskApplication")
                .addAsWebInfResource(directory.resolve(type + ".class").toFile(), "classes/" + type + ".class");
    }

    private static String block(String type) throws IOException {
        return Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("..", "README.md")))
                .results()
                .map(block -> block.group(1))
                .filter(block -> block.contains("class " + type))
                .findFirst()
                .orElseThrow();
    }

    private void compile(String name, String source) throws IOException {
        Path file = Files.writeString(directory.resolve(name + ".java"), source);
        File[] jars = new File(System.getProperty("exploded.war"), "WEB-INF/lib").listFiles();
        String classPath = Arrays.stream(jars).map(File::getPath).collect(Collectors.joining(File.pathSeparator));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("-proc:none", "-d", directory.toString(), "-classpath", classPath);
            boolean compiled = compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(file))
                    .call();
            assertThat(compiled).isTrue();
        }
    }
}
