package dev.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.limiter.testkit.RedisServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files in {@code lua/}: what is shipped is what is there, and it runs alone, as its README says. */
class ScriptTest {
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
    private static final Path LUA = PROJECT.resolve("lua");

    @Test
    void whatIsShippedIsEveryFileJoinedByThePlainRule() throws IOException {
        StringBuilder joined = new StringBuilder();
        try (Stream<Path> files = Files.list(LUA.resolve("algorithm"))) {
            for (Path file : files.sorted().toList()) {
                joined.append(Files.readString(file));
            }
        }
        joined.append(Files.readString(LUA.resolve("driver.lua")));
        assertThat(new String(Script.shipped().text(), StandardCharsets.UTF_8)).isEqualTo(joined.toString());
    }

    @Test
    void exactlyOneLineDiffersInVirtualTime() {
        List<String> shipped = lines(Script.shipped());
        List<String> virtual = lines(VirtualTime.script());
        assertThat(virtual).hasSameSizeAs(shipped);
        long different = 0;
        for (int i = 0; i < shipped.size(); i++) {
            different += shipped.get(i).equals(virtual.get(i)) ? 0 : 1;
        }
        assertThat(different).isEqualTo(1);
    }

    @Test
    void theReadmesCommandsRunUnderRedisCli() throws Exception {
        boolean installed = run("command -v redis-cli").exit() == 0;
        if (!installed) {
            System.out.println(
                    "SKIPPED: redis-cli is not installed (Debian: redis-tools); lua/README.md was not tried");
        }
        assumeTrue(installed, "redis-cli is not installed");
        List<String> blocks = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(LUA.resolve("README.md")))
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();
        assertThat(blocks).hasSize(2);
        try (RedisServer redis = RedisServer.start()) {
            String gcra = blocks.get(0).replace("redis://localhost:6379", redis.uri());
            assertThat(run(gcra)).isEqualTo(new Result(0, "1\n0\n0\n"));
            for (int i = 2; i <= 5; i++) {
                assertThat(run(gcra).output()).startsWith("1\n");
            }
            assertThat(run(gcra).output()).matches("0\n(9\\d{6}|8\\d{6})\n0\n");
            String group = blocks.get(1).replace("redis://localhost:6379", redis.uri());
            assertThat(run(group).output()).startsWith("1\n0\n0\n1\n0\n0\n0\n0\n");
            assertThat(run(group).output()).matches("0\n\\d+\n0\n1\n1\n0\n\\d+\n\\d+\n");
        }
    }

    private record Result(int exit, String output) {}

    private static Result run(String commands) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-c", commands)
                .directory(PROJECT.toFile())
                .redirectErrorStream(true)
                .start();
        shell.getOutputStream().close();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(shell.waitFor(), output);
    }

    private static List<String> lines(Script script) {
        return new String(script.text(), StandardCharsets.UTF_8).lines().toList();
    }
}
