package dev.limiter.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** wrk with some connections; the callers come in turn, from a caller by lot on. */
final class Wrk {
    private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in");
    private static final Pattern PER_SECOND = Pattern.compile("Requests/sec:\\s+([\\d.]+)");
    private static final Pattern ERRORS = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
    private static final String SCRIPT = """
            local path, caller = wrk.path, %d
            request = function()
              caller = (caller + 1) %% %d
              return wrk.format("GET", path .. "?caller=" .. caller)
            end
            """;
    private static final Map<String, Double> MICROS = Map.of("us", 1.0, "ms", 1e3, "s", 1e6);

    private Wrk() {}

    record Result(long requests, long errors, double requestsPerSecond, double p50Micros, double p99Micros) {}

    /**
     * @param callers how many different ones
     * @param duration whole seconds; less is one second
     */
    static Result load(String url, int connections, int callers, Duration duration) {
        Path script = script(callers);
        try {
            String text = Command.output(
                            "wrk",
                            "-t1",
                            "-c" + connections,
                            "-d" + Math.max(1, duration.toSeconds()) + "s",
                            "--latency",
                            "-s",
                            script.toString(),
                            url)
                    .orElseThrow(() -> new IllegalStateException("wrk failed on " + url));
            return parse(text);
        } finally {
            delete(script);
        }
    }

    static Result parse(String text) {
        return new Result(
                (long) number(REQUESTS, text, -1),
                (long) number(ERRORS, text, 0),
                number(PER_SECOND, text, Double.NaN),
                percentile("50", text),
                percentile("99", text));
    }

    private static double number(Pattern pattern, String text, double otherwise) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Double.parseDouble(matcher.group(1)) : otherwise;
    }

    private static double percentile(String share, String text) {
        Matcher matcher =
                Pattern.compile("\\s" + share + "%\\s+([\\d.]+)(us|ms|s)\\b").matcher(text);
        return matcher.find() ? Double.parseDouble(matcher.group(1)) * MICROS.get(matcher.group(2)) : Double.NaN;
    }

    private static Path script(int callers) {
        try {
            Path file = Files.createTempFile("callers", ".lua");
            return Files.writeString(
                    file, SCRIPT.formatted(ThreadLocalRandom.current().nextInt(callers), callers));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
