package dev.limiter.example;

import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/**
 * A Jetty with Jersey, without a WAR, without CDI and without any initializer, as Spring Boot and
 * Dropwizard run it: one instance.
 */
final class BareJetty implements AutoCloseable {
    private final Server server = new Server(0);

    BareJetty(Class<?>... resources) throws Exception {
        ServletContextHandler context = new ServletContextHandler("/");
        context.addServlet(new ServletHolder(new ServletContainer(new ResourceConfig(resources))), "/*");
        server.setHandler(context);
        server.start();
    }

    int port() {
        return ((ServerConnector) server.getConnectors()[0]).getLocalPort();
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
