import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A release up to its upload: builds the commit twice, compares the bytes, lays them out as Maven
 * Central takes them, signs them if there is a key, has {@code Check.java} look at them, compiles
 * a project against them, and packs the bundle. Nothing leaves {@code target/release}, and the
 * work tree stays as it is.
 *
 * <pre>java testing/release/Release.java [--key=&lt;id of a key of gpg&gt;]</pre>
 */
public final class Release {
    private static final Path PROJECT = Path.of("").toAbsolutePath();
    private static final Path WORK = PROJECT.resolve("target/release");
    private static final Path STAGING = WORK.resolve("staging");
    private static final Path CONSUMER = PROJECT.resolve("testing/release/consumer");
    /** The JDK of a release: another one writes another Javadoc. */
    private static final int JDK = 17;

    private static final String LIST = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:list";
    private static final List<String> KINDS = List.of(
            ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.xml", "-cyclonedx.json");
    /** What may differ between two machines, beside folder, time and umask. */
    private static final String ANOTHER_MACHINE =
            "-Duser.language=ja -Duser.country=JP -Duser.timezone=Pacific/Chatham -Dfile.encoding=ISO-8859-1";

    private final String treeVersion = find("<version>([^<]+)</version>", "pom.xml").get(0);
    private final String version = treeVersion.replace("-SNAPSHOT", "");
    private final List<String> modules = find("<artifactId>(limiter-[\\w-]+)</artifactId>\\s*<version>\\$", "limiter-bom/pom.xml");

    private Release() throws IOException {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 1 || arguments.length == 1 && !arguments[0].matches("--key=.+")) {
            fail("arguments are none, or --key=<id of a key of gpg>; not " + String.join(" ", arguments));
        }
        new Release().run(arguments.length == 0 ? null : arguments[0].substring("--key=".length()));
    }

    private void run(String key) throws Exception {
        requireCommit();
        sayWhatIsOpen(key != null);
        delete(WORK);
        Path first = build("first", "022", Map.of());
        Path second = build("another/folder/second", "002", Map.of("TZ", "Pacific/Chatham", "JAVA_TOOL_OPTIONS", ANOTHER_MACHINE));
        Map<String, Path> files = published(first);
        compare(files, published(second));
        stage(files, key);
        run(PROJECT, Map.of(), "java", "testing/release/Check.java", first.toString(), STAGING.toString(), key == null ? "unsigned" : "signed");
        consume(first);
        Path bundle = bundle();
        System.out.println("\nThe bundle: " + PROJECT.relativize(bundle) + (key == null ? ", unsigned: there was no --key=" : ", signed by " + key));
    }

    /** Ends with 3 where git clones nothing: docs/decisions/build.md says where. */
    private static void requireCommit() throws Exception {
        Process git = new ProcessBuilder("sh", "-c", "git ls-remote --exit-code \"$1\" HEAD 2>&1", "sh", PROJECT.toString()).start();
        String output = new String(git.getInputStream().readAllBytes());
        if (git.waitFor() != 0) {
            System.err.println("testing/release: a release is built from a commit, and git clones none from " + PROJECT
                    + " (" + output.lines().findFirst().orElse("no commit") + ")");
            System.exit(3);
        }
    }

    /** What only a person can do, from the page that lists it: a signed release waits for it. */
    private void sayWhatIsOpen(boolean signed) throws Exception {
        List<String> open = new ArrayList<>(find("(?m)^- \\[ ] (.*(?:\\n  .*)*)", "CONTRIBUTING.md"));
        if (!find("(the address will be here)", "SECURITY.md").isEmpty()) {
            open.add("SECURITY.md has no address yet");
        }
        if (Runtime.version().feature() != JDK) {
            open.add("JDK " + JDK + " builds a release; this is " + Runtime.version().feature());
        }
        if (!output(PROJECT, "git", "status", "--porcelain").isBlank()) {
            open.add("what is not committed is not in it");
        }
        open.forEach(each -> System.out.println("OPEN: " + each.replaceAll("\\s+", " ")));
        if (signed && !open.isEmpty()) {
            fail("not signed while " + open.size() + " things are open: CONTRIBUTING.md");
        }
    }

    /** A clone of the commit, built in the version of the release, with lists of libraries. */
    private Path build(String folder, String umask, Map<String, String> environment) throws Exception {
        Path build = WORK.resolve(folder);
        Files.createDirectories(build.getParent());
        String underUmask = "umask " + umask + " && exec \"$@\"";
        run(PROJECT, environment, "sh", "-c", underUmask, "sh", "git", "clone", "-q", PROJECT.toString(), build.toString());
        if (!version.equals(treeVersion)) {
            for (String file : output(build, "git", "grep", "-lF", treeVersion).split("\n")) {
                Path path = build.resolve(file);
                Files.writeString(path, Files.readString(path).replace(treeVersion, version));
            }
        }
        List<String> command = new ArrayList<>(List.of("sh", "-c", underUmask, "sh", "mvn", "-B", "-q", "-Prelease", "-pl"));
        command.add(String.join(",", modules.stream().map(module -> folderOf(build, module)).toList()) + ",limiter-bom");
        command.addAll(List.of("package", LIST, "-DincludeScope=runtime", "-DoutputFile=target/runtime.txt"));
        run(build, environment, command.toArray(String[]::new));
        System.out.println("built " + PROJECT.relativize(build) + " with umask " + umask + " " + environment);
        return build;
    }

    private static String folderOf(Path build, String module) {
        return Files.isDirectory(build.resolve(module)) ? module : "extensions/" + module;
    }

    /** The files of a build that are published, by their path in a repository. */
    private Map<String, Path> published(Path build) {
        Map<String, Path> files = new TreeMap<>();
        files.put(place("limiter-bom", ".pom"), build.resolve("limiter-bom/target/published-pom.xml"));
        for (String module : modules) {
            Path target = build.resolve(folderOf(build, module)).resolve("target");
            files.put(place(module, ".pom"), target.resolve("published-pom.xml"));
            KINDS.forEach(kind -> files.put(place(module, kind), target.resolve(module + "-" + version + kind)));
        }
        return files;
    }

    private String place(String module, String kind) {
        return "dev/limiter/" + module + "/" + version + "/" + module + "-" + version + kind;
    }

    private static void compare(Map<String, Path> files, Map<String, Path> again) throws Exception {
        System.out.println();
        List<String> differing = new ArrayList<>();
        for (Map.Entry<String, Path> file : files.entrySet()) {
            byte[] bytes = Files.readAllBytes(file.getValue());
            String digest = digest("SHA-256", bytes);
            boolean same = digest.equals(digest("SHA-256", Files.readAllBytes(again.get(file.getKey()))));
            System.out.printf("%s %s %,9d %s%n", same ? "same  " : "DIFFER", digest, bytes.length, file.getKey().replaceFirst(".*/", ""));
            if (!same) {
                differing.add(file.getKey());
            }
        }
        if (!differing.isEmpty()) {
            fail("two builds of one commit differ in " + differing);
        }
        System.out.println(files.size() + " files, byte for byte the same in two builds\n");
    }

    private static void stage(Map<String, Path> files, String key) throws Exception {
        for (Map.Entry<String, Path> file : files.entrySet()) {
            Path staged = STAGING.resolve(file.getKey());
            Files.createDirectories(staged.getParent());
            Files.copy(file.getValue(), staged);
            byte[] bytes = Files.readAllBytes(staged);
            Files.writeString(Path.of(staged + ".md5"), digest("MD5", bytes));
            Files.writeString(Path.of(staged + ".sha1"), digest("SHA-1", bytes));
            if (key != null) {
                run(PROJECT, Map.of(), "gpg", "--batch", "--armor", "--local-user", key, "--detach-sign", staged.toString());
            }
        }
    }

    /** Compiles a project without versions, and compares its libraries with the bills. */
    private void consume(Path build) throws Exception {
        Path list = WORK.resolve("consumer.txt");
        run(CONSUMER, Map.of(), "mvn", "-B", "-q", "-Dmaven.repo.local=" + emptyForUs(), "-Dstaging=" + STAGING.toUri(),
                "-Dlimiter.version=" + version, "-DbuildDirectory=" + WORK.resolve("consumer"),
                "compile", LIST, "-DincludeScope=runtime", "-DoutputFile=" + list);
        run(PROJECT, Map.of(), "java", "testing/release/Check.java", build.toString(), STAGING.toString(), list.toString());
        System.out.println("a project without versions compiles against " + PROJECT.relativize(STAGING));
    }

    /** The local repository of Maven by links, without our modules: nothing is fetched again. */
    private static Path emptyForUs() throws IOException {
        Path local = WORK.resolve("local-repository");
        Path dev = Files.createDirectories(local.resolve("dev"));
        Path users = Path.of(System.getProperty("maven.repo.local", System.getProperty("user.home") + "/.m2/repository"));
        for (Path folder : folders(users)) {
            if (!folder.endsWith("dev")) {
                Files.createSymbolicLink(local.resolve(folder.getFileName()), folder);
            }
        }
        for (Path folder : folders(users.resolve("dev"))) {
            if (!folder.endsWith("limiter")) {
                Files.createSymbolicLink(dev.resolve(folder.getFileName()), folder);
            }
        }
        return local;
    }

    private static List<Path> folders(Path parent) throws IOException {
        if (!Files.isDirectory(parent)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(parent)) {
            return entries.filter(Files::isDirectory).toList();
        }
    }

    /** What a person uploads. */
    private Path bundle() throws IOException {
        Path bundle = WORK.resolve("limiter-" + version + "-bundle.zip");
        try (OutputStream out = Files.newOutputStream(bundle);
                ZipOutputStream zip = new ZipOutputStream(out);
                Stream<Path> files = Files.walk(STAGING)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                ZipEntry entry = new ZipEntry(STAGING.relativize(file).toString());
                entry.setTimeLocal(LocalDateTime.of(1980, 1, 1, 0, 0));
                zip.putNextEntry(entry);
                Files.copy(file, zip);
            }
        }
        return bundle;
    }

    private static void fail(String message) {
        System.err.println("FAILED: " + message);
        System.exit(1);
    }

    private static String digest(String algorithm, byte[] bytes) throws GeneralSecurityException {
        return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
    }

    private static List<String> find(String pattern, String file) throws IOException {
        Matcher found = Pattern.compile(pattern).matcher(Files.readString(PROJECT.resolve(file)));
        return found.results().map(each -> each.group(1)).toList();
    }

    private static String output(Path folder, String... command) throws Exception {
        Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String output = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return output;
    }

    private static void run(Path folder, Map<String, String> environment, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).inheritIO();
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        if (builder.start().waitFor() != 0) {
            fail("failed: " + String.join(" ", command));
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        // Links are deleted, and not what they lead to.
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException failure) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
