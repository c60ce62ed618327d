import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * Looks at a staging folder: what Maven Central asks of it, and what this project promises of its
 * files. Names each fault, and fails if there is any. {@code Release.java} runs it.
 *
 * <pre>java testing/release/Check.java &lt;folder of the build&gt; &lt;staging&gt; signed|unsigned</pre>
 *
 * With a list of {@code dependency:list} in place of the last word, it compares what a user's
 * project is given at run time with what the bills of materials name.
 */
public final class Check {
    private static final List<String> REQUIRED_OF_A_POM = List.of(
            "name", "description", "url", "licenses/license/name", "licenses/license/url", "developers/developer/name",
            "scm/connection", "scm/developerConnection", "scm/url");
    private static final List<String> KINDS =
            List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.xml", "-cyclonedx.json");
    private static final XPath XPATH = XPathFactory.newInstance().newXPath();
    private static final Pattern LISTED =
            Pattern.compile("(?m)^ +([^:\\s]+):([^:]+):jar:([^:]+):(compile|runtime)(.*optional)?");

    private final Path build;
    private final Path staging;
    private final List<String> faults = new ArrayList<>();
    private final List<String> modules;
    private final String version;

    private Check(Path build, Path staging) throws Exception {
        this.build = build;
        this.staging = staging;
        version = text(xml(build.resolve("pom.xml")), "/project/version");
        Document bom = xml(file("limiter-bom", ".pom"));
        modules = texts(bom, "/project/dependencyManagement/dependencies/dependency/artifactId");
    }

    public static void main(String[] arguments) throws Exception {
        Check check = new Check(Path.of(arguments[0]), Path.of(arguments[1]));
        if (Set.of("signed", "unsigned").contains(arguments[2])) {
            boolean signed = arguments[2].equals("signed");
            check.folders();
            check.end();
            check.files(signed);
            check.end();
            check.sums(signed);
            for (String module : check.modules) {
                check.pom(module);
                check.jars(module, signed);
                check.billOfMaterials(module);
            }
            check.pom("limiter-bom");
        } else {
            check.consumer(Path.of(arguments[2]));
        }
        check.end();
    }

    /** What comes next reads what was looked for until now. */
    private void end() {
        faults.forEach(fault -> System.err.println("FAULT: " + fault));
        if (!faults.isEmpty()) {
            System.exit(1);
        }
    }

    private void require(boolean holds, String fault) {
        if (!holds) {
            faults.add(fault);
        }
    }

    private void requireEqual(String what, Set<String> there, Set<String> expected) {
        require(there.equals(expected), what + ": too much is " + minus(there, expected) + ", missing is " + minus(expected, there));
    }

    /** The modules of the BOM, and nothing else: no test, no example, no parent. */
    private void folders() throws IOException {
        require(modules.size() == 10, "limiter-bom manages " + modules);
        require(!version.contains("SNAPSHOT"), "the version is " + version);
        requireEqual("the staging folder", names(staging), Set.of("dev"));
        requireEqual("dev", names(staging.resolve("dev")), Set.of("limiter"));
        requireEqual("dev/limiter", names(staging.resolve("dev/limiter")), new TreeSet<>(withBom()));
        for (String module : names(staging.resolve("dev/limiter"))) {
            requireEqual(module, names(staging.resolve("dev/limiter").resolve(module)), Set.of(version));
        }
    }

    /** Each file with MD5 and SHA-1, for which Maven Central asks, and its signature. */
    private void files(boolean signed) throws IOException {
        List<String> beside = signed ? List.of("", ".md5", ".sha1", ".asc") : List.of("", ".md5", ".sha1");
        for (String module : withBom()) {
            Set<String> expected = kinds(module).stream()
                    .flatMap(kind -> beside.stream().map(ending -> file(module, kind).getFileName() + ending))
                    .collect(Collectors.toCollection(TreeSet::new));
            requireEqual(module, names(file(module, ".pom").getParent()), expected);
        }
    }

    private void sums(boolean signed) throws Exception {
        for (String module : withBom()) {
            for (String kind : kinds(module)) {
                Path file = file(module, kind);
                byte[] bytes = Files.readAllBytes(file);
                for (Map.Entry<String, String> sum : Map.of("MD5", ".md5", "SHA-1", ".sha1").entrySet()) {
                    String digest = HexFormat.of().formatHex(MessageDigest.getInstance(sum.getKey()).digest(bytes));
                    require(digest.equals(Files.readString(Path.of(file + sum.getValue()))), file.getFileName() + ": its " + sum.getKey() + " is another");
                }
                require(!signed || new ProcessBuilder("gpg", "-q", "--verify", file + ".asc", file.toString()).inheritIO().start().waitFor() == 0,
                        file.getFileName() + ".asc is no signature of it");
            }
        }
    }

    private List<String> withBom() {
        return Stream.concat(modules.stream(), Stream.of("limiter-bom")).toList();
    }

    private static List<String> kinds(String module) {
        return module.equals("limiter-bom") ? List.of(".pom") : KINDS;
    }

    private void pom(String module) throws Exception {
        Path file = file(module, ".pom");
        Document pom = xml(file);
        String name = file.getFileName().toString();
        for (String element : REQUIRED_OF_A_POM) {
            require(!text(pom, "/project/" + element).isBlank(), name + " has no " + element);
        }
        require(text(pom, "/project/groupId").equals("dev.limiter"), name + ": the group id is another");
        require(text(pom, "/project/artifactId").equals(module), name + ": the artifact id is another");
        require(text(pom, "/project/version").equals(version), name + ": the version is another");
        for (String element : List.of("url", "scm/url", "developers/developer/url")) {
            require(text(pom, "/project/" + element).startsWith("https://"), name + ": " + element + " is no address");
        }
        String content = Files.readString(file);
        for (String word : List.of("${", "SNAPSHOT", "<parent>", "<scope>test<", "test-jar", "<profile>", "<repositor", "testkit", "<properties>")) {
            require(!content.contains(word), name + " has " + word);
        }
        NodeList dependencies = nodes(pom, "//dependency[not(version)] | //dependency[groupId='dev.limiter' and version!='" + version + "']");
        require(dependencies.getLength() == 0, name + ": a dependency has no version, or another one of ours");
        require(module.equals("limiter-bom") || text(pom, "/project/dependencyManagement").isBlank(), name + " manages dependencies");
    }

    /** Our licence and POM in each JAR, the sources of its classes, and the JDK of releases. */
    private void jars(String module, boolean signed) throws Exception {
        Map<String, byte[]> classes = entries(file(module, ".jar"));
        Map<String, byte[]> sources = entries(file(module, "-sources.jar"));
        Map<String, byte[]> javadoc = entries(file(module, "-javadoc.jar"));
        byte[] licence = Files.readAllBytes(build.resolve("LICENSE"));
        for (Map<String, byte[]> jar : List.of(classes, sources, javadoc)) {
            require(Arrays.equals(jar.get("META-INF/LICENSE"), licence), module + ": a JAR has no META-INF/LICENSE of ours");
        }
        byte[] pom = classes.get("META-INF/maven/dev.limiter/" + module + "/pom.xml");
        require(Arrays.equals(pom, Files.readAllBytes(file(module, ".pom"))), module + ": the POM in the JAR is another");
        Manifest manifest = new Manifest(new ByteArrayInputStream(classes.get("META-INF/MANIFEST.MF")));
        String jdk = manifest.getMainAttributes().getValue("Build-Jdk-Spec");
        require(!signed || "17".equals(jdk), module + ": JDK " + jdk + " built it, a release is built by JDK 17");
        require(manifest.getMainAttributes().getValue("Automatic-Module-Name") != null, module + " has no module name");

        Set<String> compiled = names(classes, "(dev/[^$]*)(?<!/package-info)\\.class");
        require(compiled.size() > 4, module + " has the classes " + compiled);
        requireEqual(module + ": the sources", names(sources, "(dev/.*)(?<!/package-info)\\.java"), compiled);
        requireEqual(module + ": what is not ours", names(classes, "((?!dev/(limiter/.*)?$|META-INF/).*)"), Set.of());
        // Of a module without public types, a text says so.
        require(javadoc.containsKey("index.html") || javadoc.containsKey("README.md"), module + ": its Javadoc has no page");
    }

    /** Names what Maven resolves for run time, in both forms, and nothing that differs by build. */
    private void billOfMaterials(String module) throws Exception {
        Path folder = Files.isDirectory(build.resolve(module)) ? build.resolve(module) : build.resolve("extensions").resolve(module);
        Set<String> resolved = listed(folder.resolve("target/runtime.txt"), true);
        Document bom = xml(file(module, "-cyclonedx.xml"));
        requireEqual(module + ": bill of materials, XML", new TreeSet<>(components(bom, "")), resolved);
        String json = Files.readString(file(module, "-cyclonedx.json"));
        Set<String> inJson = Pattern.compile("\"purl\" : \"([^\"]+)\"").matcher(json).results()
                .map(found -> coordinates(found.group(1)))
                .filter(each -> !each.equals("dev.limiter:" + module + ":" + version))
                .collect(Collectors.toCollection(TreeSet::new));
        requireEqual(module + ": bill of materials, JSON", inJson, resolved);
        require(text(bom, "/bom/metadata/component/version").equals(version), module + ": the bill of materials is of another version");
        require(text(bom, "/bom/@serialNumber").isEmpty(), module + ": the bill of materials has a serial number");
    }

    /** A project with all modules is given what their bills of materials name as not optional. */
    private void consumer(Path list) throws Exception {
        Set<String> named = new TreeSet<>();
        for (String module : modules) {
            if (module.startsWith("limiter-quarkus")) continue; // for a project on Quarkus
            named.add("dev.limiter:" + module + ":" + version);
            named.addAll(components(xml(file(module, "-cyclonedx.xml")), "[not(scope='optional')]"));
        }
        requireEqual("what a project is given, beside the bills of materials", listed(list, false), named);
    }

    private static Set<String> listed(Path list, boolean optional) throws IOException {
        return LISTED.matcher(Files.readString(list)).results()
                .filter(found -> optional || found.group(5) == null)
                .map(found -> found.group(1) + ":" + found.group(2) + ":" + found.group(3))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> components(Document bom, String which) throws Exception {
        return texts(bom, "/bom/components/component" + which + "/purl").stream().map(Check::coordinates).toList();
    }

    /** {@code pkg:maven/group/artifact@version?type=jar}. */
    private static String coordinates(String purl) {
        return purl.replaceFirst("^pkg:maven/", "").replaceFirst("\\?.*", "").replace('/', ':').replace('@', ':');
    }

    private Path file(String module, String kind) {
        return staging.resolve("dev/limiter").resolve(module).resolve(version).resolve(module + "-" + version + kind);
    }

    private static Set<String> names(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** The first group of what matches. */
    private static Set<String> names(Map<String, byte[]> entries, String pattern) {
        return entries.keySet().stream()
                .filter(name -> name.matches(pattern))
                .map(name -> name.replaceFirst(pattern, "$1"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> minus(Set<String> from, Set<String> what) {
        Set<String> rest = new TreeSet<>(from);
        rest.removeAll(new HashSet<>(what));
        return rest;
    }

    private static Map<String, byte[]> entries(Path jar) throws IOException {
        Map<String, byte[]> entries = new TreeMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                entries.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
            }
        }
        return entries;
    }

    private static Document xml(Path file) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    }

    private static String text(Document document, String path) throws Exception {
        return XPATH.evaluate(path, document).strip();
    }

    private static List<String> texts(Document document, String path) throws Exception {
        NodeList nodes = nodes(document, path);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent().strip());
        }
        return texts;
    }

    private static NodeList nodes(Document document, String path) throws Exception {
        return (NodeList) XPATH.evaluate(path, document, XPathConstants.NODESET);
    }
}
