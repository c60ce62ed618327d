package dev.limiter.example;

import java.io.File;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.importer.ExplodedImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** What is deployed: the zoo as it was built, or its libraries with other resources. */
final class Wars {
    private static final File EXPLODED = new File(System.getProperty("exploded.war"));

    private Wars() {}

    /** The WAR itself, its files as they were packaged. */
    static WebArchive zoo(String name) {
        return ShrinkWrap.create(ExplodedImporter.class, name + ".war")
                .importDirectory(EXPLODED)
                .as(WebArchive.class);
    }

    /** Other classes with the zoo's libraries, under an application name of their own. */
    static WebArchive of(String name, Class<?>... classes) {
        return ShrinkWrap.create(WebArchive.class, name + ".war")
                .addClasses(classes)
                .addAsLibraries(new File(EXPLODED, "WEB-INF/lib").listFiles())
                .addAsWebInfResource(new File(EXPLODED, "WEB-INF/beans.xml"))
                .addAsResource(
                        new StringAsset("limiter.application=" + name), "META-INF/microprofile-config.properties");
    }
}
