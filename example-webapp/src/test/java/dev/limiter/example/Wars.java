package dev.limiter.example;

import java.io.File;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.importer.ExplodedImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** What is deployed: the zoo as it was built, or its libraries with other resources. */
final class Wars {
    private static final File EXPLODED = new File(System.getProperty("exploded.war"));
    private static final File TEST_CLASSES = new File(System.getProperty("test.classes"));
    private static final String PACKAGE = "dev/limiter/example/wars/";

    private Wars() {}

    /** The WAR itself, its files as they were packaged. */
    static WebArchive zoo(String name) {
        return ShrinkWrap.create(ExplodedImporter.class, name + ".war")
                .importDirectory(EXPLODED)
                .as(WebArchive.class);
    }

    /**
     * Other classes with the zoo's libraries. They go by name, since the test has nothing to
     * load them with: Jakarta REST is in the WAR only. Jackson stays out: where an application
     * lists no classes, Jetty hands Jersey one provider of it too many.
     *
     * @param classes of the package {@code wars}, by simple name
     */
    static WebArchive of(String name, String... classes) {
        WebArchive war = ShrinkWrap.create(WebArchive.class, name + ".war")
                .addAsLibraries(new File(EXPLODED, "WEB-INF/lib")
                        .listFiles((directory, jar) -> !jar.contains("jackson") && !jar.contains("smallrye")))
                .addAsWebInfResource(new File(EXPLODED, "WEB-INF/beans.xml"));
        return with(war, classes);
    }

    /** A WAR with other classes of the package {@code wars}, by simple name. */
    static WebArchive with(WebArchive war, String... classes) {
        for (String each : classes) {
            String file = PACKAGE + each + ".class";
            war.addAsWebInfResource(new File(TEST_CLASSES, file), "classes/" + file);
        }
        return war;
    }

    /** The same with one setting. */
    static WebArchive with(String setting, String name, String... classes) {
        return of(name, classes).addAsResource(new StringAsset(setting), "META-INF/microprofile-config.properties");
    }
}
