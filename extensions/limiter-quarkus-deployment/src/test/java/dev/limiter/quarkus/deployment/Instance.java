package dev.limiter.quarkus.deployment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.limiter.testkit.ChildJvm;
import dev.limiter.testkit.RedisServer;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process of an application that a test has built. */
record Instance(Process process, URI root) implements AutoCloseable {
    private static final Pattern LISTENS = Pattern.compile(".*Listening on: (http://\\S+).*");

    /** Goes on for as long as the test does, however that ends. */
    @QuarkusMain
    public static class Main implements QuarkusApplication {
        @Override
        public int run(String... arguments) throws IOException {
            System.in.transferTo(OutputStream.nullOutputStream());
            return 0;
        }
    }

    static Instance start(Path application, RedisServer redis) throws IOException {
        Process process = new ProcessBuilder(ChildJvm.command(
                        "-Xmx128m",
                        "-Dlimiter.redis.uri=" + redis.uri(),
                        "-Dquarkus.http.host=127.0.0.1",
                        "-Dquarkus.http.port=0",
                        "-jar",
                        application.toString()))
                .redirectErrorStream(true)
                .start();
        BufferedReader output = process.inputReader(UTF_8);
        StringBuilder said = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher listens = LISTENS.matcher(line);
            if (listens.matches()) {
                return new Instance(process, URI.create(listens.group(1)));
            }
            said.append(line).append('\n');
        }
        throw new IllegalStateException("the application has not started: " + said);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
