import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints how large the product is: code, exported types, circles of files, words. Fails above a
 * ceiling of {@code testing/gauges.txt}.
 *
 * <pre>mvn -DskipTests package &amp;&amp; java testing/Gauges.java</pre>
 */
public final class Gauges {
    private static final List<String> MODULES =
            List.of("limiter-api", "limiter-local", "limiter-redis", "limiter-jaxrs");
    private static final Path BUDGET = Path.of("testing/gauges.txt");
    private static final Pattern ROW = Pattern.compile("(\\w.*?) {2,}([\\d,]+) +([\\d,]+)");
    private static final int ROWS = 7;
    private static final Pattern NO_CODE =
            Pattern.compile("(\"(?:\\\\.|[^\"\\\\\n])*\")|/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    private static final Pattern EXPORTED = Pattern.compile(
            "(?m)^public (?:abstract |final |sealed |non-sealed )*(?:class|interface|enum|record|@interface) ");
    private static final Pattern DECLARED = Pattern.compile("(?m)^    [^\\s/*@][^(\n]*?(\\w+)\\(");
    private static final Pattern LIMITER = Pattern.compile("\\b(?:implements|extends) [^{]*(?:RateLimiter|Layer)\\b");
    private static final Pattern OVERRIDE = Pattern.compile("@Override\\s+public [^(]*?(\\w+)\\(");

    private Gauges() {}

    public static void main(String[] arguments) throws IOException {
        Map<Path, String> core = sources(MODULES, "src/main/java");
        Map<Path, String> extensions = sources(modulesIn("extensions"), "src/main/java");
        Map<Path, String> product = new TreeMap<>(core);
        product.putAll(extensions);
        Map<String, Long> gauges = new LinkedHashMap<>();
        gauges.put("code lines of api, local, redis, jaxrs", codeLines(core));
        gauges.put("code lines of the extensions", codeLines(extensions));
        gauges.put("overrides of the verbs of RateLimiter", overrides(product));
        gauges.put("lines of the longest main file", product.values().stream()
                .mapToLong(text -> text.lines().count())
                .max()
                .orElseThrow());
        gauges.put("code lines of the tests", codeLines(tests()));
        gauges.put("exported types", product.entrySet().stream()
                .filter(file -> !file.getKey().toString().contains("/internal/"))
                .filter(file -> EXPORTED.matcher(file.getValue()).find())
                .count());
        Collection<List<String>> circles = circles(dependencies());
        gauges.put("circles of files", (long) circles.size());
        List<Path> pages = pages();
        gauges.put("words for users", words(pages.stream().filter(Gauges::isForUsers).toList()));
        gauges.put("words in all Markdown", words(pages));
        gauges.put("bytes of the root POM", Files.size(Path.of("pom.xml")));

        circles.forEach(circle -> System.out.println("circle of " + circle.size() + ": " + String.join(", ", circle)));
        gauges.forEach((gauge, value) -> System.out.printf("%-42s %,9d%n", gauge, value));
        if (!keepsBudget(gauges)) System.exit(1);
    }

    /**
     * After its head, a row of the budget is the name of a gauge, its ceiling and its goal; what is
     * indented are reasons.
     */
    private static boolean keepsBudget(Map<String, Long> gauges) throws IOException {
        List<String> rows = Files.readString(BUDGET).lines()
                .dropWhile(line -> !line.startsWith("gauge "))
                .skip(1)
                .filter(line -> !line.isBlank() && !line.startsWith(" "))
                .toList();
        List<String> problems = new ArrayList<>();
        for (String line : rows) {
            Matcher row = ROW.matcher(line);
            Long value = row.matches() ? gauges.get(row.group(1)) : null;
            if (value == null) {
                problems.add("\"" + line + "\" is no gauge with its ceiling and its goal");
            } else if (value > Long.parseLong(row.group(2).replace(",", ""))) {
                problems.add(String.format("%s: ceiling %s, is %,d", row.group(1), row.group(2), value));
            }
        }
        if (rows.size() != ROWS) problems.add(rows.size() + " ceilings, expected " + ROWS);
        problems.forEach(problem -> System.err.println(BUDGET + ": " + problem));
        if (!problems.isEmpty()) {
            System.err.println("Delete or replace as much as this change adds. If users get something for it, raise the"
                    + " ceiling, and write below it what they get and what you tried to pay for it.");
        }
        return problems.isEmpty();
    }

    /** Of what {@code RateLimiter} declares, in classes that are limiters. */
    private static long overrides(Map<Path, String> product) {
        Set<String> verbs = DECLARED.matcher(product.get(Path.of("limiter-api/src/main/java/dev/limiter/RateLimiter.java")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        verbs.removeAll(Set.of("close", "storeKey", "unwrap"));
        return product.values().stream()
                .filter(text -> LIMITER.matcher(text).find())
                .flatMap(text -> OVERRIDE.matcher(text).results())
                .filter(found -> verbs.contains(found.group(1)))
                .count();
    }

    /** Tests, and what they are made of. */
    private static Map<Path, String> tests() throws IOException {
        Map<Path, String> tests = sources(List.of("testing"), "");
        for (String folder : List.of("", "extensions", "docs")) {
            tests.putAll(sources(modulesIn(folder), "src/test/java"));
        }
        return tests;
    }

    private static List<String> modulesIn(String folder) throws IOException {
        try (Stream<Path> modules = Files.list(Path.of(folder))) {
            return modules.map(Path::toString).toList();
        }
    }

    private static Map<Path, String> sources(List<String> modules, String folder) throws IOException {
        Map<Path, String> sources = new TreeMap<>();
        for (String module : modules) {
            Path root = Path.of(module, folder);
            if (!Files.isDirectory(root)) continue;
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.filter(file -> file.toString().matches("(?!.*/target/).*\\.java")).toList()) {
                    sources.put(file, Files.readString(file));
                }
            }
        }
        return sources;
    }

    private static long codeLines(Map<Path, String> sources) {
        return sources.values().stream().mapToLong(Gauges::codeLines).sum();
    }

    /** Lines without comments, blank lines, imports and the name of the package. */
    private static long codeLines(String text) {
        return NO_CODE.matcher(text)
                .replaceAll(found -> found.group(1) == null ? "" : Matcher.quoteReplacement(found.group(1)))
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("import ") && !line.startsWith("package "))
                .count();
    }

    /** Top-level types, and the types that each uses, as jdeps reads the class files. */
    private static Map<String, TreeSet<String>> dependencies() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-v", "--ignore-missing-deps", "-filter:none"));
        Stream.concat(MODULES.stream(), modulesIn("extensions").stream())
                .map(module -> module + "/target/classes")
                .forEach(arguments::add);
        StringWriter out = new StringWriter();
        ToolProvider.findFirst("jdeps").orElseThrow()
                .run(new PrintWriter(out), new PrintWriter(System.err), arguments.toArray(String[]::new));
        Map<String, TreeSet<String>> uses = new TreeMap<>();
        Matcher line = Pattern.compile("(?m)^\\s+(dev\\.limiter\\.\\S+)\\s+-> (dev\\.limiter\\.\\S+)")
                .matcher(out.toString());
        while (line.find()) {
            String from = line.group(1).replaceAll("\\$.*", "");
            String to = line.group(2).replaceAll("\\$.*", "");
            if (!from.equals(to)) uses.computeIfAbsent(from, key -> new TreeSet<>()).add(to);
        }
        if (uses.isEmpty()) throw new IllegalStateException("no classes: first mvn -DskipTests package");
        return uses;
    }

    /** Strongly connected components of more than one type (Tarjan, SIAM J. Comput. 1, 1972). */
    private static Collection<List<String>> circles(Map<String, TreeSet<String>> uses) {
        List<List<String>> circles = new ArrayList<>();
        Map<String, Integer> index = new HashMap<>();
        Map<String, Integer> low = new HashMap<>();
        Deque<String> open = new ArrayDeque<>();
        uses.keySet().forEach(type -> visit(type, uses, index, low, open, circles));
        return circles;
    }

    private static void visit(
            String type, Map<String, TreeSet<String>> uses, Map<String, Integer> index, Map<String, Integer> low,
            Deque<String> open, List<List<String>> circles) {
        if (index.containsKey(type)) return;
        index.put(type, index.size());
        low.put(type, index.get(type));
        open.push(type);
        for (String used : uses.getOrDefault(type, new TreeSet<>())) {
            boolean isNew = !index.containsKey(used);
            visit(used, uses, index, low, open, circles);
            if (isNew || open.contains(used)) low.merge(type, low.get(used), Math::min);
        }
        if (!low.get(type).equals(index.get(type))) return;
        List<String> circle = new ArrayList<>();
        do {
            circle.add(open.pop());
        } while (!circle.get(circle.size() - 1).equals(type));
        if (circle.size() > 1) {
            circles.add(circle.stream().map(name -> name.substring(name.lastIndexOf('.') + 1)).sorted().toList());
        }
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of(""))) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.toString().matches("(.*/)?(target|\\..*)/.*"))
                    .toList();
        }
    }

    /** The README and the pages of docs, without that for contributors. */
    private static boolean isForUsers(Path page) {
        return page.equals(Path.of("README.md"))
                || page.getParent() != null
                        && page.getParent().equals(Path.of("docs"))
                        && !page.endsWith("architecture.md");
    }

    private static long words(List<Path> pages) throws IOException {
        long words = 0;
        for (Path page : pages) {
            words += Arrays.stream(Files.readString(page).split("\\s+")).filter(word -> !word.isEmpty()).count();
        }
        return words;
    }
}
