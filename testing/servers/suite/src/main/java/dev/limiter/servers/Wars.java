package dev.limiter.servers;

import java.io.File;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * What is deployed: the libraries that suit the server, and classes of the package {@code war}.
 */
final class Wars {
    private static final File LIBRARIES = new File(System.getProperty("base.war"));
    private static final File MICROMETER = new File(System.getProperty("micrometer.libraries"));
    private static final String PACKAGE = "dev/limiter/servers/war/";

    /** Beans are annotated classes; a resource without a scope is none. */
    private static final String BEANS_XML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <beans xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0" bean-discovery-mode="annotated"/>
            """;

    /**
     * For Tomcat, which would otherwise add all resources of the tests' class path to each WAR.
     */
    private static final String CONTEXT_XML = """
            <Context>
                <JarScanner scanClassPath="false"/>
            </Context>
            """;

    static {
        ShrinkWrap.getDefaultDomain()
                .getConfiguration()
                .getExtensionLoader()
                .addOverride(ZipExporter.class, StoredWar.class);
    }

    private Wars() {}

    /**
     * A WAR whose limits are in {@link SharedRedis}. Classes go by name, since the test has
     * nothing to load them with: Jakarta REST is on the server's side only.
     *
     * @param name of the WAR, and of the application in Redis: see {@link Charged}
     * @param settings of the library, in addition to the address of Redis
     * @param classes of the package {@code war}, by simple name
     */
    static WebArchive of(String name, Map<String, String> settings, String... classes) {
        WebArchive war = withoutApplication(name, settings, classes);
        add(war, "SuiteApplication");
        return war;
    }

    /** The same, of which one class is the application. */
    static WebArchive withoutApplication(String name, Map<String, String> settings, String... classes) {
        Map<String, String> all = new TreeMap<>(SharedRedis.settings());
        all.put("limiter.application", name);
        all.putAll(settings);
        WebArchive war = ShrinkWrap.create(ZipImporter.class, name + ".war")
                .importFrom(LIBRARIES)
                .as(WebArchive.class)
                .addAsWebInfResource(new StringAsset(BEANS_XML), "beans.xml")
                .addAsManifestResource(new StringAsset(CONTEXT_XML), "context.xml")
                .addAsResource(new StringAsset(properties(all)), "META-INF/microprofile-config.properties");
        for (String each : classes) {
            add(war, each);
        }
        return war;
    }

    /** Adds a class of the package {@code war}. */
    static void add(WebArchive war, String simpleName) {
        String file = PACKAGE + simpleName + ".class";
        war.addAsWebInfResource(Wars.class.getClassLoader().getResource(file), "classes/" + file);
    }

    /** Adds the library that a class of the tests is from, for servers that lack it. */
    static WebArchive addLibraryOf(WebArchive war, Class<?> type) {
        return war.addAsLibrary(new File(URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString())));
    }

    /** Adds Micrometer, which the tests do not have on their class path. */
    static WebArchive addMicrometer(WebArchive war) {
        return war.addAsLibraries(MICROMETER.listFiles());
    }

    /** Adds the module for limits on the methods of beans. */
    static WebArchive addCalls(WebArchive war) {
        return war.addAsLibraries(new File(System.getProperty("calls.libraries")).listFiles());
    }

    /** Adds the module for operators, and what it needs of JSON where the server has none. */
    static WebArchive addOperations(WebArchive war) {
        war.addAsLibraries(new File(System.getProperty("operations.libraries")).listFiles());
        File[] json = new File(System.getProperty("json.libraries")).listFiles();
        if (json != null) {
            war.addAsLibraries(json);
            add(war, "JsonMaps");
        }
        return war;
    }

    private static String properties(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> setting.getKey() + '=' + setting.getValue() + '\n')
                .collect(Collectors.joining());
    }
}
