import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.tools.ExecDumpClient;
import org.jacoco.core.tools.ExecFileLoader;

/**
 * Runs the example under JaCoCo and counts what one admitted request executes; started by
 * one-request.sh.
 */
final class OneRequest {
    private static final int WARM_UP = 300;
    private static final int SAMPLES = 7;

    private OneRequest() {}

    /** The lines that one request executed, by top-level class. */
    private record Executed(Map<String, TreeSet<Integer>> lines) {
        int count() {
            return lines.values().stream().mapToInt(TreeSet::size).sum();
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int port = freePort();
        int control = freePort();
        Process example = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-javaagent:" + arguments[0] + "=output=tcpserver,port=" + control
                                + ",includes=dev.limiter.*,exclclassloader=none",
                        "-Dport=" + port,
                        "-Dlimiter.policy.animals.limit=600000",
                        "-Dlimiter.policy.animals.burst=10000",
                        "-cp",
                        arguments[1],
                        "dev.limiter.example.runner.Main",
                        arguments[2])
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            List<File> classes = new ArrayList<>();
            for (int i = 4; i < arguments.length; i++) {
                classes.add(new File(arguments[i]));
            }
            report(measured(port, control, classes), arguments[3].equals("lines"));
        } finally {
            example.destroy();
            example.waitFor(20, TimeUnit.SECONDS);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    /**
     * The smallest of several requests: configuration is read again, and nodes are asked, beside
     * some of them.
     */
    private static Executed measured(int port, int control, List<File> classes)
            throws IOException, InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api/animals")).build();
        awaitAnswer(client, request);
        for (int i = 0; i < WARM_UP; i++) {
            ask(client, request);
        }
        ExecDumpClient dumps = new ExecDumpClient();
        dumps.setReset(true);
        List<Executed> samples = new ArrayList<>();
        for (int i = 0; i < SAMPLES; i++) {
            ask(client, request);
            dumps.dump(InetAddress.getLoopbackAddress(), control);
            ask(client, request);
            Thread.sleep(50); // the end of a request may follow its answer
            samples.add(executed(dumps.dump(InetAddress.getLoopbackAddress(), control), classes));
        }
        System.out.println("lines of each request: "
                + samples.stream().map(Executed::count).sorted().toList());
        return samples.stream().min(Comparator.comparingInt(Executed::count)).orElseThrow();
    }

    private static void awaitAnswer(HttpClient client, HttpRequest request) throws IOException, InterruptedException {
        long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        while (true) {
            try {
                ask(client, request);
                return;
            } catch (IOException | IllegalStateException notYet) {
                if (System.nanoTime() > until) {
                    throw notYet;
                }
                Thread.sleep(500);
            }
        }
    }

    private static void ask(HttpClient client, HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200 || answer.headers().firstValue("RateLimit").isEmpty()) {
            throw new IllegalStateException("the example answered " + answer.statusCode());
        }
    }

    private static Executed executed(ExecFileLoader data, List<File> classes) throws IOException {
        CoverageBuilder coverage = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(data.getExecutionDataStore(), coverage);
        for (File each : classes) {
            analyzer.analyzeAll(each);
        }
        Map<String, TreeSet<Integer>> lines = new TreeMap<>();
        for (IClassCoverage type : coverage.getClasses()) {
            String name = type.getName().replace('/', '.').replaceFirst("\\$.*", "");
            for (int line = Math.max(0, type.getFirstLine()); line <= type.getLastLine(); line++) {
                int status = type.getLine(line).getStatus();
                if (status == ICounter.FULLY_COVERED || status == ICounter.PARTLY_COVERED) {
                    lines.computeIfAbsent(name, each -> new TreeSet<>()).add(line);
                }
            }
        }
        return new Executed(lines);
    }

    private static void report(Executed executed, boolean withLines) {
        Map<String, Integer> classesOf = new TreeMap<>();
        Map<String, Integer> linesOf = new TreeMap<>();
        executed.lines().forEach((type, lines) -> {
            String module = type.matches("dev\\.limiter\\.(local|redis|jaxrs)\\..*") ? type.split("\\.")[2] : "api";
            classesOf.merge(module, 1, Integer::sum);
            linesOf.merge(module, lines.size(), Integer::sum);
            System.out.printf("%4d  %s%s%n", lines.size(), type, withLines ? " " + lines : "");
        });
        classesOf.forEach((module, classes) ->
                System.out.printf("limiter-%s: %d classes, %d lines%n", module, classes, linesOf.get(module)));
        System.out.printf(
                "One admitted GCRA request: %d top-level classes, %d lines%n",
                executed.lines().size(), executed.count());
    }
}
