package dev.limiter.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.limiter.testkit.guide.Guide;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * The Java of a page, compiled as it stands there: types as they are, methods within a resource
 * class. A block of imports alone belongs to the methods below it. A block with a package is a
 * file of this project, and none of these. The lines of a table of code are methods of a class.
 * The files of {@code docs/recipes} belong to {@code docs/recipes.md}.
 */
final class Examples {
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern TYPE =
            Pattern.compile("(?m)^(?:public |final |abstract )*(?:class|record|interface|enum|@interface) (\\w+)");

    /** A type, and the table of lines that call it. */
    private static final Pattern TABLE = Pattern.compile("(?ms)^## `(\\w+)`\n\n\\| line \\|(.*?)(?=^## |\\z)");

    private static final Pattern LINES = Pattern.compile("(?m)^\\| `(.+?)` \\| ");

    /** What the lines of a table name, beside the object that they call. */
    private static final String TABLE_CLASS = """
            import static dev.limiter.Algorithm.*;
            import dev.limiter.*;
            import dev.limiter.calendar.*;
            import dev.limiter.jaxrs.*;
            import java.time.Duration;
            import java.util.*;

            class %s {
                %s limits;
                RateLimiter limiter;
                Policy policy, other, mails, plan, carrier, bucket, windows;
                PartitionKey key;
                CheckGroup group, first, second;
                Decision.Admitted admitted;
                String user, tool;
                jakarta.ws.rs.container.ContainerRequestContext context;
                jakarta.servlet.ServletContext servletContext;

            %s}
            """;

    private final String page;
    private final Path directory;
    private final List<Example> all;

    /** Of all pages, as it takes longer to read what is on the class path than to compile. */
    private static final class Compiler {
        static final JavaCompiler TOOL = ToolProvider.getSystemJavaCompiler();
        static final StandardJavaFileManager FILES = TOOL.getStandardFileManager(null, null, null);

        static {
            try {
                FILES.setLocation(StandardLocation.CLASS_PATH, classPath());
            } catch (IOException unreadable) {
                throw new ExceptionInInitializerError(unreadable);
            }
        }
    }

    /** One compilation unit. */
    record Example(String type, String source) {

        /**
         * Whether it belongs into a WAR: of the limiter, and neither of a peer nor a test, nor a
         * source of passwords that this Redis does not know.
         */
        boolean isDeployed() {
            return source.contains("dev.limiter")
                            && !source.contains("org.junit")
                            && !source.contains("implements CredentialsSource")
                    || source.contains("jakarta.ws.rs");
        }

        boolean isApplication() {
            return source.contains("extends Application");
        }
    }

    /**
     * @param directory for sources and classes
     */
    Examples(String page, Path directory) {
        this.page = page;
        this.directory = directory.resolve(page.replaceAll("\\W", "-"));
        this.all = read(page);
    }

    List<Example> all() {
        return all;
    }

    /** The files that a page shows, with the path that their package asks for. */
    static List<Guide.Block> files(String page) {
        return Guide.blocksOf(page).stream()
                .filter(block -> block.kind().equals("java"))
                .filter(block -> PACKAGE.matcher(block.text()).find())
                .toList();
    }

    /** Where a file with a package lies below its root of sources. */
    static String pathOf(Guide.Block file) {
        Matcher inPackage = PACKAGE.matcher(file.text());
        Matcher type = TYPE.matcher(file.text());
        assertThat(inPackage.find() && type.find()).as("%s", file).isTrue();
        return inPackage.group(1).replace('.', '/') + '/' + type.group(1) + ".java";
    }

    /** Compiles all, and returns the class files. */
    List<File> compile() throws IOException {
        Path sources = Files.createDirectories(directory.resolve("sources"));
        Path classes = Files.createDirectories(directory.resolve("classes"));
        List<Path> files = new ArrayList<>();
        for (Example example : all) {
            files.add(Files.writeString(sources.resolve(example.type() + ".java"), example.source()));
        }
        List<String> options = List.of("-proc:none", "-parameters", "-Xlint:-options", "-d", classes.toString());
        boolean compiled = Compiler.TOOL
                .getTask(null, Compiler.FILES, null, options, null, Compiler.FILES.getJavaFileObjectsFromPaths(files))
                .call();
        assertThat(compiled).as("the Java of %s compiles", page).isTrue();
        return List.of(classes.toFile().listFiles());
    }

    /** The class files of what is deployed, those of nested classes among them. */
    List<File> deployed() throws IOException {
        List<String> types =
                all.stream().filter(Example::isDeployed).map(Example::type).toList();
        return compile().stream()
                .filter(file -> types.contains(file.getName().replaceAll("(\\$.*)?\\.class", "")))
                .toList();
    }

    /** The libraries of the WAR, the peers, and what tests have. */
    private static List<File> classPath() {
        File libraries = new File(System.getProperty("exploded.war"), "WEB-INF/lib");
        File peers = new File(System.getProperty("peer.libraries"));
        String tests = System.getProperty("java.class.path");
        return Stream.of(
                        libraries.listFiles(),
                        peers.listFiles(),
                        Stream.of(tests.split(File.pathSeparator))
                                .map(File::new)
                                .toArray(File[]::new))
                .flatMap(Arrays::stream)
                .toList();
    }

    private static List<Example> read(String page) {
        String name = page.replaceAll(".*/|\\.md", "").replaceAll("\\W", "_");
        List<Example> examples = new ArrayList<>(beside(page.replace(".md", "/")));
        String imports = "";
        for (Guide.Block block : Guide.blocksOf(page)) {
            String text = block.text();
            Matcher type = TYPE.matcher(text);
            if (!block.kind().equals("java") || PACKAGE.matcher(text).find()) {
                continue;
            }
            if (type.find()) {
                examples.add(new Example(type.group(1), text.startsWith("import ") ? text : imports + text));
            } else if (text.lines().allMatch(line -> line.isBlank() || line.startsWith("import "))) {
                imports = text;
            } else {
                examples.add(resource(name + '_' + block.line(), imports, text));
            }
        }
        TABLE.matcher(Guide.text(page)).results().forEach(table -> {
            String type = name + '_' + table.group(1);
            examples.add(new Example(type, TABLE_CLASS.formatted(type, table.group(1), methods(table.group(2)))));
        });
        return examples;
    }

    private static List<Example> beside(String folder) {
        String[] names = Guide.PROJECT.resolve(folder).toFile().list((path, name) -> name.endsWith(".java"));
        return Stream.ofNullable(names)
                .flatMap(Arrays::stream)
                .map(name -> new Example(name.replace(".java", ""), Guide.text(folder + name)))
                .toList();
    }

    /** A method of each line; one of an expression, too. */
    private static String methods(String table) {
        StringBuilder methods = new StringBuilder();
        Matcher cell = LINES.matcher(table);
        while (cell.find()) {
            for (String line : cell.group(1).split("`, `")) {
                String statement = line.endsWith(";") ? line : "Object made = " + line + ';';
                methods.append("void line" + methods.length() + "() throws Exception { " + statement + " }\n");
            }
        }
        return methods.toString();
    }

    private static Example resource(String name, String imports, String methods) {
        return new Example(name, imports + "@Path(\"" + name + "\")\npublic class " + name + " {\n" + methods + "}\n");
    }
}
