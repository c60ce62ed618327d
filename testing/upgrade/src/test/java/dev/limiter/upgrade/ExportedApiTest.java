package dev.limiter.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.model.AccessModifier;
import japicmp.model.JApiBehavior;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;

/**
 * What users compile and link against goes on working: the packages without {@code internal} of
 * all published modules, compared by japicmp with those of the earlier build.
 */
class ExportedApiTest {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");

    @Test
    void noExportedTypeChangesIncompatiblyUnlessItIsListedWithAReason() throws IOException {
        List<JApiCmpArchive> earlier = new ArrayList<>();
        List<JApiCmpArchive> present = new ArrayList<>();
        for (String module : publishedModules()) {
            if (!Instances.wasPublished(module)) {
                continue;
            }
            earlier.add(new JApiCmpArchive(Path.of(Instances.earlierJar(module)).toFile(), "earlier"));
            present.add(new JApiCmpArchive(packed(ROOT.resolve(module + "/target/classes")), "present", module));
        }
        JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
        options.setAccessModifier(AccessModifier.PROTECTED);
        options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true); // of Jakarta EE, Jedis and others
        TreeSet<String> changes = new TreeSet<>();
        int compared = 0;
        for (JApiClass type : new JarArchiveComparator(options).compare(earlier, present)) {
            if (!type.getFullyQualifiedName().contains(".internal.")) {
                compared++;
                changesOf(type).forEach(changes::add);
            }
        }
        System.out.printf("%d exported types of %d modules: %s%n", compared, earlier.size(), changes);
        assertThat(compared).isGreaterThan(40);
        assertThat(changes)
                .as("incompatible changes; api-changes.txt lists those that are meant, each with its reason")
                .containsExactlyElementsOf(meant());
    }

    /** Modules that have the parent of what is published. */
    private static List<String> publishedModules() throws IOException {
        List<String> published = new ArrayList<>();
        Path list = ROOT.resolve("testing/modules.xml");
        for (String module : MODULE.matcher(Files.readString(list))
                .results()
                .map(found -> ROOT.relativize(list.resolveSibling(found.group(1)).normalize()))
                .map(Path::toString)
                .toList()) {
            boolean isJar = Files.isDirectory(ROOT.resolve(module + "/src/main/java"));
            String pom = Files.readString(ROOT.resolve(module + "/pom.xml"));
            if (isJar && pom.contains("<artifactId>limiter-published<")) {
                published.add(module);
            }
        }
        return published;
    }

    private static byte[] packed(Path classes) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                zip.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
                Files.copy(file, zip);
            }
        }
        return bytes.toByteArray();
    }

    private static Stream<String> changesOf(JApiClass type) {
        String name = type.getFullyQualifiedName();
        return Stream.of(
                        told(name, type),
                        type.getInterfaces().stream().flatMap(each -> told(name, each)),
                        told(name, type.getSuperclass()),
                        type.getFields().stream().flatMap(each -> told(name + '.' + each.getName(), each)),
                        type.getConstructors().stream().flatMap(each -> told(signature(name, each), each)),
                        type.getMethods().stream().flatMap(each -> told(signature(name, each), each)))
                .flatMap(each -> each);
    }

    private static String signature(String type, JApiBehavior behavior) {
        return behavior.getParameters().stream()
                .map(parameter -> parameter.getType())
                .collect(Collectors.joining(", ", type + '.' + behavior.getName() + '(', ")"));
    }

    private static Stream<String> told(String name, JApiCompatibility element) {
        return element.getCompatibilityChanges().stream()
                .filter(change -> !change.isBinaryCompatible() || !change.isSourceCompatible())
                .map(change -> change.getType() + " " + name);
    }

    /** Lines of a change, two blanks and a reason. */
    private static List<String> meant() throws IOException {
        return Files.readAllLines(Path.of("api-changes.txt")).stream()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .map(line -> {
                    String[] parts = line.split("  ", 2);
                    assertThat(parts).as("change and reason in \"%s\"", line).hasSize(2);
                    return parts[0];
                })
                .sorted()
                .toList();
    }
}
