package dev.limiter.example;

import java.io.File;
import java.nio.file.Path;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** A Jetty that can deploy, fail to deploy, and deploy again, which the one that Arquillian drives does not let one see. */
final class OwnJetty implements AutoCloseable {
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

    /** Deploys under {@code /name}; throws what the application throws. */
    WebAppContext deploy(WebArchive war) throws Exception {
        File file = directory.resolve(war.getName()).toFile();
        war.as(ZipExporter.class).exportTo(file, true);
        WebAppContext application =
                new WebAppContext(file.getPath(), '/' + war.getName().replace(".war", ""));
        application.setThrowUnavailableOnStartupException(true);
        applications.addHandler(application);
        application.start();
        return application;
    }

    void undeploy(WebAppContext application) throws Exception {
        application.stop();
        applications.removeHandler(application);
    }

    /** Where an application answers. */
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
}
