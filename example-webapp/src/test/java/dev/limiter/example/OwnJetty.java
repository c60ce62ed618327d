package dev.limiter.example;

import java.io.File;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.ee10.webapp.MetaInfConfiguration;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jboss.shrinkwrap.api.exporter.ExplodedExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * A Jetty that a test can make deploy, fail to deploy, and deploy again. The Jetty of Arquillian
 * hides these steps.
 */
final class OwnJetty implements AutoCloseable {
    /**
     * The libraries whose classes Jetty scans for annotations: those with resources, filters or
     * servlets. The scan of all libraries takes a tenth of a deployment. ZooIT and the other
     * tests with Arquillian deploy with Jetty's default.
     */
    private static final String SCANNED = ".*/limiter-[^/]*\\.jar$";

    private static final Map<String, Boolean> PROTECTED = new ConcurrentHashMap<>();

    private final Server server;
    private final ContextHandlerCollection applications = new ContextHandlerCollection();
    private final Path directory;

    OwnJetty(Path directory) throws Exception {
        this(directory, new QueuedThreadPool());
    }

    /** With threads of the test's choice. */
    OwnJetty(Path directory, QueuedThreadPool threads) throws Exception {
        this.directory = directory;
        this.server = new Server(threads);
        server.addConnector(new ServerConnector(server));
        server.setHandler(applications);
        server.start();
    }

    /** Deploys an unpacked copy under {@code /name}. Throws what the application throws. */
    WebAppContext deploy(WebArchive war) throws Exception {
        Path place = Files.createTempDirectory(directory, "war");
        File exploded = war.as(ExplodedExporter.class).exportExploded(place.toFile());
        WebAppContext application =
                new Application(exploded.getPath(), '/' + war.getName().replace(".war", ""));
        application.setAttribute(MetaInfConfiguration.WEBINF_JAR_PATTERN, SCANNED);
        application.setThrowUnavailableOnStartupException(true);
        applications.addHandler(application);
        application.start();
        return application;
    }

    void undeploy(WebAppContext application) throws Exception {
        application.stop();
        applications.removeHandler(application);
    }

    /** The address of an application. */
    String url(WebAppContext application) {
        int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
        return "http://localhost:" + port + application.getContextPath() + '/';
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception failed) {
            throw new IllegalStateException("Jetty does not stop", failed);
        }
    }

    /**
     * Jetty counts the patterns of classes that it protects for each class that an application
     * loads, which takes a quarter of a deployment. No pattern asks where the class is, so an
     * answer holds for all applications.
     */
    private static final class Application extends WebAppContext {
        Application(String directory, String path) {
            super(directory, path);
        }

        @Override
        public boolean isProtectedResource(String name, URL place) {
            return PROTECTED.computeIfAbsent(name, each -> super.isProtectedResource(each, place));
        }
    }
}
