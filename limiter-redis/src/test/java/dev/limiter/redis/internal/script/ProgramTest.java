package dev.limiter.redis.internal.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.limiter.internal.algorithm.StateKind;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The files in {@code lua/}: what is shipped is what is there, and it runs alone, as its README
 * says.
 */
@Tag("store")
class ProgramTest {
    private static final Path PROJECT = Guide.PROJECT;
    private static final Path LUA = PROJECT.resolve("lua");

    /**
     * All programs: one for each set of algorithms that a call may need, the adjustments, and the
     * usage.
     */
    private static List<Program> programs() {
        List<Program> programs = new ArrayList<>();
        for (int algorithms = 1; algorithms <= StateKind.ALL; algorithms++) {
            programs.add(Program.decisions(algorithms));
        }
        programs.add(Program.adjustments());
        programs.add(Program.ofFile("usage.lua"));
        return programs;
    }

    @Test
    void whatIsShippedIsEveryFileJoinedByThePlainRule() throws IOException {
        String driver = Files.readString(LUA.resolve("driver.lua")) + Files.readString(LUA.resolve("batch.lua"));
        List<String> all = Stream.of(StateKind.values()).map(StateKind::title).toList();
        assertThat(all).containsExactlyInAnyOrderElementsOf(files("algorithm"));
        assertThat(VirtualTime.text(Program.decisions(StateKind.ALL)))
                .isEqualTo(joined(all, false)
                        + choice("read", "key, now, a, peek", all)
                        + choice("charge", "key, now, a, times, cost, found1, found2, found3", all)
                        + driver);
        assertThat(VirtualTime.text(Program.adjustments()))
                .isEqualTo(joined(all, true)
                        + choice("read", "key, now, a, peek", all)
                        + choice("charge", "key, now, a, times, cost, found1, found2, found3", all)
                        + choice("debt", "key, now, a, cost, found1, found2, found3", all)
                        + choice("refund", "key, now, a", all)
                        + Files.readString(LUA.resolve("adjust.lua")));
        assertThat(VirtualTime.text(Program.decisions(StateKind.GCRA.bit())))
                .isEqualTo(joined(List.of("gcra"), false) + "local read, charge = gcra_read, gcra_charge\n" + driver);
        assertThat(VirtualTime.text(Program.decisions(StateKind.GCRA.bit() | StateKind.SLIDING_LOG.bit())))
                .isEqualTo(joined(List.of("gcra", "sliding_log"), false) + """
                        local function read(key, now, a, peek)
                          local algorithm = ARGV[a]
                          if algorithm == 'gcra' or algorithm == 'gcra_parts' or algorithm == 'gcra_varying' then
                            return gcra_read(key, now, a, peek)
                          elseif algorithm == 'sliding_log' then
                            return sliding_log_read(key, now, a, peek)
                          end
                          error('argument ' .. a .. ' is no algorithm')
                        end

                        local function charge(key, now, a, times, cost, found1, found2, found3)
                          local algorithm = ARGV[a]
                          if algorithm == 'gcra' or algorithm == 'gcra_parts' or algorithm == 'gcra_varying' then
                            return gcra_charge(key, now, a, times, cost, found1, found2, found3)
                          elseif algorithm == 'sliding_log' then
                            return sliding_log_charge(key, now, a, times, cost, found1, found2, found3)
                          end
                          error('argument ' .. a .. ' is no algorithm')
                        end

                        """ + driver);
    }

    /** A choice by name, as the text of two algorithms above shows it. */
    private static String choice(String function, String parameters, List<String> titles) {
        String branches = titles.stream()
                .map(title -> "if algorithm == '" + title + "'"
                        + (title.equals("gcra") ? " or algorithm == 'gcra_parts' or algorithm == 'gcra_varying'" : "")
                        + " then\n    return " + title
                        + "_" + function + "(" + parameters + ")\n")
                .collect(Collectors.joining("  else", "  ", "  end\n"));
        return "local function " + function + "(" + parameters + ")\n  local algorithm = ARGV[a]\n" + branches
                + "  error('argument ' .. a .. ' is no algorithm')\nend\n\n";
    }

    /** Each algorithm reads, charges, has debts and refunds. */
    @Test
    void eachFileHasTheFourFunctionsOfAnAlgorithm() throws IOException {
        for (String title : files("algorithm")) {
            String text = Files.readString(LUA.resolve("algorithm/" + title + ".lua"));
            int adjustment = text.indexOf("-- ADJUSTMENT");
            for (String function : List.of("_read(", "_charge(")) {
                assertThat(text.substring(0, adjustment)).contains("local function " + title + function);
            }
            for (String function : List.of("_debt(", "_refund(")) {
                assertThat(text.substring(adjustment)).contains("local function " + title + function);
            }
        }
    }

    /** The start has to report each of them that the user lacks. */
    @Test
    void thePermissionsThatAreLookedAtAreThoseOfEveryCommand() {
        Set<String> used = used(programs());
        Set<String> lookedAt = new TreeSet<>();
        Pattern.compile("\\{ '([a-z]+)'")
                .matcher(VirtualTime.text(Program.ofFile("permissions.lua")))
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

    private static List<String> files(String directory) throws IOException {
        try (Stream<Path> files = Files.list(LUA.resolve(directory))) {
            return files.map(file -> file.getFileName().toString().replace(".lua", ""))
                    .sorted()
                    .toList();
        }
    }

    /** Files of algorithms, whole or down to their adjustments. */
    private static String joined(List<String> titles, boolean whole) throws IOException {
        StringBuilder joined = new StringBuilder();
        for (String title : titles) {
            String text = Files.readString(LUA.resolve("algorithm/" + title + ".lua"));
            joined.append(whole ? text : text.substring(0, text.indexOf("-- ADJUSTMENT")));
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
        assertThat(blocks).hasSize(1);
        try (RedisServer redis = RedisServer.start()) {
            // An interval of 2,000 s, which passes on no machine between two calls.
            String gcra = "REDIS=" + redis.uri() + " " + blocks.get(0).replace("000000", "000000000");
            assertThat(run(gcra).output()).matches("at \\d{16}\nadmitted\nreads 0\n");
            for (int i = 2; i <= 5; i++) {
                assertThat(run(gcra).output()).matches("at \\d{16}\nadmitted\nreads \\d+\n");
            }
            assertThat(run(gcra).output()).matches("at \\d{16}\nrejected\nreads 9\\d{9}\n");
        }
    }

    /** With the arguments in the order of each head, and of a lease its name. */
    @ParameterizedTest
    @CsvSource({
        "gcra_parts k 8000000 2000000 0 0 3, 0 0",
        "gcra_varying k 8000000 2000000 0 0 5, 0 0",
        "fixed_window k 1 5 10000000 0, '0 \\d+'",
        "sliding_window k 1 5 10000000 0, '0 0 \\d+'",
        "sliding_log k 1 5 10000000, 0 0 0 0",
        "interval k 1 1 5 10000000 5, 0 0 0",
        "gate k 10000000, 0",
        "concurrency k 2 60000000 lease-1, 0",
        "concurrency k 2 60000000 7, 0",
    })
    void eachAlgorithmCanBeTriedByHand(String arguments, String reads) throws Exception {
        assumeTrue(run("command -v redis-cli").exit() == 0, "redis-cli is not installed");
        try (RedisServer redis = RedisServer.start()) {
            assertThat(run("REDIS=" + redis.uri() + " lua/try.sh " + arguments).output())
                    .matches("at \\d{16}\nadmitted\nreads " + reads + "\n");
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
