package dev.limiter.redis.internal.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.limiter.spi.algorithm.StateKind;
import dev.limiter.testkit.RedisServer;
import dev.limiter.testkit.guide.Guide;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files in {@code lua/}: what is shipped is what is there, and it runs alone, as its README says. */
class ProgramTest {
    private static final Path PROJECT = Guide.PROJECT;
    private static final Path LUA = PROJECT.resolve("lua");

    /** All programs: one for each set of algorithms that a call may need, and the settlement. */
    private static List<Program> programs() {
        List<Program> programs = new ArrayList<>();
        for (int algorithms = 1; algorithms <= StateKind.ALL; algorithms++) {
            programs.add(Program.decisions(algorithms));
        }
        programs.add(Program.settlements());
        return programs;
    }

    @Test
    void whatIsShippedIsEveryFileJoinedByThePlainRule() throws IOException {
        String dispatch = Files.readString(LUA.resolve("dispatch.lua"));
        String driver = Files.readString(LUA.resolve("driver.lua"));
        assertThat(VirtualTime.text(Program.decisions(StateKind.ALL)))
                .isEqualTo(joined("algorithm") + dispatch + driver);
        assertThat(VirtualTime.text(Program.settlements()))
                .isEqualTo(joined("algorithm")
                        + dispatch
                        + joined("settlement")
                        + Files.readString(LUA.resolve("settle.lua")));
        String gcra = Files.readString(LUA.resolve("algorithm/gcra.lua"));
        String log = Files.readString(LUA.resolve("algorithm/sliding_log.lua"));
        assertThat(VirtualTime.text(Program.decisions(StateKind.GCRA.bit() | StateKind.SLIDING_LOG.bit())))
                .isEqualTo(gcra + log + dispatch + driver);
        assertThat(VirtualTime.text(Program.decisions(StateKind.GCRA.bit())))
                .isEqualTo(gcra + "local read, charge = gcra_read, gcra_charge\n" + driver);
    }

    /** A user who lacks one of them is to be told at the start. */
    @Test
    void thePermissionsThatAreLookedAtAreThoseOfEveryCommand() {
        Set<String> used = used(programs());
        Set<String> lookedAt = new TreeSet<>();
        Pattern.compile("\\{ '([a-z]+)'")
                .matcher(VirtualTime.text(Program.permissions()))
                .results()
                .forEach(command -> lookedAt.add(command.group(1)));
        assertThat(lookedAt).isEqualTo(used);
    }

    private static Set<String> used(List<Program> programs) {
        Set<String> used = new TreeSet<>();
        for (Program script : programs) {
            Pattern.compile("redis\\.call\\('([A-Z]+)'")
                    .matcher(VirtualTime.text(script))
                    .results()
                    .forEach(call -> used.add(call.group(1).toLowerCase(Locale.ROOT)));
        }
        return used;
    }

    private static String joined(String directory) throws IOException {
        StringBuilder joined = new StringBuilder();
        try (Stream<Path> files = Files.list(LUA.resolve(directory))) {
            for (Path file : files.sorted().toList()) {
                joined.append(Files.readString(file));
            }
        }
        return joined.toString();
    }

    @Test
    void theTextThatIsTestedIsTheTextThatIsShippedButForTheClockLine() {
        for (Program script : programs()) {
            List<String> shipped = VirtualTime.text(script).lines().toList();
            List<String> virtual =
                    VirtualTime.text(VirtualTime.virtual(script)).lines().toList();
            assertThat(virtual).hasSameSizeAs(shipped);
            List<String> different = new ArrayList<>();
            for (int i = 0; i < shipped.size(); i++) {
                if (!shipped.get(i).equals(virtual.get(i))) {
                    different.add(shipped.get(i));
                }
            }
            assertThat(different).singleElement().asString().contains("-- the clock line");
        }
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
            assertThat(run(gcra).output()).matches("\\d{16}\n1\n0\n");
            for (int i = 2; i <= 5; i++) {
                assertThat(run(gcra).output()).matches("\\d{16}\n1\n\\d+\n");
            }
            assertThat(run(gcra).output()).matches("\\d{16}\n0\n(9\\d{6}|8\\d{6})\n");
            String together = blocks.get(1).replace("redis://localhost:6379", redis.uri());
            assertThat(run(together).output()).isEqualTo("1\n0\n5\n0\n10000000\n");
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
}
