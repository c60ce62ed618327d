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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints how large the product is: code, exported types, files that know a member of the
 * annotation, packages, circles of files, words.
 *
 * <pre>mvn -DskipTests package &amp;&amp; java testing/Gauges.java</pre>
 */
public final class Gauges {
    private static final List<String> MODULES =
            List.of("limiter-api", "limiter-local", "limiter-redis", "limiter-jaxrs");
    private static final List<String> EXTENSIONS =
            List.of("extensions/limiter-outbound", "extensions/limiter-queue", "extensions/limiter-operations");
    private static final Pattern NO_CODE =
            Pattern.compile("(\"(?:\\\\.|[^\"\\\\\n])*\")|/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    private static final Pattern EXPORTED = Pattern.compile(
            "(?m)^public (?:abstract |final |sealed |non-sealed )*(?:class|interface|enum|record|@interface) ");

    private Gauges() {}

    public static void main(String[] arguments) throws IOException {
        Map<Path, String> modules = sources(MODULES);
        Map<Path, String> product = new TreeMap<>(modules);
        product.putAll(sources(EXTENSIONS));
        print("code lines of api, local, redis, jaxrs", modules.values().stream().mapToLong(Gauges::codeLines).sum());
        print("code lines of the extensions", codeLines(product) - codeLines(modules));
        print("exported types", product.entrySet().stream()
                .filter(file -> !file.getKey().toString().contains("/internal/"))
                .filter(file -> EXPORTED.matcher(file.getValue()).find())
                .count());
        for (String member : List.of("borrow", "maxWait", "enforcement")) {
            Pattern word = Pattern.compile("\\b" + member + "\\b");
            print("main files that name " + member, product.values().stream().filter(text -> word.matcher(text).find()).count());
        }
        print("internal packages of limiter-jaxrs", modules.keySet().stream()
                .filter(file -> file.startsWith("limiter-jaxrs"))
                .map(Path::getParent)
                .filter(folder -> folder.toString().contains("/internal/"))
                .distinct()
                .count());
        Collection<List<String>> circles = circles(dependencies());
        print("circles of files", circles.size());
        circles.forEach(circle -> System.out.println("    " + String.join(", ", circle)));
        product.entrySet().stream()
                .max((a, b) -> Long.compare(a.getValue().lines().count(), b.getValue().lines().count()))
                .ifPresent(file -> print("longest main file, " + file.getKey().getFileName(), file.getValue().lines().count()));
        List<Path> pages = pages();
        print("words for users", words(pages.stream().filter(Gauges::isForUsers).toList()));
        print("words in all Markdown", words(pages));
        print("table rows above 200 characters", longRows(pages.stream()
                .filter(page -> isForUsers(page) || page.endsWith("architecture.md"))
                .toList()));
        print("bytes of the root POM", Files.size(Path.of("pom.xml")));
    }

    private static void print(String gauge, long value) {
        System.out.printf("%-46s %,9d%n", gauge, value);
    }

    private static Map<Path, String> sources(List<String> modules) throws IOException {
        Map<Path, String> sources = new TreeMap<>();
        for (String module : modules) {
            try (Stream<Path> files = Files.walk(Path.of(module, "src/main/java"))) {
                for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
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
    private static Map<String, TreeSet<String>> dependencies() {
        List<String> arguments = new ArrayList<>(List.of("-v", "--ignore-missing-deps", "-filter:none"));
        Stream.concat(MODULES.stream(), EXTENSIONS.stream())
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

    private static long longRows(List<Path> pages) throws IOException {
        List<String> rows = new ArrayList<>();
        for (Path page : pages) {
            rows.addAll(Files.readAllLines(page).stream()
                    .filter(row -> row.startsWith("|") && row.length() > 200)
                    .collect(Collectors.toList()));
        }
        return rows.size();
    }
}
