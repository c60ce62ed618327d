package dev.limiter.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.RateLimiter;
import dev.limiter.testkit.guide.Guide;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide's example of the programmatic limiter, compiled as it stands there and used. */
class MailerTest {
    private final VirtualClock clock = new VirtualClock();
    private final RateLimiter limiter = new LocalRateLimiter(clock, span -> clock.advance(span.toNanos() / 1_000));

    @Test
    void theMailerDoesWhatItsCommentsSay(@TempDir Path directory) throws Exception {
        Class<?> mailer = compiled(directory);
        Method send = mailer.getMethod("send", String.class, int.class);
        Object instance = mailer.getConstructor(RateLimiter.class).newInstance(limiter);
        long began = clock.micros();
        assertThat(send.invoke(instance, "zoo", 1)).isEqualTo("9 left");
        assertThat(send.invoke(instance, "zoo", 0)).isEqualTo("9 left");
        assertThat(send.invoke(instance, "zoo", 10)).isEqualTo("0 left");
        assertThat(clock.micros()).as("no mail had to wait so far").isEqualTo(began);
        assertThat(send.invoke(instance, "zoo", 1)).asString().startsWith("come again in PT1M");
        clock.advance(60_000_000);
        assertThat(send.invoke(instance, "zoo", 1)).isEqualTo("0 left");
        assertThat(clock.micros()).as("until the second of two came back").isEqualTo(began + 72_000_000);
    }

    private static Class<?> compiled(Path directory) throws Exception {
        Path file = Guide.PROJECT.resolve("docs/recipes/Mailer.java");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-proc:none", "-d", directory.toString(), "-classpath", System.getProperty("java.class.path"));
            assertThat(compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(file))
                            .call())
                    .isTrue();
        }
        URL[] classes = {directory.toUri().toURL()};
        return new URLClassLoader(classes, MailerTest.class.getClassLoader()).loadClass("Mailer");
    }
}
