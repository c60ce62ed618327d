package dev.limiter.benchmarks;

import java.net.URL;
import java.util.LinkedHashMap;
import java.util.Map;
import org.eclipse.jetty.ee10.annotations.AnnotationConfiguration;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.ee10.webapp.WebAppContext;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.resource.ResourceFactory;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.servlet.ServletContainer;

/**
 * Jersey on Jetty in a JVM of its own, with the same application several times: with the limiter in
 * its WAR, without it, and with an earlier build of it. They share the compiled code of the server,
 * which each JVM compiles in another way. Without the limiter, Java ignores its annotations.
 */
final class HttpServer {
    static final String LISTENING = "listening ";
    static final String REDIS = "limiter.redis.uri";
    static final String WITH = "with";
    static final String WITHOUT = "without";
    static final String BEFORE = "before";

    private HttpServer() {}

    /**
     * @param arguments the address of a Redis, and the call for {@link ByHand}
     */
    public static void main(String[] arguments) throws Exception {
        Parent.endWithIt();
        System.setProperty(REDIS, arguments[0]);
        System.setProperty(ByHand.CALL, arguments[1]);
        Map<String, String> libraries = new LinkedHashMap<>();
        libraries.put(WITH, arguments[2]);
        libraries.put(WITHOUT, "");
        if (arguments.length > 3) {
            libraries.put(BEFORE, arguments[3]);
        }
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ContextHandlerCollection applications = new ContextHandlerCollection();
        libraries.forEach((path, jars) -> applications.addHandler(application(path, jars)));
        server.setHandler(applications);
        server.start();
        System.out.println(LISTENING + connector.getLocalPort());
        server.join();
    }

    private static WebAppContext application(String path, String jars) {
        URL ours = HttpServer.class.getProtectionDomain().getCodeSource().getLocation();
        WebAppContext application = new WebAppContext();
        application.setContextPath("/" + path);
        application.setBaseResource(
                ResourceFactory.of(application).newMemoryResource(HttpServer.class.getResource("web/")));
        application.addConfiguration(new AnnotationConfiguration());
        application.setExtraClasspath(ours.getPath() + (jars.isEmpty() ? "" : ";" + jars));
        application.setThrowUnavailableOnStartupException(true);
        ServletHolder jersey = new ServletHolder(ServletContainer.class);
        jersey.setInitParameter(
                ServerProperties.PROVIDER_CLASSNAMES,
                String.join(
                        ",",
                        PlainResource.class.getName(),
                        ByHand.class.getName(),
                        "dev.limiter.benchmarks.LimitedResource"));
        jersey.setInitOrder(1);
        jersey.setAsyncSupported(true);
        application.addServlet(jersey, "/*");
        return application;
    }
}
