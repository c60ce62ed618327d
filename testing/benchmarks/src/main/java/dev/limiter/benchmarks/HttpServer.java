package dev.limiter.benchmarks;

import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.ee10.annotations.AnnotationConfiguration;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.resource.ResourceFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/**
 * Jersey on Jetty in a JVM of its own. The limiter is found as in a WAR, by Jersey's services
 * and the servlet container's initializers. Without it on the class path, there are no limited
 * endpoints.
 */
final class HttpServer {
    static final String LISTENING = "listening ";
    static final String REDIS = "limiter.redis.uri";

    private HttpServer() {}

    /**
     * @param arguments the address of a Redis
     */
    public static void main(String[] arguments) throws Exception {
        Parent.endWithIt();
        System.setProperty(REDIS, arguments[0]);
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(application());
        server.start();
        System.out.println(LISTENING + connector.getLocalPort());
        server.join();
    }

    private static WebAppContext application() {
        WebAppContext application = new WebAppContext();
        application.setContextPath("/");
        application.setBaseResource(
                ResourceFactory.of(application).newMemoryResource(HttpServer.class.getResource("web/")));
        application.addConfiguration(new AnnotationConfiguration());
        application.setParentLoaderPriority(true);
        application.setThrowUnavailableOnStartupException(true);
        ServletHolder jersey = new ServletHolder(
                new ServletContainer(new ResourceConfig(resources().toArray(Class<?>[]::new))));
        jersey.setInitOrder(1);
        jersey.setAsyncSupported(true);
        application.addServlet(jersey, "/*");
        return application;
    }

    private static List<Class<?>> resources() {
        List<Class<?>> resources = new ArrayList<>(List.of(PlainResource.class));
        try {
            Class.forName("dev.limiter.RateLimited");
            resources.add(LimitedResource.class);
        } catch (ClassNotFoundException without) {
            // Then there is nothing to be limited.
        }
        return resources;
    }
}
