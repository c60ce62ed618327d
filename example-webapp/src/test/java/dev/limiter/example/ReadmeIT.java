package dev.limiter.example;

import static dev.limiter.example.Http.remaining;
import static io.restassured.RestAssured.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first example of the README, compiled as it stands there and deployed. */
class ReadmeIT {

    @TempDir
    private Path directory;

    @Test
    void theFirstExampleCompilesAndDoesWhatItSays() throws Exception {
        SharedRedis.configure();
        SharedRedis.empty();
        compile("TicketResource", javaBlock());
        WebArchive war = Wars.of("readme", "DeskApplication")
                .addAsWebInfResource(
                        directory.resolve("TicketResource.class").toFile(), "classes/TicketResource.class");
        try (OwnJetty jetty = new OwnJetty(directory)) {
            WebAppContext application = jetty.deploy(war);
            String tickets = jetty.url(application) + "tickets/";
            Response first = post(tickets + "circus");
            assertThat(first.asString()).isEqualTo("a ticket for circus");
            assertThat(remaining(first, "show")).isEqualTo(99);
            Response second = post(tickets + "circus");
            assertThat(second.statusCode()).isEqualTo(429);
            assertThat(remaining(second, "show")).isEqualTo(99);
        }
    }

    private static String javaBlock() throws IOException {
        Matcher block = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("..", "README.md")));
        assertThat(block.find()).isTrue();
        assertThat(block.group(1).lines()).hasSizeLessThanOrEqualTo(12);
        return block.group(1);
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
